import { HOUR } from '../../billing/calendar/instant.ts';
import type { Tx } from '../../db/connect.ts';
import { advanceBatch } from '../../services/contract/advance.ts';
import { cancelContract } from '../../services/contract/cancel.ts';
import { changeContract } from '../../services/contract/change.ts';
import { closeUsagePeriod } from '../../services/contract/close-usage-period.ts';
import { undo } from '../../services/contract/undo.ts';
import { upcomingInvoice } from '../../services/contract/upcoming-invoice.ts';
import { activateCustomer } from '../../services/customer/activate.ts';
import { freezeCustomer } from '../../services/customer/freeze.ts';
import { savePlan } from '../../services/plan/save.ts';
import { countedVendor } from '../support/counted-vendor.ts';
import { changeTo, flatPlan, NOW } from '../workflows/inputs.ts';
import { LeftOpen } from './left-open-kit.ts';

const own = countedVendor('Of periods that nobody closes');
const shop = new LeftOpen(own);

const [FEW, MANY] = [3, 1_000];

const inTransaction = (work: (tx: Tx) => Promise<unknown>) => () => own.db.transaction(work);

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

  it.each([
    ['that goes on', null],
    ['with an expiration', Date.now() + 100 * HOUR],
  ])('no step of one %s reads those, and each comes to the same as of one with few', async (_, expiration) => {
    const [few, many] = [await shop.signed(FEW, { expiration }), await shop.signed(MANY, { expiration })];
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
    expect([await shop.openOf(few.contract), await shop.openOf(many.contract)]).toEqual([FEW + 2, MANY + 2]);
  });

  const calls: [string, (of: { customer: string; contract: string; other: string }) => (tx: Tx) => Promise<unknown>][] = [
    [
      'a cancellation that waits',
      ({ contract }) =>
        (tx) =>
          cancelContract(
            tx,
            { vendorId: own.vendorId, contractId: contract },
            { when: { type: 'end_of_cycle' }, credit: false, notes: null },
          ),
    ],
    [
      'its undoing',
      ({ contract }) =>
        (tx) =>
          undo(tx, { vendorId: own.vendorId, contractId: contract }, 'cancel_undo'),
    ],
    [
      'a closing',
      ({ contract }) =>
        (tx) =>
          closeUsagePeriod(tx, { vendorId: own.vendorId, contractId: contract }, 1),
    ],
    [
      'a change',
      ({ contract, other }) =>
        (tx) =>
          changeContract(tx, { vendorId: own.vendorId, contractId: contract }, changeTo(other), null),
    ],
  ];

  it('no call reads those', async () => {
    const other = flatPlan('20.00', { calls: '0.10', cycle: 'hour' });
    await own.db.transaction((tx) => savePlan(tx, own.vendorId, other, Date.now()));
    const [few, many] = [await shop.signed(FEW), await shop.signed(MANY)];
    for (const [name, call] of calls) {
      const usual = await own.during(() => own.db.transaction(call({ ...few, other: other.id })));
      const done = await own.during(() => own.db.transaction(call({ ...many, other: other.id })));
      expect({ name, ...done }).toEqual({ name, ...usual });
    }
    const [moved] = await own.db.query('select status, usage_to_close from contract where id = $1', [many.contract]);
    expect(moved).toEqual({ status: 'moved', usage_to_close: true });
  });

  it('each is charged when it is closed, also once the contract has ended', async () => {
    const { contract } = await shop.signed(MANY);
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
