import { planUsageClosing } from '../../../billing/contract/close-usage.ts';
import { newId } from '../../../db/id.ts';
import type { CommandHandler } from './command.ts';

type CloseUsageCommand = { idx: number };

/** Closes a usage period by hand; answers the contract's id. */
export const closeUsage: CommandHandler = async ({ life, now, command }) => {
  const { idx } = command.request as unknown as CloseUsageCommand;
  return { outcome: planUsageClosing(life, idx, now, newId), answer: life.contract.id };
};
