import { planResume } from '../../billing/contract/advance/resume.ts';
import { Refusal } from '../../billing/refusal.ts';
import { newId } from '../../db/id.ts';
import type { Tx } from '../../db/transaction.ts';
import { type ContractCall, decideOnContract } from './decide.ts';
import { unparkContract } from './park.ts';

/**
 * Lets a parked contract go on, doing what became due meanwhile. While the cause remains, the rule throws again and
 * nothing has happened.
 */
export async function resumeContract(tx: Tx, call: ContractCall): Promise<void> {
  const resume = async ({ snapshot, now }: Parameters<Parameters<typeof decideOnContract>[2]>[0]) => {
    if (!(await unparkContract(tx, call.contractId, now))) throw new Refusal('contract_state', 'The contract is not parked.');
    const resumed = { ...snapshot, contract: { ...snapshot.contract, parkedReason: null } };
    return { outcome: planResume(resumed, now, newId) };
  };
  await decideOnContract(tx, call, resume, { ended: true, parked: true });
}
