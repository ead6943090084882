import type { MovedChain } from '../../billing/contract/mrr/moved-chains.ts';
import type { mrrMoves } from '../../billing/contract/mrr/moves.ts';
import { newId } from '../id.ts';
import { insertMrrMoves } from '../sql/mrr/insert-moves.ts';
import { lastAmounts } from '../sql/mrr/last-amounts.ts';
import type { Tx } from '../transaction.ts';

/**
 * Books how the MRR of chains has moved, from what is booked of each to what rules noted. The chains are locked by the
 * caller; one whose MRR is what it was costs nothing here.
 *
 * @param movesOf the rule that compares
 */
export async function bookMrr(tx: Tx, chains: readonly MovedChain[], movesOf: typeof mrrMoves): Promise<void> {
  const known = chains.filter(({ isNew }) => !isNew).map(({ rootId }) => rootId);
  const booked = known.length === 0 ? null : await lastAmounts(tx, known);
  const moves = chains.flatMap(({ rootId, vendorId, clockId, customerId, states }) =>
    movesOf(booked?.get(rootId) ?? [], states).map((move) => ({
      ...move,
      ...{ id: newId('Move'), vendorId, clockId: clockId ?? '', customerId, rootId },
    })),
  );
  if (moves.length > 0) await insertMrrMoves(tx, moves);
}
