import type { Instant } from '../../../billing/calendar/instant.ts';
import { planActivation } from '../../../billing/contract/activate.ts';
import { newId } from '../../../db/id.ts';
import type { CommandHandler } from './command.ts';

/** `activation` null: now. */
type ActivateCommand = { activation: Instant | null };

/** Activates a pending contract; answers its id. */
export const activate: CommandHandler = async ({ life, now, command }) => {
  const { activation } = command.request as unknown as ActivateCommand;
  return { outcome: planActivation(life, activation, now, newId), answer: life.contract.id };
};
