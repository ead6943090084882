import { CatchingUp } from '../../billing/contract/advance/catching-up.ts';
import type { Database } from '../../db/connect.ts';
import { ContractRecord } from '../../db/entities/contract.ts';
import { TestClock } from '../../db/entities/vendor.ts';
import { restAfter } from '../../db/rest-after.ts';
import { nowOf } from '../../db/sql/clock/now-of.ts';
import type { Tx } from '../../db/transaction.ts';
import { againAfterFreeze } from '../customer/after-freeze.ts';
import { advanceBatch } from './advance.ts';

/**
 * How long it rests after each transaction, as a multiple of the time that took: one late contract must not keep API,
 * worker and Postgres busy.
 */
const REST = 3;

/**
 * Advances a late contract by some instants, in a transaction of its own that gives way to others. On a test clock that
 * is advancing, the clock's workflow does it instead.
 */
export async function catchUp(db: Database, contractId: string): Promise<void> {
  const inOneTransaction = () => db.transaction((tx) => advanceSome(tx, contractId));
  await restAfter(inOneTransaction, () => true, REST);
}

/** How long a caller waits for a late contract. */
const LONGEST_MS = 5_000;

/**
 * Makes a caller's write again that was refused only because time has passed without being carried out: if a freeze was
 * to end before, once its end is carried out; if the contract is very late, once it has been advanced, for which it
 * waits some seconds.
 *
 * @param failed what the first try has thrown; any other failure is thrown on
 * @param advance advances the contract by a step
 * @throws CatchingUp when the contract takes longer: its caller has to come again
 */
export async function againOnTime<T>(
  db: Database,
  failed: unknown,
  write: () => Promise<T>,
  advance: (contractId: string) => Promise<void>,
): Promise<T> {
  const afterFreeze = (error: unknown): Promise<T> => againAfterFreeze(db, error, write);
  let outcome = afterFreeze(failed);
  for (const until = Date.now() + LONGEST_MS; ; ) {
    try {
      return await outcome;
    } catch (error) {
      if (!(error instanceof CatchingUp) || Date.now() > until) throw error;
      await advance(error.contractId);
      outcome = write().catch(afterFreeze);
    }
  }
}

async function advanceSome(tx: Tx, contractId: string): Promise<void> {
  const contract = await tx.em.findOne(ContractRecord, { id: contractId }, { fields: ['clockId'] });
  if (contract === null) return;
  const { clockId } = contract;
  const clock = clockId === null ? null : await tx.em.findOne(TestClock, { id: clockId });
  if (clock?.status === 'advancing') return;
  await advanceBatch(tx, [contractId], await nowOf(tx, clockId));
}
