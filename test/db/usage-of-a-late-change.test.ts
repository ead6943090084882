import { usagePeriodAt } from '../../billing/contract/period/periods.ts';
import { UsageCounter, UsageEvent } from '../../db/entities/usage.ts';
import { contractsByIds } from '../../db/sql/contract/by-ids.ts';
import { insertPeriods } from '../../db/sql/usage/insert-periods.ts';
import { markPeriod } from '../../db/sql/usage/mark-period.ts';
import type { Tx } from '../../db/transaction.ts';
import { recountUsage } from '../../db/usage/count.ts';
import { createClock } from '../../services/clock/create.ts';
import { advanceBatch } from '../../services/contract/advance.ts';
import { changeContract } from '../../services/contract/change.ts';
import { signContract } from '../../services/contract/sign.ts';
import { blankCustomer, insertCustomer } from '../../services/customer/save.ts';
import { savePlan } from '../../services/plan/save.ts';
import { countedVendor } from '../support/counted-vendor.ts';
import { changeTo, flatPlan, signInput } from '../workflows/inputs.ts';

const at = (date: string): number => Date.parse(`${date}Z`);
const BEGAN = at('2025-06-01T00:00');
const CHANGE = at('2025-06-10T00:00');
const LATE = at('2025-07-05T00:00');

/** Events of one unit, one a second from an instant on. */
const EVENTS = `
  insert into usage_event (id, vendor_id, customer_id, contract_id, period_idx, feature_slug, units, timestamp, arrived_at, metadata)
  select 'Evt_' || $3 || '_' || n, c.vendor_id, c.customer_id, c.id, $2::int, 'calls', 1, $4::timestamptz + n * interval '1 second',
    $4::timestamptz + n * interval '1 second', '{}'
  from contract c, generate_series(1, $5::int) n where c.id = $1`;
const COUNTED = `
  insert into usage_counter (contract_id, period_idx, feature_slug, units, events, own_units, own_events, listed, latest_at)
  select contract_id, period_idx, feature_slug, sum(units), count(*), sum(units), count(*), count(*), max(timestamp)
  from usage_event where contract_id = $1 group by 1, 2, 3`;

const own = countedVendor('late change');

const stretch = (tx: Tx, contractId: string, idx: number, from: string, events: number) =>
  tx.query(EVENTS, [contractId, idx, `${contractId}_${idx}_${from}`, new Date(at(from)).toISOString(), events]);

/**
 * A contract of which nothing was carried out since 1 June: on 10 June it was to change to another price, 500 events
 * were reported before, and `events` each in June and in July since.
 */
async function lateWith(events: number): Promise<string> {
  const [small, large] = [flatPlan('10.00', { calls: '0.10' }), flatPlan('20.00', { calls: '0.20' })];
  return own.db.transaction(async (tx) => {
    const clockId = await createClock(tx, { vendorId: own.vendorId, name: null, now: BEGAN });
    const customer = { ...blankCustomer(own.vendorId, clockId, BEGAN), name: 'Acme', status: 'active' as const };
    await savePlan(tx, own.vendorId, small, BEGAN);
    await savePlan(tx, own.vendorId, large, BEGAN);
    await insertCustomer(tx, customer, BEGAN);
    const contractId = await signContract(tx, signInput(own.vendorId, customer.id, small.id));
    const change = changeTo(large.id, { activation: { type: 'date', date: CHANGE } });
    await changeContract(tx, { vendorId: own.vendorId, contractId }, change, null);
    const [contract] = await contractsByIds(tx, [contractId]);
    if (contract === undefined) throw new Error('the contract was not signed');
    await insertPeriods(tx, [usagePeriodAt(contract, [], at('2025-07-01T00:00'))]);
    await stretch(tx, contractId, 1, '2025-06-09T00:00', 500);
    await stretch(tx, contractId, 1, '2025-06-20T00:00', events);
    await stretch(tx, contractId, 2, '2025-07-01T00:00', events);
    await tx.query(COUNTED, [contractId]);
    return contractId;
  });
}

const advanced = (contractId: string, after: (tx: Tx) => Promise<void> = async () => undefined) =>
  own.db.transaction(async (tx) => {
    const { parked } = await advanceBatch(tx, [contractId], LATE);
    expect(parked).toEqual([]);
    await after(tx);
  });

const successorOf = async (contractId: string): Promise<string> => (await contractsByIds(own.db, [contractId]))[0]?.successorId ?? '';
const countersOf = async (contractId: string) => {
  const found = await own.db.em().find(UsageCounter, { contractId }, { orderBy: { periodIdx: 'asc' } });
  return found.map(({ periodIdx, ownUnits, ownEvents, listed }) => [periodIdx, ...[ownUnits, ownEvents, listed].map(Number)]);
};
const eventsOf = async (contractId: string) =>
  Promise.all([1, 2].map((periodIdx) => own.db.em().count(UsageEvent, { contractId, periodIdx })));
const usageOf = async (contractId: string) => {
  const lines = await own.db.query<{ subtotal: string }>(
    `select subtotal::text from invoice_item where contract_id = $1 and kind = 'usage' order by created`,
    [contractId],
  );
  return lines.map(({ subtotal }) => subtotal);
};

it.each([10, 25_000])('of a change that is carried out late, twice %i later events go to the new contract, each once', async (events) => {
  const old = await lateWith(events);
  const done = await own.during(() => advanced(old));
  const fresh = await successorOf(old);
  expect(await eventsOf(old)).toEqual([500, 0]);
  expect(await eventsOf(fresh)).toEqual([events, events]);
  expect(await countersOf(old)).toEqual([
    [1, 500, 500, 500],
    [2, 0, 0, 0],
  ]);
  expect(await countersOf(fresh)).toEqual([
    [1, events, events, events],
    [2, events, events, events],
  ]);
  // none of the events is read: some statements for each ten thousand of them
  expect(done.rows).toBeLessThan(400);
  expect(done.statements).toBeLessThan(400);
  await advanced(fresh);
  expect([await usageOf(old), await usageOf(fresh)]).toEqual([['50.00'], [(events * 0.2).toFixed(2)]]);
});

it('a change that breaks off behind its events leaves them where they were, and the next try moves each once', async () => {
  const old = await lateWith(12_000);
  const broken = new Error('the process is killed');
  await expect(
    advanced(old, () => {
      throw broken;
    }),
  ).rejects.toBe(broken);
  expect(await eventsOf(old)).toEqual([12_500, 12_000]);
  expect(await countersOf(old)).toEqual([
    [1, 12_500, 12_500, 12_500],
    [2, 12_000, 12_000, 12_000],
  ]);
  await advanced(old);
  await advanced(old);
  const fresh = await successorOf(old);
  expect([await eventsOf(old), await eventsOf(fresh)]).toEqual([
    [500, 0],
    [12_000, 12_000],
  ]);
  expect(await countersOf(fresh)).toEqual([
    [1, 12_000, 12_000, 12_000],
    [2, 12_000, 12_000, 12_000],
  ]);
});

it('a marker among more events than one statement moves sets the count of the new contract, and of the old one no more', async () => {
  const old = await lateWith(12_000);
  await own.db.transaction(async (tx) => {
    const { affectedRows } = await tx.em
      .createQueryBuilder(UsageEvent)
      .update({ isAbsolute: true, units: '7' })
      .where({ id: `Evt_${old}_1_2025-06-20T00:00_11000` })
      .execute();
    expect(affectedRows).toBe(1);
    await markPeriod(tx, { contractId: old, idx: 1 });
    await recountUsage(tx, { contractId: old, idx: 1, slug: 'calls' });
  });
  await advanced(old);
  const fresh = await successorOf(old);
  expect(await countersOf(old)).toEqual([
    [1, 500, 500, 500],
    [2, 0, 0, 0],
  ]);
  // 7 units of the marker, and what came with its instant or later
  expect(await countersOf(fresh)).toEqual([
    [1, 1_007, 1_001, 12_000],
    [2, 12_000, 12_000, 12_000],
  ]);
  await advanced(fresh);
  // a marker of m stands for the whole billing period: nothing is given back of the 500 before the change
  expect(await usageOf(fresh)).toEqual(['200.00']);
});
