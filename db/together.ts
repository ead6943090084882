import type { Queryable } from './connect.ts';
import { sqlState } from './sql-state.ts';

/** What Postgres says of each statement behind one that has failed. */
const TRANSACTION_ABORTED = '25P02';

type Results<T extends readonly (() => Promise<unknown>)[]> = { -readonly [K in keyof T]: Awaited<ReturnType<T[K]>> };

/**
 * Sends what doesn't depend on one another's results. In a transaction the statements go out one right behind the
 * other, which costs one round trip, and Postgres carries them out in this order. Elsewhere each waits for the one
 * before it, so that a read takes one connection at a time.
 *
 * @throws the first failure that is a cause, not that the transaction was aborted by another; when everything else has
 *   ended too: otherwise a part that goes on would send statements after the rollback
 */
export async function together<const T extends readonly (() => Promise<unknown>)[]>(tx: Queryable, parts: T): Promise<Results<T>> {
  const results: unknown[] = [];
  if (tx.sendsAtOnce !== true) {
    for (const part of parts) results.push(await part());
    return results as Results<T>;
  }
  const failures: unknown[] = [];
  const noted = (error: unknown): void => void failures.push(error);
  results.push(...(await Promise.all(parts.map((part) => part().catch(noted)))));
  if (failures.length > 0) throw failures.find((one) => sqlState(one) !== TRANSACTION_ABORTED) ?? failures[0];
  return results as Results<T>;
}
