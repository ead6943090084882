import { mrrMoves } from '../../billing/contract/mrr/moves.ts';
import type { Tx } from '../../db/connect.ts';
import { newId } from '../../db/id.ts';
import { insertMrrMoves } from '../../db/sql/mrr/insert-moves.ts';
import { lastAmounts } from '../../db/sql/mrr/last-amounts.ts';
import type { Decided } from './write.ts';

/**
 * Books how the MRR of chains has moved, from what is booked of each to what rules noted. The chains are locked by the
 * caller; one whose MRR is what it was costs nothing here.
 */
export async function bookMrr(tx: Tx, decided: readonly Decided[]): Promise<void> {
  const moved = decided.filter(({ outcome }) => outcome.effects.mrr.length > 0);
  if (moved.length === 0) return;
  const booked = await bookedOf(tx, moved);
  const moves = [...Map.groupBy(moved, ({ before }) => before.contract.rootId)].flatMap(([rootId, some]) => {
    const states = some.flatMap(({ outcome, at }) => outcome.effects.mrr.map((one) => ({ ...one, at: one.at ?? at })));
    const [{ vendorId, clockId, customerId } = missing()] = some.map(({ before }) => before.contract);
    const whose = { vendorId, clockId: clockId ?? '', customerId, rootId };
    return mrrMoves(booked.get(rootId) ?? [], states).map((move) => ({ ...move, ...whose, id: newId('Move') }));
  });
  if (moves.length > 0) await insertMrrMoves(tx, moves);
}

/** A chain that is signed in this very transaction has nothing booked. */
async function bookedOf(tx: Tx, decided: readonly Decided[]): ReturnType<typeof lastAmounts> {
  const chains = decided.filter(({ before: { contract } }) => contract.status !== 'not_ready');
  const rootIds = [...new Set(chains.map(({ before }) => before.contract.rootId))];
  return rootIds.length === 0 ? new Map() : lastAmounts(tx, rootIds);
}

function missing(): never {
  throw new Error('a chain has no contract');
}
