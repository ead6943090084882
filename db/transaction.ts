import type { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import { CompiledQuery } from 'kysely';
import type pg from 'pg';
import type { Queryable } from './connect.ts';
import type { KeptPlans } from './prepared.ts';
import { writeOutbox } from './sql/outbox/write.ts';
import { isCommitted } from './sql/transaction/commit-fate.ts';
import { type CommitMark, commitMark } from './sql/transaction/commit-mark.ts';
import { isStalePlan, sqlState } from './sql-state.ts';

/** What causes a fact: a caller of the API, a contract's own timer, a bill run, a test clock, or a payment provider. */
export type Actor = 'caller' | 'timer' | 'bill_run' | 'clock' | 'provider';

/** Who asks for it: a key of the API, a customer in the portal, or nobody but the system itself, whose id is null. */
export type Caller = { type: 'key'; id: string } | { type: 'portal'; id: string } | { type: 'system'; id: null };

const SYSTEM: Caller = { type: 'system', id: null };

/** A message to a workflow: its kind says which workflow is started where none runs. */
export interface WorkflowMessage {
  kind: string;
  workflowId: string;
}

/** One open transaction: `em` and `query` write into the same one; `query` sees of an entity what has been flushed. */
export interface Tx extends Queryable {
  readonly em: EntityManager;
  readonly actor: Actor;
  /** Who is named in histories and in the log of events. */
  readonly caller: Caller;
  /** The workflow whose activity this is: it learns what happened from the activity's answer and needs no message. */
  readonly within: string | null;
  /** Messages to write with the transaction's last statement and to dispatch after its commit. */
  readonly outbox: WorkflowMessage[];
}

export interface TransactionOptions {
  /** Prepare every statement: for work that is repeated often, whose statements must have few texts. */
  prepare?: boolean;
  /** Default `caller`. */
  by?: Actor;
  /** Default: the system. */
  caller?: Caller;
  within?: string | null;
  /** `later`: the caller dispatches the messages of several transactions together. */
  dispatch?: 'now' | 'later';
}

/** Sends messages that are committed. Never throws and never waits: what it can't send is left to the relay. */
export interface Dispatcher {
  dispatch(messages: readonly WorkflowMessage[]): void;
}

interface Surroundings {
  orm: MikroORM;
  pool: pg.Pool;
  plans: KeptPlans;
  dispatcher: Dispatcher | null;
  /** Runs the transaction when there is a place for it. */
  inPlace<R>(run: () => Promise<R>): Promise<R>;
}

/**
 * Milliseconds for which the relay leaves alone messages that their process sends together later: otherwise each
 * workflow would be signalled once per transaction.
 */
const LATER_MS = 10_000;
/** serialization_failure, deadlock_detected */
const RUN_AGAIN = new Set(['40001', '40P01']);
const TRIES = 4;

/**
 * Runs work in a transaction: again after a deadlock or a lost race for a row, and never twice after a COMMIT whose
 * answer was lost, whose fate is looked up by the transaction's id.
 *
 * @throws CommitUnknown when the fate of the COMMIT could not be learned
 */
export async function runTransaction<T>(
  { orm, pool, plans, dispatcher, inPlace }: Surroundings,
  work: (tx: Tx) => Promise<T>,
  { prepare = false, by: actor = 'caller', caller = SYSTEM, within = null, dispatch = 'now' }: TransactionOptions,
): Promise<T> {
  const run = async (): Promise<Ended<T>> => {
    const ended: Ended<T>[] = [];
    const attempt = orm.em.fork().transactional(async (em) => {
      const tx = txOf(em, prepare ? plans : null, { actor, caller, within });
      const result = await work(tx);
      // everything else has to be written before the outbox and the mark
      await em.flush();
      const outbox = tx.outbox.filter(({ workflowId }) => workflowId !== within);
      await writeOutbox(tx, outbox, dispatch === 'later' ? LATER_MS : 0);
      ended.push({ result, mark: await commitMark(tx), outbox });
    });
    await attempt.catch(async (error: unknown) => {
      if (!(await isCommitted(pool, ended[0]?.mark ?? null, error))) throw error;
    });
    const [done] = ended;
    if (done === undefined) throw new Error('a transaction was committed without an end');
    return done;
  };
  const done = await inPlace(() => again(plans, run));
  if (dispatch === 'now' && done.outbox.length > 0) dispatcher?.dispatch(done.outbox);
  return done.result;
}

interface Ended<T> {
  result: T;
  mark: CommitMark | null;
  outbox: readonly WorkflowMessage[];
}

/** Runs the work again where it failed because of a conflict with another transaction or a migration. */
async function again<T>(plans: KeptPlans, run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    const began = plans.generation;
    try {
      return await run();
    } catch (error) {
      const isStale = isStalePlan(error);
      if (attempt >= TRIES || !(isStale || RUN_AGAIN.has(sqlState(error) ?? ''))) throw error;
      if (isStale) plans.renew(began);
    }
  }
}

function txOf(em: EntityManager, plans: KeptPlans | null, origin: Pick<Tx, 'actor' | 'caller' | 'within'>): Tx {
  const trx = em.getTransactionContext();
  if (trx === undefined) throw new Error('a transaction was expected to be open');
  return {
    ...origin,
    em,
    outbox: [],
    query: async <R extends object>(sql: string, params: readonly unknown[] = []) => {
      plans?.keep(sql);
      return (await trx.executeQuery(CompiledQuery.raw(sql, [...params]))).rows as R[];
    },
  };
}
