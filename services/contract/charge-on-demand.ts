import { type OnDemandRequest, planOnDemand } from '../../billing/contract/charge/on-demand.ts';
import { newId } from '../../db/id.ts';
import type { Tx } from '../../db/transaction.ts';
import { type ContractCall, decideOnContract, type LockedContract } from './decide.ts';

/**
 * Charges an on-demand feature once, now, in full.
 *
 * @returns the id of the line
 */
export async function chargeOnDemand(tx: Tx, call: ContractCall, request: OnDemandRequest): Promise<string> {
  let lineId = call.contractId;
  const decide = ({ snapshot, now }: LockedContract) => {
    const outcome = planOnDemand(snapshot, request, now, newId);
    lineId = outcome.effects.lines.findLast(({ kind }) => kind === 'on_demand')?.id ?? lineId;
    return { outcome };
  };
  await decideOnContract(tx, call, decide, { reads: 'ending' });
  return lineId;
}
