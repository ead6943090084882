import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { isUnreachable } from '../../fault.ts';
import { sqlState } from '../../sql-state.ts';
import { type CommitMark, TIMELINE } from './commit-mark.ts';

/** The connection broke while a transaction was committing, and Postgres could not be asked what became of it. */
export class CommitUnknown extends Error {
  readonly code = 'outcome_unknown';
  /** seconds */
  readonly retryAfter = 2;

  constructor(cause: unknown) {
    super('The connection to the database broke while the change was committed.', { cause });
    this.name = 'CommitUnknown';
  }
}

const LOOK_UP_MS = 5_000;
const LOOK_EVERY_MS = 100;

/**
 * Whether a transaction that failed is committed all the same: its COMMIT was sent and the answer was lost. SQL,
 * because it asks Postgres about a transaction, on a connection of its own.
 *
 * @param mark null: nothing was written, or the work itself failed before the COMMIT
 * @throws CommitUnknown when Postgres stays away for 5 s, or can't tell
 */
export async function isCommitted(pool: pg.Pool, mark: CommitMark | null, error: unknown): Promise<boolean> {
  if (mark === null || !isLostConnection(error)) return false;
  for (const until = Date.now() + LOOK_UP_MS; Date.now() < until; await pause(LOOK_EVERY_MS)) {
    const fate = await fateOf(pool, mark, until);
    if (fate === 'unknown') break;
    if (fate !== null) return fate === 'committed';
  }
  throw new CommitUnknown(error);
}

/** SQLSTATE 08 and 57P0x are what a server or a pooler says while it drops a connection. */
const isLostConnection = (error: unknown): boolean => isUnreachable(error) || /^(08|57P0)/.test(sqlState(error) ?? '');

interface Seen {
  status: 'committed' | 'aborted' | 'in progress' | null;
  isAnother: boolean;
}

/**
 * After a restore or a crash a server counts its transactions from where its log ends, so an id may be given a second
 * time.
 */
const SEEN = `select pg_xact_status($1::xid8) as status,
  pg_stat_get_bgwriter_stat_reset_time() > $2::timestamptz or ${TIMELINE} <> $3 as "isAnother"`;
const INVALID_PARAMETER_VALUE = '22023';

/** null while the server can't be asked, or hasn't noticed yet that its client is gone. */
async function fateOf(pool: pg.Pool, mark: CommitMark, until: number): Promise<'committed' | 'aborted' | 'unknown' | null> {
  const timer = Promise.withResolvers<null>();
  const timeout = setTimeout(() => timer.resolve(null), Math.max(0, until - Date.now()));
  try {
    const asked = pool.query<Seen>(SEEN, [mark.xid, mark.at, mark.timeline]);
    const seen = await Promise.race([asked.then(({ rows }) => rows[0] ?? null), timer.promise]);
    return seen === null ? null : fateBy(seen);
  } catch (error) {
    // an id that isn't given yet: the crash has left no trace of ours
    return sqlState(error) === INVALID_PARAMETER_VALUE ? 'aborted' : null;
  } finally {
    clearTimeout(timeout);
  }
}

function fateBy({ status, isAnother }: Seen): 'committed' | 'aborted' | 'unknown' | null {
  if (status === 'aborted') return 'aborted';
  if (status === 'committed') return isAnother ? 'unknown' : 'committed';
  // a transaction under way after the crash can only be another one with the same id
  return isAnother && status === 'in progress' ? 'aborted' : null;
}
