import { type ChangeWish, type EstimateBasis, reckonChange } from '../../../db/contract/change.ts';
import { newId } from '../../../db/id.ts';
import type { CommandHandler } from './command.ts';

type ChangeCommand = { wish: ChangeWish; basis: EstimateBasis | null };

/** Changes plan or units; answers the id of the resulting contract. */
export const change: CommandHandler = async ({ tx, life, now, command }) => {
  const { wish, basis } = command.request as unknown as ChangeCommand;
  const { plan, before, at } = await reckonChange(tx, life, wish, basis, { now, mint: newId });
  return { outcome: plan.outcome, basis: { before, at }, answer: plan.newContractId };
};
