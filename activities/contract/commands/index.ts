import type { Operation } from '../../../workflows/messages.ts';
import { activate } from './activate.ts';
import { cancel, cancelUndo, changeUndo } from './cancel.ts';
import { change } from './change.ts';
import { charge } from './charge.ts';
import { closeUsage } from './close-usage.ts';
import type { CommandHandler } from './command.ts';
import { resume } from './resume.ts';

/** Every operation and what carries it out. */
export const commands: Readonly<Record<Operation, CommandHandler>> = {
  change,
  cancel,
  cancel_undo: cancelUndo,
  change_undo: changeUndo,
  close_usage: closeUsage,
  charge,
  activate,
  resume,
};
