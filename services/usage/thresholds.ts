import type { Instant } from '../../billing/calendar/instant.ts';
import { CatchingUp } from '../../billing/contract/advance/catching-up.ts';
import { roomToThreshold } from '../../billing/contract/charge/room-to-threshold.ts';
import { planThreshold } from '../../billing/contract/charge/threshold.ts';
import type { Contract, ContractSnapshot } from '../../billing/contract/types.ts';
import type { Tx } from '../../db/connect.ts';
import { newId } from '../../db/id.ts';
import { lockClockStatus } from '../../db/sql/clock/lock-status.ts';
import { nowOf } from '../../db/sql/clock/now-of.ts';
import { lockContracts } from '../../db/sql/contract/lock-contracts.ts';
import { contractsWithThreshold, type ThresholdContract, type UsageToCount } from '../../db/sql/contract/with-threshold.ts';
import { noteRoom } from '../../db/sql/usage/note-room.ts';
import { applyToBatch } from '../contract/batch.ts';
import type { LockedCustomer } from '../customer/lock.ts';

/**
 * Locks the contracts of customers whose usage may bring an invoice, and the contracts that the usage may be counted
 * in. It does so before the usage is recorded, since everybody who closes a period locks its contract first, and all at
 * once, since others lock several in one order. The caller has locked the customers.
 *
 * @param usage what is recorded
 * @returns those with a threshold
 */
export async function lockThresholds(tx: Tx, customerIds: readonly string[], usage: UsageToCount): Promise<readonly Contract[]> {
  const find = () => contractsWithThreshold(tx, customerIds, usage);
  const found = await find();
  if (found.length === 0) return [];
  const advancing = await advancingClocks(tx, found);
  const lock = (some: readonly ThresholdContract[]) =>
    lockContracts(
      tx,
      some.filter(({ clockId }) => !advancing.has(clockId)).map(({ id }) => id),
      'wait',
    );
  const first = await lock(found);
  const known = new Set(found.map(({ id }) => id));
  // the lock waited for a change: its chain is locked now, so the successor can be locked too
  const isFollowed = first.some(({ successorId }) => successorId !== null && !known.has(successorId));
  const fresh = isFollowed ? (await find()).filter(({ id }) => !known.has(id)) : [];
  const contracts = fresh.length === 0 ? first : [...first, ...(await lock(fresh))];
  const withThreshold = new Set([...found, ...fresh].flatMap(({ id, hasThreshold }) => (hasThreshold ? [id] : [])));
  return contracts.filter(({ id }) => withThreshold.has(id));
}

/** Test clocks that advance; no other begins to until this transaction ends. They are locked before the contracts. */
async function advancingClocks(tx: Tx, contracts: readonly ThresholdContract[]): Promise<Set<string | null>> {
  const advancing = new Set<string | null>();
  const clocks = new Set(contracts.flatMap(({ clockId }) => clockId ?? []));
  for (const clockId of [...clocks].sort()) if ((await lockClockStatus(tx, clockId)) === 'advancing') advancing.add(clockId);
  return advancing;
}

/** The contracts of one customer, locked in the same way. The caller has locked the customer to count. */
export const thresholdsOf = async (
  tx: Tx,
  { id, watched }: Pick<LockedCustomer, 'id' | 'watched'>,
  usage: UsageToCount,
): Promise<readonly Contract[]> => (watched ? lockThresholds(tx, [id], usage) : []);

/**
 * Invoices open usage that has reached its contract's threshold. The usage was recorded in the same transaction, so its
 * events and the invoice are committed together or not at all. The room that is left is noted, so that further usage is
 * only counted as long as it surely stays below the threshold.
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
  const rule = (snapshot: ContractSnapshot) => planThreshold(snapshot, now, newId);
  const { decided, parked } = await applyToBatch(tx, ids, now, rule, { running: 'ending', looks: true });
  for (const { contractId, error } of parked) tx.faults.push({ text: 'the contract is parked', about: { contract: contractId }, error });
  await noteRoom(
    tx,
    decided.flatMap(({ outcome }) => roomToThreshold(outcome.snapshot, now) ?? []),
  );
}

/** A contract that is far behind is brought up to now by its workflow, whose last step looks at what is open then. */
const unlessCatchingUp =
  (instead: () => Promise<void>) =>
  async (error: unknown): Promise<void> => {
    if (!(error instanceof CatchingUp)) throw error;
    await instead();
  };
