import type { Contract } from '../../billing/contract/types.ts';
import { isUnitPriced, isUsagePriced } from '../../billing/pricing/price.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { Database, Tx } from '../../db/connect.ts';
import { type ContractRecordRow, toContract } from '../../db/mapping/contract.ts';
import { insertRows, stamp } from '../../db/rows.ts';
import { recountUsage } from '../../db/usage/recount.ts';
import { AHEAD_MS, type Recorded, type ReportedUsage } from '../../db/usage/event.ts';
import { type LockedCustomer, lockCustomer } from '../customer/lock.ts';
import { correctUsage } from './correct.ts';
import { type LockedPeriod, lockPeriodAt } from './period.ts';

/** Decides on one event with everything that may matter: repeats, markers, corrections, periods without a row, refusals. */
export async function recordOne(db: Database, entry: ReportedUsage): Promise<Recorded> {
  try {
    return { id: await db.transaction((tx) => record(tx, entry)) };
  } catch (error) {
    if (isRefusal(error)) return { error };
    throw error;
  }
}

const isRefusal = (error: unknown): boolean => error instanceof Refusal;

async function record(tx: Tx, entry: ReportedUsage): Promise<string> {
  const repeat = await findRepeat(tx, entry);
  if (repeat !== null) return repeat;
  const customer = await lockCustomer(tx, entry.vendorId, entry.customerId);
  const at = entry.timestamp ?? customer.now;
  if (at > customer.now + AHEAD_MS) {
    const limit = `is more than an hour ahead of the customer’s time, ${new Date(customer.now).toISOString()}`;
    throw new Refusal('usage_in_future', `the timestamp ${limit}`, { timestamp: limit });
  }
  if (isFrozenAt(customer, at))
    throw new Refusal('usage_while_frozen', 'the customer was frozen at that time', { timestamp: 'lies in a freeze' });
  const contract = await contractAt(tx, entry, at);
  const period = await lockPeriodAt(tx, contract, customer, at, entry.slug);
  if (period.closed && !entry.allowCorrection) {
    const { idx, contractId } = period.charging;
    throw new Refusal(
      'period_closed',
      `usage period ${idx} of ${contractId} is closed: set allow_correction to bill the difference on the next invoice`,
      {
        timestamp: 'lies in a closed period; with allow_correction the difference is billed on the next invoice',
      },
    );
  }
  if (!(await insert(tx, entry, contract, period, at, customer.now))) {
    return (await findRepeat(tx, entry)) ?? entry.id;
  }
  await count(tx, entry, contract, period, customer.now);
  return entry.id;
}

const isFrozenAt = ({ pauses }: LockedCustomer, at: number): boolean =>
  pauses.some(({ from, to }) => from <= at && (to === null || at < to));

interface StoredRow {
  id: string;
  customer_id: string;
  feature_slug: string;
  units: string;
  is_absolute: boolean;
  timestamp: number;
}

/** The event reported under the same key before; another event under it is refused. */
async function findRepeat(tx: Tx, entry: ReportedUsage): Promise<string | null> {
  if (entry.idempotencyKey === null) return null;
  const [row] = await tx.query<StoredRow & { original: string | null }>(
    `select e.id, e.customer_id, e.feature_slug, e.units, e.is_absolute, e.timestamp,
       (select h.units_before from usage_event_history h where h.event_id = e.id order by h.id limit 1) as original
     from usage_event e where e.vendor_id = $1 and e.idempotency_key = $2`,
    [entry.vendorId, entry.idempotencyKey],
  );
  if (row === undefined) return null;
  const same =
    row.customer_id === entry.customerId &&
    row.feature_slug === entry.slug &&
    (row.original ?? row.units) === entry.units &&
    row.is_absolute === entry.isAbsolute &&
    (entry.timestamp === null || row.timestamp === entry.timestamp);
  if (!same) throw new Refusal('idempotency_key_reused', 'the key was used for another event');
  return row.id;
}

/**
 * The customer's contract that sells the feature and was the live one at an instant. Held while it is chosen: a change that commits meanwhile
 * is waited for, and its successor is found by looking once more. What may correct closed usage holds it as whoever writes it does, at once: two
 * that held it `for key share` and wanted more later would wait for each other.
 */
async function contractAt(tx: Tx, entry: ReportedUsage, at: number): Promise<Contract> {
  await contractsWith(tx, entry);
  return chosen(await contractsWith(tx, entry), entry, at);
}

/** Youngest first. */
async function contractsWith(tx: Tx, entry: ReportedUsage): Promise<ContractRecordRow[]> {
  const rows = await tx.query<ContractRecordRow>(
    `select * from contract where customer_id = $1 and not is_successor
       and terms->'features' @> jsonb_build_array(jsonb_build_object('slug', $2::text))
     order by id ${entry.allowCorrection ? 'for update' : 'for key share'}`,
    [entry.customerId, entry.slug],
  );
  return rows.sort((a, b) => b.created - a.created || (a.id < b.id ? 1 : -1));
}

function chosen(rows: readonly ContractRecordRow[], entry: ReportedUsage, at: number): Contract {
  if (rows.length === 0)
    throw new Refusal('feature_not_found', `no contract has the feature ${entry.slug}`, { feature_slug: 'is not known' });
  const counted = rows.map(toContract).filter((contract) => takesUsage(contract, entry.slug));
  if (counted.length === 0) {
    throw new Refusal('feature_not_usage_priced', `the feature ${entry.slug} has no usage price`, { feature_slug: 'has no usage price' });
  }
  const lived = counted.find(({ began, ended }) => began !== null && began <= at && (ended === null || at < ended));
  if (lived === undefined) {
    throw new Refusal('usage_outside_contract', 'no contract was live at that time', { timestamp: 'lies outside of the contract' });
  }
  return lived;
}

/** Reported units of bought ones are shown, those of usage prices are charged too. */
function takesUsage({ terms }: Contract, slug: string): boolean {
  const price = terms.features.find((feature) => feature.slug === slug)?.price ?? null;
  return price !== null && (isUsagePriced(price) || isUnitPriced(price));
}

async function insert(tx: Tx, entry: ReportedUsage, contract: Contract, period: LockedPeriod, at: number, now: number): Promise<boolean> {
  const rows = await insertRows(
    tx,
    'usage_event',
    [
      {
        id: entry.id,
        vendor_id: entry.vendorId,
        customer_id: entry.customerId,
        contract_id: contract.id,
        period_idx: period.idx,
        feature_slug: entry.slug,
        units: entry.units,
        is_absolute: entry.isAbsolute,
        timestamp: stamp(at),
        arrived_at: stamp(now),
        metadata: entry.metadata,
        idempotency_key: entry.idempotencyKey,
        allow_correction: entry.allowCorrection,
        corrected: period.closed,
      },
    ],
    'on conflict (vendor_id, idempotency_key) do nothing returning id',
  );
  return rows.length > 0;
}

async function count(tx: Tx, entry: ReportedUsage, contract: Contract, period: LockedPeriod, now: number): Promise<void> {
  if (entry.isAbsolute)
    await tx.query('update usage_period set marked = true where contract_id = $1 and idx = $2', [contract.id, period.idx]);
  const key = { contractId: contract.id, idx: period.idx, slug: entry.slug };
  await recountUsage(tx, key);
  if (period.closed) await correctUsage(tx, { ...period.charging, slug: entry.slug }, entry.id, now);
}
