import type { NewId } from '../billing/contract/types.ts';
import { type Asker, callFor } from './audited-call.ts';
import type { Database, Tx } from './connect.ts';
import { mayPass } from './fault.ts';
import { newId } from './id.ts';
import { type Answer, insertResponses } from './sql/idempotency/insert-responses.ts';
import { CommitUnknown } from './sql/transaction/commit-fate.ts';
import { sqlState } from './sql-state.ts';

/** A request that makes a contract in one transaction with others. */
export interface MadeTogether {
  /** of the contract that it makes */
  contractId: string;
  asker: Asker;
  /** the response to its caller; null: the request had no Idempotency-Key */
  answer: Answer | null;
}

/**
 * How long a shared transaction waits for another one, in milliseconds: what takes longer gets a transaction of its
 * own.
 */
export const LONGEST_LOCK_MS = 500;
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Makes what requests of one caller ask for in one transaction. Where the database refuses it, or a lock isn't free in
 * time, nothing of it is made.
 *
 * @param make gives the ids of the contracts that are made; the others go their own way
 * @returns for each request whether it is made
 * @throws CommitUnknown as a transaction of its own would, and what says that Postgres is away
 */
export async function makeInOne<E extends MadeTogether>(
  db: Database,
  entries: readonly E[],
  make: (tx: Tx, entries: readonly E[]) => Promise<ReadonlySet<string>>,
): Promise<boolean[]> {
  const caller = entries[0]?.asker.caller;
  try {
    const options = { prepare: true, generalPlans: true, ...(caller !== undefined && { caller }) };
    const made = await db.transaction((tx) => make(tx, entries), options);
    return entries.map(({ contractId }) => made.has(contractId));
  } catch (error) {
    if (error instanceof CommitUnknown || (mayPass(error) && sqlState(error) !== LOCK_NOT_AVAILABLE)) throw error;
    return entries.map(() => false);
  }
}

/**
 * Stores the responses of requests and their entries of the audit log.
 *
 * @param objectOf the contract that the call is about
 * @returns those whose Idempotency-Key was not used before, which are to be made
 */
export async function takeKeys<P extends { entry: MadeTogether }>(
  tx: Tx,
  planned: readonly P[],
  objectOf: (one: P) => string,
): Promise<P[]> {
  const unused = await insertResponses(
    tx,
    planned.flatMap(({ entry }) => entry.answer ?? []),
  );
  const fresh = planned.filter(({ entry: { answer } }) => answer === null || unused.has(answer.ref.key));
  tx.audited.push(...fresh.flatMap((one) => callFor(one.entry.asker, objectOf(one))));
  return fresh;
}

/** New ids, of which the first of a contract is given. */
export function idsWith(contractId: string): NewId {
  let isGiven = false;
  return (prefix) => {
    if (isGiven || !contractId.startsWith(`${prefix}_`)) return newId(prefix);
    isGiven = true;
    return contractId;
  };
}
