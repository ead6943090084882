import { type OnDemandRequest, planOnDemand } from '../../../billing/contract/on-demand.ts';
import { newId } from '../../../db/id.ts';
import type { CommandHandler } from './command.ts';

/** Charges an on-demand feature once; answers the id of the line. */
export const charge: CommandHandler = async ({ life, now, command }) => {
  const request = command.request as unknown as OnDemandRequest;
  const outcome = planOnDemand(life, request, now, newId);
  const line = outcome.effects.lines.findLast(({ kind }) => kind === 'on_demand');
  return { outcome, answer: line?.id ?? life.contract.id };
};
