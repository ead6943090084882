import type { Operation } from '../../../workflows/messages.ts';
import { change } from './change.ts';
import type { CommandHandler } from './command.ts';
import { resume } from './resume.ts';

/** Every operation and what carries it out. */
export const commands: Readonly<Record<Operation, CommandHandler>> = { change, resume };
