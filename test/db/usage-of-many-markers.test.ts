import { UsageCounter, UsageEvent } from '../../db/entities/usage.ts';
import { newId } from '../../db/id.ts';
import type { ReportedUsage } from '../../db/usage/event.ts';
import { signContract } from '../../services/contract/sign.ts';
import { blankCustomer, insertCustomer } from '../../services/customer/save.ts';
import { savePlan } from '../../services/plan/save.ts';
import { UsageIntake } from '../../services/usage/intake.ts';
import { createVendor } from '../../services/vendor-account/create.ts';
import { fairTimeOf } from '../support/fair-clock.ts';
import { type OwnDatabase, ownDatabase } from '../support/own-database.ts';
import { flatPlan, signInput } from '../workflows/inputs.ts';

// Markers of one customer are decided one behind the other, at most fifty in a transaction.

/** A slow machine, too, fills a transaction. */
const NO_END = Number.POSITIVE_INFINITY;

let own: OwnDatabase;
let vendor: Awaited<ReturnType<typeof createVendor>>;
beforeAll(async () => {
  own = await ownDatabase();
  vendor = await createVendor(own.db, 'markers');
});
afterAll(() => own?.drop());

async function customerWithCalls(): Promise<string> {
  const customer = { ...blankCustomer(vendor.vendorId, null, Date.now()), name: 'Acme', status: 'active' as const };
  const plan = flatPlan('10.00', { calls: '0.10' });
  await own.db.transaction(async (tx) => {
    await savePlan(tx, vendor.vendorId, plan, Date.now());
    await insertCustomer(tx, customer, Date.now());
    await signContract(tx, signInput(vendor.vendorId, customer.id, plan.id));
  });
  return customer.id;
}

const markers = (customerId: string, count: number, more: (n: number) => Partial<ReportedUsage> = () => ({})): ReportedUsage[] =>
  Array.from({ length: count }, (_, n) => ({
    ...{ id: newId('Evt'), vendorId: vendor.vendorId, keyId: vendor.keyId, customerId, slug: 'calls', units: String(n + 1) },
    ...{ isAbsolute: true, metadata: {}, timestamp: null, idempotencyKey: null, allowCorrection: false, ...more(n) },
  }));

const transactions = async (customerId: string): Promise<number[]> => {
  const rows = await own.db.query<{ n: number }>(
    'select count(*)::int as n from usage_event where customer_id = $1 group by xmin order by min(seq)',
    [customerId],
  );
  return rows.map(({ n }) => n);
};
const unitsOf = async (customerId: string): Promise<number[]> => {
  const events = await own.db.em().find(UsageEvent, { customerId }, { fields: ['contractId'], limit: 1 });
  const counters = await own.db.em().find(UsageCounter, { contractId: events[0]?.contractId ?? '' });
  return counters.map(({ units }) => Number(units));
};

it('120 markers are three transactions, and the last one counts; reported again under their keys each is known', async () => {
  const customerId = await customerWithCalls();
  const entries = markers(customerId, 120, (n) => ({ idempotencyKey: `marker-${n}` }));
  const intake = new UsageIntake(own.db, NO_END);
  expect(await intake.report(entries)).toEqual(entries.map(({ id }) => ({ id })));
  expect(await transactions(customerId)).toEqual([50, 50, 20]);
  expect(await unitsOf(customerId)).toEqual([120]);
  const again = entries.map((entry) => ({ ...entry, id: newId('Evt') }));
  expect(await intake.report(again)).toEqual(entries.map(({ id }) => ({ id })));
  expect(await own.db.em().count(UsageEvent, { customerId })).toBe(120);
});

it('a transaction whose time is up ends behind the event that it has begun, and the others follow in their order', async () => {
  const customerId = await customerWithCalls();
  const entries = markers(customerId, 5);
  expect(await new UsageIntake(own.db, 0).report(entries)).toEqual(entries.map(({ id }) => ({ id })));
  expect(await transactions(customerId)).toEqual([1, 1, 1, 1, 1]);
  expect(await unitsOf(customerId)).toEqual([5]);
});

it('one that is refused takes nobody with it: the others of its transaction are decided one by one', async () => {
  const customerId = await customerWithCalls();
  const tooFar = Date.now() + 3 * 3_600_000;
  const entries = markers(customerId, 60, (n) => (n === 20 ? { timestamp: tooFar } : {}));
  const results = await new UsageIntake(own.db, NO_END).report(entries);
  const refused = results.flatMap((one, at) => ('error' in one ? [[at, (one.error as { code?: string }).code]] : []));
  expect(refused).toEqual([[20, 'usage_in_future']]);
  expect(await transactions(customerId)).toEqual([...Array.from({ length: 49 }, () => 1), 10]);
  expect(await unitsOf(customerId)).toEqual([60]);
});

it('those of another feature, and what corrects closed usage, begin a transaction of their own', async () => {
  const customerId = await customerWithCalls();
  const entries = markers(customerId, 9, (n) => ({ ...(n === 3 ? { slug: 'unknown' } : {}), allowCorrection: n === 6 }));
  const results = await new UsageIntake(own.db, NO_END).report(entries);
  expect(results.map((one) => 'error' in one)).toEqual([false, false, false, true, false, false, false, false, false]);
  expect(await transactions(customerId)).toEqual([3, 2, 1, 2]);
});

it.each([
  ['they wait', {}],
  ['events that only count wait', { isAbsolute: false }],
])(
  'behind a locked contract %s for it once, and are answered in time',
  async (_, kind) => {
    const customerId = await customerWithCalls();
    const entries = markers(customerId, 3, () => kind);
    await own.db.transaction(async (tx) => {
      await tx.query('select from contract where customer_id = $1 for update', [customerId]);
      const waited = await fairTimeOf(async () => {
        const results = await new UsageIntake(own.db).report(entries);
        expect(results.map((one) => 'error' in one)).toEqual([true, true, true]);
      });
      expect(waited).toBeLessThan(6_000);
    });
    expect(await new UsageIntake(own.db).report(entries)).toEqual(entries.map(({ id }) => ({ id })));
  },
  30_000,
);
