import type { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import { CompiledQuery, type ControlledTransaction } from 'kysely';
import type pg from 'pg';
import type { Asker, AuditedCall } from './audited-call.ts';
import type { Database, Queryable } from './connect.ts';
import type { CountedWork } from './counted.ts';
import { mayPass } from './fault.ts';
import type { KeptPlans } from './prepared.ts';
import { noteAuditedObjects } from './sql/audit/note-object.ts';
import { writeAudit } from './sql/audit/write.ts';
import { writeOutbox } from './sql/outbox/write.ts';
import { isCommitted } from './sql/transaction/commit-fate.ts';
import { type CommitMark, commitMark } from './sql/transaction/commit-mark.ts';
import { useGeneralPlans } from './sql/transaction/general-plans.ts';
import { isStalePlan, sqlState } from './sql-state.ts';
import { together } from './together.ts';

/** What causes a fact: a caller of the API, a contract's own timer, a bill run, a test clock, or a payment provider. */
export type Actor = 'caller' | 'timer' | 'bill_run' | 'clock' | 'provider';

/**
 * Who asks for it: a key of the API, somebody in the console with such a key, a customer in the portal, or nobody but
 * the system itself, whose id is null.
 */
export type Caller = { type: 'key' | 'console' | 'person' | 'portal'; id: string } | { type: 'system'; id: null };

const SYSTEM: Caller = { type: 'system', id: null };

/** A message to a workflow: its kind says which workflow is started where none runs. */
export interface WorkflowMessage {
  kind: string;
  workflowId: string;
}

/** A failure of ours that didn't stop its transaction: operators have to know of it. */
export interface Fault {
  text: string;
  /** ids of what it concerns */
  about: Readonly<Record<string, string>>;
  error: unknown;
}

/** One open transaction: `em` and `query` write into the same one; `query` sees of an entity what has been flushed. */
export interface Tx extends Queryable {
  readonly em: EntityManager;
  readonly actor: Actor;
  /** Who is named in histories and in the log of events. */
  readonly caller: Caller;
  /** The workflow whose activity this is: it learns what happened from the activity's answer and needs no message. */
  readonly within: string | null;
  /** Whether this installation sends e-mails. */
  readonly sendsMail: boolean;
  /** Messages to write with the transaction's last statements, behind `last`, and to dispatch after its commit. */
  readonly outbox: WorkflowMessage[];
  /** Calls that it carries out, written into the audit log at its end, with the ids of what they have made. */
  readonly audited: AuditedCall[];
  /**
   * What locks a row that others wait for: sent after everything else, with the messages and the COMMIT right behind
   * it, or by `sendLast`.
   */
  readonly last: (() => Promise<void>)[];
  /** What failed in it and didn't stop it; reported after its commit. */
  readonly faults: Fault[];
  /** What operators count of it, after its commit. */
  readonly counted: CountedWork[];
  /** How its work deals with statements that the database may refuse. */
  readonly tries: Tries;
}

/** Work that is short while nothing is refused, and isolates what is refused when it runs again. */
export interface Tries {
  /** set by the work: it has a careful way */
  hasCarefulWay: boolean;
  /** an earlier try was refused, so parts that may fail are done in savepoints */
  readonly isCareful: boolean;
}

export interface TransactionOptions extends Partial<Asker> {
  /** Prepare every statement: for work that is repeated often, whose statements must have few texts. */
  prepare?: boolean;
  /**
   * Keep one plan for each of them, whatever its parameters: for work on few rows, where finding a plan of its own for
   * each execution costs more than any plan gains.
   */
  generalPlans?: boolean;
  /** Default `caller`. */
  by?: Actor;
  within?: string | null;
  /** `later`: the caller dispatches the messages of several transactions together. */
  dispatch?: 'now' | 'later';
}

/** Sends messages that are committed. Never throws and never waits: what it can't send is left to the relay. */
export interface Dispatcher {
  /** Milliseconds for which the relay leaves a message that is committed now to this dispatcher. */
  relayAfterMs(message: WorkflowMessage): number;
  dispatch(messages: readonly WorkflowMessage[]): void;
}

interface Surroundings {
  orm: MikroORM;
  pool: pg.Pool;
  plans: KeptPlans;
  dispatcher: Dispatcher | null;
  tracing: Database['tracing'];
  sendsMail: boolean;
  onFault: ((fault: Fault) => void) | null;
  onCounted: ((counted: readonly CountedWork[]) => void) | null;
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
  { orm, pool, plans, dispatcher, tracing, sendsMail, onFault, onCounted, inPlace }: Surroundings,
  work: (tx: Tx) => Promise<T>,
  {
    prepare = false,
    generalPlans = false,
    by: actor = 'caller',
    caller = SYSTEM,
    audit,
    within = null,
    dispatch = 'now',
  }: TransactionOptions,
): Promise<T> {
  const run = async (tries: Tries): Promise<Ended<T>> => {
    const ended: Ended<T>[] = [];
    const attempt = orm.em.fork().transactional(async (em) => {
      const tx = await txOf(em, prepare ? plans : null, { actor, caller, within, sendsMail, tries });
      // goes out together with the first statement, which fails if this one does
      const object = audit?.object ?? null;
      if (object !== null) void ofItsOwn(noteAuditedObjects(tx, [object], generalPlans));
      else if (generalPlans) void ofItsOwn(useGeneralPlans(tx));
      if (audit !== undefined) tx.audited.push({ ...audit });
      const result = await work(tx);
      // everything else has to be written before the outbox and the mark
      await em.flush();
      const outbox = tx.outbox.filter(({ workflowId }) => workflowId !== within);
      const relayAfter = (message: WorkflowMessage) =>
        Math.max(dispatch === 'later' ? LATER_MS : 0, dispatcher?.relayAfterMs(message) ?? 0);
      const toOutbox = () => writeOutbox(tx, outbox, relayAfter, tracing?.place() ?? null);
      // while it waits for the rows that are locked last, it must not hold a message that their holder is about to
      // write
      const isLast = tx.last.length > 0;
      if (isLast) tx.last.push(toOutbox);
      const [, , mark] = await together(tx, [
        () => writeAudit(tx, tx.audited),
        () => (isLast ? Promise.resolve() : toOutbox()),
        () => commitMark(tx),
      ]);
      ended.push({ result, mark, outbox, faults: tx.faults, counted: tx.counted, last: ofItsOwn(sendLast(tx)) });
    });
    // where the COMMIT meets a refused statement, Postgres rolls back and reports no error of its own
    await attempt
      .then(() => ended[0]?.last)
      .catch(async (error: unknown) => {
        if (!(await isCommitted(pool, ended[0]?.mark ?? null, error))) throw error;
      });
    const [done] = ended;
    if (done === undefined) throw new Error('a transaction was committed without an end');
    return done;
  };
  const done = await inPlace(() => again(plans, run));
  for (const fault of done.faults) onFault?.(fault);
  if (done.counted.length > 0) onCounted?.(done.counted);
  if (dispatch === 'now' && done.outbox.length > 0) dispatcher?.dispatch(done.outbox);
  return done.result;
}

interface Ended<T> {
  result: T;
  mark: CommitMark | null;
  outbox: readonly WorkflowMessage[];
  faults: readonly Fault[];
  counted: readonly CountedWork[];
  /** the answers to what was sent last, which nobody waits for before the COMMIT is sent */
  last: Promise<void>;
}

/**
 * Runs the work again where it failed because of a conflict with another transaction or a migration, and once more in
 * its careful way, if it has one, where the database refused it.
 */
async function again<T>(plans: KeptPlans, run: (tries: Tries) => Promise<T>): Promise<T> {
  let tries = { hasCarefulWay: false, isCareful: false };
  for (let attempt = 1; ; attempt += 1) {
    const began = plans.generation;
    try {
      return await run(tries);
    } catch (error) {
      if (tries.hasCarefulWay && !tries.isCareful && sqlState(error) !== undefined && !mayPass(error)) {
        tries = { hasCarefulWay: true, isCareful: true };
        continue;
      }
      const isStale = isStalePlan(error);
      if (attempt >= TRIES || !(isStale || RUN_AGAIN.has(sqlState(error) ?? ''))) throw error;
      if (isStale) plans.renew(began);
    }
  }
}

/** A promise that may fail before anybody waits for it. */
function ofItsOwn<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}

/** Sends what was kept for last; for code that reads it in the same transaction. */
export async function sendLast(tx: Tx): Promise<void> {
  await together(tx, tx.last.splice(0));
}

async function txOf(
  em: EntityManager,
  plans: KeptPlans | null,
  origin: Pick<Tx, 'actor' | 'caller' | 'within' | 'sendsMail' | 'tries'>,
): Promise<Tx> {
  const trx = em.getTransactionContext<ControlledTransaction<unknown>>();
  if (trx === undefined) throw new Error('a transaction was expected to be open');
  // the query builder itself sends a statement only when the one before it was answered
  const connection = await trx.getExecutor().provideConnection(async (its) => its);
  return {
    ...origin,
    em,
    outbox: [],
    audited: [],
    last: [],
    faults: [],
    counted: [],
    sendsAtOnce: true,
    query: async <R extends object>(sql: string, params: readonly unknown[] = []) => {
      if (trx.isCommitted || trx.isRolledBack) throw new Error('the transaction has ended');
      plans?.keep(sql);
      return (await connection.executeQuery<R>(CompiledQuery.raw(sql, [...params]))).rows;
    },
  };
}
