import type { Database } from '../../db/connect.ts';
import { PlanMove, PlanMoveContract, type PlanMoveRecord } from '../../db/entities/plan-move.ts';
import { FOR_UPDATE } from '../../db/sql/lock.ts';
import type { Tx } from '../../db/transaction.ts';
import { inTurns } from '../../db/turns.ts';
import { listSome } from './list-some.ts';
import { moveContract } from './move-contract.ts';
import { type MoveProgress, progressOf } from './progress.ts';

/** Contracts that one call changes at most, and the milliseconds after which it begins with no further one. */
const AT_ONCE = 50;
const BUDGET_MS = 10_000;

/** How far a move has come in its round through the contracts that wait. */
interface MovedSome extends MoveProgress {
  after: string | null;
  isWaiting: boolean;
  failed: { contractId: string; error: unknown }[];
}

/** The contracts of all moves in this process. */
const inTurn = inTurns();

/**
 * Goes on with a move: lists contracts until all are listed, then changes the next of those that have no outcome yet,
 * each in a transaction of its own. A move whose contracts all have one is done.
 *
 * @param after the contract that its round has come to; null: the round begins
 */
export async function moveSome(db: Database, moveId: string, after: string | null): Promise<MovedSome> {
  const move = await db.em().findOneOrFail(PlanMove, { id: moveId });
  const failed: MovedSome['failed'] = [];
  let place: Pick<MovedSome, 'after' | 'isWaiting'> = { after: null, isWaiting: false };
  if (move.status === 'running' && !move.isListed) await db.transaction((tx) => listMore(tx, moveId));
  else if (move.status === 'running') {
    const { last, isEnd } = await moveNext(db, move, after, failed);
    place = isEnd ? { after: null, isWaiting: !(await endIfDone(db, moveId)) } : { after: last, isWaiting: false };
  }
  return { ...(await progressOf(db.em(), moveId)), ...place, failed };
}

const listMore = async (tx: Tx, moveId: string): Promise<void> => {
  const move = await tx.em.findOneOrFail(PlanMove, { id: moveId }, FOR_UPDATE);
  if (!move.isListed) await listSome(tx, move);
};

/** @returns the contract tried last, and whether the round has come to its end */
async function moveNext(
  db: Database,
  move: PlanMoveRecord,
  after: string | null,
  failed: MovedSome['failed'],
): Promise<{ last: string | null; isEnd: boolean }> {
  const beyond = after === null ? {} : { contractId: { $gt: after } };
  const next = await db
    .em()
    .find(PlanMoveContract, { moveId: move.id, outcome: null, ...beyond }, { orderBy: { contractId: 'asc' }, limit: AT_ONCE });
  const until = performance.now() + BUDGET_MS;
  let last = after;
  for (const { contractId } of next) {
    if (performance.now() > until) return { last, isEnd: false };
    const moved = await inTurn(() => moveContract(db, move, contractId));
    if (moved.kind === 'stopped') return { last, isEnd: false };
    if (moved.kind === 'failed') failed.push({ contractId, error: moved.error });
    last = contractId;
  }
  return { last, isEnd: next.length < AT_ONCE };
}

/** The move is done where none of its contracts waits for an outcome. */
function endIfDone(db: Database, moveId: string): Promise<boolean> {
  return db.transaction(async ({ em }) => {
    const move = await em.findOneOrFail(PlanMove, { id: moveId }, FOR_UPDATE);
    if ((await em.count(PlanMoveContract, { moveId, outcome: null })) > 0) return false;
    if (move.status === 'running') em.assign(move, { status: 'done', ended: Date.now() });
    return true;
  });
}
