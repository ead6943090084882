import type { Instant } from '../../billing/calendar/instant.ts';
import { CatchingUp } from '../../billing/contract/advance/catching-up.ts';
import { planThreshold } from '../../billing/contract/charge/threshold.ts';
import type { Contract } from '../../billing/contract/types.ts';
import type { Tx } from '../../db/connect.ts';
import { newId } from '../../db/id.ts';
import { lockClockStatus } from '../../db/sql/clock/lock-status.ts';
import { nowOf } from '../../db/sql/clock/now-of.ts';
import { lockContracts } from '../../db/sql/contract/lock-contracts.ts';
import { contractsWithThreshold } from '../../db/sql/contract/with-threshold.ts';
import { lockWatched } from '../../db/sql/usage/lock-watched.ts';
import { applyToBatch } from '../contract/batch.ts';
import type { LockedCustomer } from '../customer/lock.ts';

/**
 * Locks the contracts of customers whose usage may bring an invoice: before the usage is recorded, since all who
 * close a period lock them before it. The caller has locked the customers.
 */
export async function lockThresholds(tx: Tx, customerIds: readonly string[]): Promise<readonly Contract[]> {
  const wanted = await contractsWithThreshold(tx, customerIds);
  if (wanted.length === 0) return [];
  const contracts = await lockContracts(
    tx,
    wanted.map(({ id }) => id),
    'wait',
  );
  const advancing = await advancingClocks(tx, contracts);
  return contracts.filter(({ clockId }) => !advancing.has(clockId));
}

/** Test clocks that advance; no other begins to until this transaction ends. */
async function advancingClocks(tx: Tx, contracts: readonly Contract[]): Promise<Set<string | null>> {
  const advancing = new Set<string | null>();
  const clocks = new Set(contracts.flatMap(({ clockId }) => clockId ?? []));
  for (const clockId of [...clocks].sort()) if ((await lockClockStatus(tx, clockId)) === 'advancing') advancing.add(clockId);
  return advancing;
}

/** The contracts of one customer, locked in the same way. Their usage is counted under the customer's lock. */
export async function thresholdsOf(tx: Tx, { id, watched }: Pick<LockedCustomer, 'id' | 'watched'>): Promise<readonly Contract[]> {
  if (!watched) return [];
  await lockWatched(tx, [id], 'wait');
  return lockThresholds(tx, [id]);
}

/**
 * Invoices what open usage has come to where it has reached its contract's threshold. The usage was recorded in the
 * same transaction, so that its events and the invoice stand or fall together.
 */
export async function invoiceThresholds(tx: Tx, contracts: readonly Contract[]): Promise<void> {
  for (const [clockId, here] of Map.groupBy(contracts, (contract) => contract.clockId)) {
    const now = await nowOf(tx, clockId);
    const ids = here.map(({ id }) => id);
    await invoiceReached(tx, ids, now).catch(
      unlessCatchingUp(async () => {
        for (const id of ids) await invoiceReached(tx, [id], now).catch(unlessCatchingUp(async () => undefined));
      }),
    );
  }
}

async function invoiceReached(tx: Tx, ids: readonly string[], now: Instant): Promise<void> {
  await applyToBatch(tx, ids, now, (snapshot) => planThreshold(snapshot, now, newId), { running: 'ending' });
}

/** A contract that is far behind is brought up to now by its workflow; the next event finds what is open then. */
const unlessCatchingUp =
  (instead: () => Promise<void>) =>
  async (error: unknown): Promise<void> => {
    if (!(error instanceof CatchingUp)) throw error;
    await instead();
  };
