import { planResume } from '../../../billing/contract/resume.ts';
import { unparkContract } from '../../../db/contract/park.ts';
import { newId } from '../../../db/id.ts';
import { Refusal } from '../../../db/refusal.ts';
import type { CommandHandler } from './command.ts';

/** Lets a parked contract go on, doing what became due meanwhile and what freezes passed it by. When the cause isn't mended the rule throws again and nothing has happened. */
export const resume: CommandHandler = async ({ tx, life, now }) => {
  const { id } = life.contract;
  if (!(await unparkContract(tx, id, now))) throw new Refusal('contract_state', 'The contract is not parked.');
  const freed = { ...life, contract: { ...life.contract, parkedReason: null } };
  return { outcome: planResume(freed, now, newId), answer: id };
};
