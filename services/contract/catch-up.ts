import type { Database } from '../../db/connect.ts';
import { ContractRecord } from '../../db/entities/contract.ts';
import { TestClock } from '../../db/entities/vendor.ts';
import { restAfter } from '../../db/rest-after.ts';
import { nowOf } from '../../db/sql/clock/now-of.ts';
import type { Tx } from '../../db/transaction.ts';
import { advanceBatch } from './advance.ts';

/** Two cores are busy with one such contract in the API, one in the worker and Postgres beneath both. */
const REST = 3;

/**
 * Advances a late contract by some instants, in a transaction of its own that gives way to others. On a test clock that
 * is advancing, the clock's workflow does it instead.
 */
export async function catchUp(db: Database, contractId: string): Promise<void> {
  const inOneTransaction = () => db.transaction((tx) => advanceSome(tx, contractId));
  await restAfter(inOneTransaction, () => true, REST);
}

async function advanceSome(tx: Tx, contractId: string): Promise<void> {
  const contract = await tx.em.findOne(ContractRecord, { id: contractId }, { fields: ['clockId'] });
  if (contract === null) return;
  const { clockId } = contract;
  const clock = clockId === null ? null : await tx.em.findOne(TestClock, { id: clockId });
  if (clock?.status === 'advancing') return;
  await advanceBatch(tx, [contractId], await nowOf(tx, clockId));
}
