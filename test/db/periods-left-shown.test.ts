import { HOUR } from '../../billing/calendar/instant.ts';
import { dec, sum, text } from '../../billing/money/decimal.ts';
import type { Queryable } from '../../db/connect.ts';
import { newId } from '../../db/id.ts';
import { openPeriods } from '../../db/sql/contract/open-periods.ts';
import { customersWithRoom } from '../../db/sql/usage/customers-with-room.ts';
import { keepRoom, moneyState } from '../../db/sql/usage/keep-room.ts';
import { noteRoom } from '../../db/sql/usage/note-room.ts';
import { roomOfContracts } from '../../db/sql/usage/room-of-contracts.ts';
import { changeContract } from '../../services/contract/change.ts';
import { estimateCancellation } from '../../services/contract/estimate-cancel.ts';
import { ChangeEstimates } from '../../services/contract/estimate-change.ts';
import { savePlan } from '../../services/plan/save.ts';
import { openPartsOf } from '../../services/usage/open-parts.ts';
import { recordOne } from '../../services/usage/record-one.ts';
import { setLimit } from '../../services/usage-limit/set.ts';
import { countedVendor } from '../support/counted-vendor.ts';
import { countingReads } from '../support/rows-read.ts';
import { changeTo, flatPlan, NOW } from '../workflows/inputs.ts';
import { LeftOpen } from './left-open-kit.ts';

const own = countedVendor('Of many periods to show');
const shop = new LeftOpen(own);

const MANY = 1_000;
/** As docs/decisions/usage-periods-nobody-closes.md says, where a period has one price. */
const [SHOWN, COUNTED, WITH_ROOM] = [1_000, 20_001, 3];

const call = (contractId: string) => ({ vendorId: own.vendorId, contractId });
const units = (from: number, to: number): string[] => Array.from({ length: to - from + 1 }, (_, n) => String(from + n));
/** At 0.10 a call. */
const amountOf = (some: readonly string[]): string => sum(some.map((one) => dec(one).times('0.1'))).toFixed(2);

async function otherPlan(): Promise<string> {
  const plan = flatPlan('20.00', { calls: '0.20', cycle: 'hour' });
  await shop.inOne((tx) => savePlan(tx, own.vendorId, plan, Date.now()));
  return plan.id;
}

describe('of usage periods that wait for a caller', () => {
  it.each([
    [3, units(1, 3)],
    [SHOWN, units(1, SHOWN)],
    [1_200, units(1_200 - SHOWN + 1, 1_200)],
  ])('an estimate of a change shows the latest thousand, where %i wait, and the change is made as it says', async (left, shown) => {
    const { contract } = await shop.signed(left);
    const input = changeTo(await otherPlan());
    const estimates: Awaited<ReturnType<ChangeEstimates['estimate']>>[] = [];
    const { rows } = await own.during(async () =>
      estimates.push(await new ChangeEstimates(own.db).estimate(own.vendorId, contract, input)),
    );
    expect(rows).toBeLessThanOrEqual(2 * SHOWN + 60);
    const [estimate] = estimates;
    if (estimate === undefined) throw new Error('nothing was estimated');
    const { remainsToPay, newContractId } = estimate.plan;
    const lines = remainsToPay.flatMap((one) => one.lines).filter(({ kind }) => kind === 'usage');
    // the running period is divided: its part without calls costs nothing
    expect(lines.map((line) => text(dec(line.unitCount))).filter((one) => one !== '0')).toEqual(shown);
    expect(sum(lines.map(({ subtotal }) => dec(subtotal))).toFixed(2)).toBe(amountOf(shown));
    expect(await shop.inOne((tx) => changeContract(tx, call(contract), input, estimate.basis))).toBe(newContractId);
    expect(await shop.openOf(contract)).toBe(left + 1);
  });

  it.each([3, 2_500, 21_000])(
    'an estimate of a cancellation counts %i, up to twenty thousand, and those of contracts before it',
    async (left) => {
      const { contract } = await shop.signed(left);
      const counted = amountOf(units(Math.max(1, left - COUNTED + 1), left));
      const estimate = (of: string) => estimateCancellation(own.db, call(of), { when: NOW, credit: false, notes: null });
      expect((await estimate(contract)).usage).toBe(counted);
      const other = await otherPlan();
      const changed = await shop.inOne((tx) => changeContract(tx, call(contract), changeTo(other), null));
      // the part of the running period before the change waits too, and is the latest
      const before = amountOf(units(Math.max(1, left - COUNTED + 2), left));
      expect((await estimate(changed)).usage).toBe(before);
    },
    60_000,
  );
});

describe(`usage under a limit of money, where ${MANY} usage periods wait for a caller`, () => {
  const slug = 'calls';
  const signed = async () => {
    const one = await shop.signed(MANY);
    const limit = { vendorId: own.vendorId, customerId: one.customer, slug, amount: '120.00', units: null, window: 'period' as const };
    await shop.inOne((tx) => setLimit(tx, { ...limit, action: 'refuse' }));
    return one;
  };
  /** Reports calls in the middle of the period of that number. */
  async function reports(customerId: string, idx: number, calls: number): Promise<unknown> {
    const [key] = await own.db.query<{ id: string }>('select id from api_key where vendor_id = $1', [own.vendorId]);
    const timestamp = Date.now() - (MANY + 0.5 - idx) * HOUR;
    const event = { id: newId('Evt'), vendorId: own.vendorId, keyId: key?.id ?? '', customerId, slug, units: String(calls) };
    const more = { isAbsolute: false, timestamp, allowCorrection: false, metadata: {}, idempotencyKey: null };
    const recorded = await recordOne(own.db, { ...event, ...more }, 5_000);
    return 'error' in recorded ? (recorded.error as { code?: string }).code : 'recorded';
  }

  it('is refused at the limit in each of them, whether room is known of it or not', async () => {
    const { customer, contract } = await signed();
    for (const idx of [10, MANY - 10, MANY - 1]) {
      const left = 1_200 - idx;
      expect([await reports(customer, idx, left), await reports(customer, idx, 1)]).toEqual(['recorded', 'limit_reached']);
    }
    const [room] = await own.db.query<{ rooms: object }>('select rooms from usage_room where customer_id = $1', [customer]);
    const known = Object.keys(room?.rooms ?? {}).map((name) => Number(name.split(' ')[1]));
    expect(known.filter((idx) => idx <= MANY).toSorted((a, b) => a - b)).toEqual(units(MANY - WITH_ROOM + 1, MANY).map(Number));
    expect(contract).toBeDefined();
  });

  it('has few rows read for it', async () => {
    const { customer, contract } = await signed();
    await own.db.query('vacuum analyze usage_period, usage_counter');
    const count = (look: (db: Queryable) => Promise<unknown>) => async () => {
      const counting = countingReads(own.db, ['usage_period', 'usage_counter']);
      await look(counting);
      return counting.read;
    };
    const added = { contractId: contract, idx: MANY, slug, units: '1', at: Date.now() - HOUR };
    const rooms = units(MANY - WITH_ROOM + 1, MANY).map((idx) => ({ contractId: contract, idx: Number(idx), slug, units: '5' }));
    const state = await moneyState(own.db, customer);
    expect(await count((db) => moneyState(db, customer))()).toBeLessThanOrEqual(4);
    expect(await count((db) => keepRoom(db, { customerId: customer, state, now: Date.now(), since: null, rooms }))()).toBeLessThanOrEqual(
      12,
    );
    expect(await count((db) => customersWithRoom(db, [customer], [added]))()).toBeLessThanOrEqual(12);
    expect([...(await customersWithRoom(own.db, [customer], [added]))]).toEqual([customer]);
    expect([...(await customersWithRoom(own.db, [customer], [{ ...added, units: '6' }]))]).toEqual([]);
    expect([...(await customersWithRoom(own.db, [customer], [{ ...added, idx: 10 }]))]).toEqual([]);
    expect(await count((db) => openPeriods(db, new Map([[contract, WITH_ROOM]])))()).toBeLessThanOrEqual(6);
    const { rows } = await own.during(() => shop.inOne((tx) => openPartsOf(tx, customer)));
    expect(rows).toBeLessThanOrEqual(16);
  });
});

it(`under an invoice threshold few rows say whether usage has room, where ${MANY} usage periods wait for a caller`, async () => {
  const configuration = { usagePeriodClosingPolicy: 'manual' as const, invoiceThreshold: '100000.00' };
  const { customer, contract } = await shop.signed(MANY, { configuration });
  await own.db.query('vacuum analyze usage_period, usage_counter');
  const place = { contractId: contract, idx: MANY, slug: 'calls' };
  await noteRoom(own.db, [{ ...place, units: '5' }]);
  const counting = countingReads(own.db, ['usage_period', 'usage_counter']);
  expect(await roomOfContracts(counting, [customer], [{ ...place, units: '5' }])).toEqual([{ customerId: customer, hasRoom: true }]);
  expect(counting.read).toBeLessThanOrEqual(12);
  for (const more of [
    { ...place, units: '6' },
    { ...place, idx: 10, units: '1' },
  ])
    expect(await roomOfContracts(own.db, [customer], [more])).toEqual([{ customerId: customer, hasRoom: false }]);
});
