import { HOUR } from '../../billing/calendar/instant.ts';
import type { Tx } from '../../db/connect.ts';
import { advanceBatch } from '../../services/contract/advance.ts';
import { cancelContract } from '../../services/contract/cancel.ts';
import { closeUsagePeriod } from '../../services/contract/close-usage-period.ts';
import { signContract } from '../../services/contract/sign.ts';
import { upcomingInvoice } from '../../services/contract/upcoming-invoice.ts';
import { activateCustomer } from '../../services/customer/activate.ts';
import { freezeCustomer } from '../../services/customer/freeze.ts';
import { blankCustomer, insertCustomer } from '../../services/customer/save.ts';
import { savePlan } from '../../services/plan/save.ts';
import { countedVendor } from '../support/counted-vendor.ts';
import { flatPlan, NOW, signInput } from '../workflows/inputs.ts';

const own = countedVendor('Of periods that nobody closes');

const [FEW, MANY] = [3, 1_000];

/** Of the hours before the running one, each with as many calls as its number says. */
const LEFT = `
  insert into usage_period
  select (jsonb_populate_record(p, jsonb_build_object('idx', p.idx - n, 'status', 'closing',
    'start_at', p.start_at - n * interval '1 hour', 'end_at', p.start_at - (n - 1) * interval '1 hour',
    'usage_from', p.usage_from - n * interval '1 hour', 'usage_until', p.usage_from - (n - 1) * interval '1 hour'))).*
  from usage_period p, generate_series(1, $2::int) n where p.contract_id = $1`;
const COUNTED = `
  insert into usage_counter (contract_id, period_idx, feature_slug, units, events, own_units, own_events, listed)
  select contract_id, idx, 'calls', idx, 1, idx, 1, 1 from usage_period where contract_id = $1 and status = 'closing'`;
const AGED = `
  update contract set current_idx = current_idx + $2, start_at = start_at - $2 * interval '1 hour', began = began - $2 * interval '1 hour',
    activation = activation - $2 * interval '1 hour' where id = $1`;

/** An hourly contract whose usage periods only a caller closes, and of which that many have ended. */
async function signed(left: number): Promise<{ customer: string; contract: string }> {
  const now = Date.now();
  const customer = { ...blankCustomer(own.vendorId, null, now), name: 'Acme', status: 'active' as const };
  const plan = flatPlan('10.00', { calls: '0.10', cycle: 'hour' });
  const contract = await own.db.transaction(async (tx) => {
    await savePlan(tx, own.vendorId, plan, now);
    await insertCustomer(tx, customer, now);
    const configuration = { usagePeriodClosingPolicy: 'manual' as const };
    return signContract(tx, { ...signInput(own.vendorId, customer.id, plan.id), configuration });
  });
  await own.db.query('update usage_period set idx = idx + $2 where contract_id = $1', [contract, left]);
  await own.db.query(AGED, [contract, left]);
  await own.db.query(LEFT, [contract, left]);
  await own.db.query(COUNTED, [contract]);
  return { customer: customer.id, contract };
}

const inTransaction = (work: (tx: Tx) => Promise<unknown>) => () => own.db.transaction(work);
const openOf = async (contract: string): Promise<number> => {
  const [row] = await own.db.query<{ n: number }>(
    `select count(*)::int as n from usage_period where contract_id = $1 and status <> 'closed'`,
    [contract],
  );
  return row?.n ?? 0;
};

describe(`of a contract with ${MANY} usage periods that nobody closes`, () => {
  const steps: [string, (of: { customer: string; contract: string }) => () => Promise<unknown>][] = [
    ['a rollover', ({ contract }) => inTransaction((tx) => advanceBatch(tx, [contract], Date.now() + HOUR + 60_000))],
    [
      'an upcoming invoice',
      ({ contract }) =>
        () =>
          upcomingInvoice(own.db, own.vendorId, contract),
    ],
    ['a freeze', ({ customer }) => inTransaction((tx) => freezeCustomer(tx, own.vendorId, customer, { notes: null }))],
    ['its end', ({ customer }) => inTransaction((tx) => activateCustomer(tx, own.vendorId, customer, null))],
  ];

  it('no step reads those, and each comes to the same as of one with few', async () => {
    const [few, many] = [await signed(FEW), await signed(MANY)];
    for (const [name, step] of steps) {
      const usual = await own.during(step(few));
      const done = await own.during(step(many));
      expect({ name, ...done }).toEqual({ name, ...usual });
    }
    const made = (contract: string) =>
      own.db.query(
        'select kind, source, trim_scale(unit_count)::text as units, trim_scale(total_excluding_tax)::text as total from invoice_item where contract_id = $1 order by id',
        [contract],
      );
    expect(await made(many.contract)).toEqual(await made(few.contract));
    expect(await made(many.contract)).toHaveLength(2);
    expect([await openOf(few.contract), await openOf(many.contract)]).toEqual([FEW + 2, MANY + 2]);
  });

  it('each is charged when it is closed, also once the contract has ended', async () => {
    const { contract } = await signed(MANY);
    const call = { vendorId: own.vendorId, contractId: contract };
    await own.db.transaction((tx) => closeUsagePeriod(tx, call, MANY / 2));
    await own.db.transaction((tx) => cancelContract(tx, call, { when: NOW, credit: false, notes: null }));
    const [ended] = await own.db.query('select status, usage_to_close from contract where id = $1', [contract]);
    expect(ended).toEqual({ status: 'canceled', usage_to_close: true });
    await own.db.transaction((tx) => closeUsagePeriod(tx, call, 10));
    const charged = await own.db.query(
      `select period_idx, trim_scale(unit_count)::text as units, trim_scale(total_excluding_tax)::text as total from invoice_item where contract_id = $1 and kind = 'usage' order by period_idx`,
      [contract],
    );
    expect(charged).toEqual([
      { period_idx: 10, units: '10', total: '1' },
      { period_idx: MANY / 2, units: String(MANY / 2), total: String(MANY / 20) },
    ]);
  });
});
