import type { Caller, Tx } from '../../db/connect.ts';
import { ContractRecord } from '../../db/entities/contract.ts';
import { PlanMove, PlanMoveContract, type PlanMoveRecord } from '../../db/entities/plan-move.ts';
import { newId } from '../../db/id.ts';
import { insertMany } from '../../db/sql/write-many.ts';
import { enqueue } from '../../temporal/message-kinds.ts';
import { type AskedMove, contractsToMove, requireMovePlans } from './asked.ts';
import { listSome } from './list-some.ts';

/**
 * Starts a move of a plan's contracts; its workflow carries it out. Its contracts are settled here: the given ones, or
 * all that are live. If the plan has more than a thousand, the workflow lists them before it moves the first one.
 *
 * @returns the move's id
 * @throws Refusal `plan_not_found`, `plan_archived`, `contract_not_found`, `invalid_request` for a contract of another
 *   plan
 */
export async function startMove(tx: Tx, asked: AskedMove): Promise<string> {
  await requireMovePlans(tx, asked);
  const { vendorId, planId, toPlanId, time, contractIds } = asked;
  const total = contractIds === null ? await tx.em.count(ContractRecord, contractsToMove(vendorId, planId)) : contractIds.length;
  const facts = { id: newId('Move'), vendorId, planId, toPlanId: toPlanId ?? planId, time, total, created: Date.now() };
  const move = tx.em.create(PlanMove, {
    ...facts,
    ...starterOf(tx.caller),
    status: 'running',
    isListed: contractIds !== null,
    listedTo: null,
    ended: null,
  });
  await tx.em.flush();
  if (contractIds === null) await listSome(tx, move);
  else
    await insertMany(
      tx,
      PlanMoveContract,
      contractIds.map((contractId) => ({ moveId: move.id, contractId })),
    );
  enqueue(tx, 'plan_move', move.id);
  return move.id;
}

/** Whom the changes of its contracts name. */
const starterOf = ({ type, id }: Caller): Pick<PlanMoveRecord, 'callerType' | 'keyId' | 'personId'> => ({
  callerType: type,
  keyId: type === 'key' || type === 'console' ? id : null,
  personId: type === 'person' ? id : null,
});
