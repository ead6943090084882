import type { Tx } from '../../db/connect.ts';
import { PlanMoveContract, type PlanMoveRecord } from '../../db/entities/plan-move.ts';
import { listContracts } from '../../db/sql/plan-move/list-contracts.ts';

/** Contracts that one transaction looks at. */
const AT_ONCE = 1_000;

/**
 * Lists the next contracts of a locked move. All are listed before the first one is moved: a move never meets the
 * contracts that it makes.
 */
export async function listSome(tx: Tx, move: PlanMoveRecord): Promise<void> {
  const { id: moveId, vendorId, planId, listedTo } = move;
  const { read, last } = await listContracts(tx, { moveId, vendorId, planId, after: listedTo }, AT_ONCE);
  move.listedTo = last ?? listedTo;
  if (read === AT_ONCE) return;
  move.isListed = true;
  move.total = await tx.em.count(PlanMoveContract, { moveId });
}
