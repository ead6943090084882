import { DAY } from '../../billing/calendar/instant.ts';
import { CreditGrant } from '../../db/entities/credit.ts';
import { creditBalances } from '../../db/sql/credit/balances.ts';
import { moveLives } from '../../db/sql/credit/move-lives.ts';
import { signContract } from '../../services/contract/sign.ts';
import { grantCredits } from '../../services/credit/grant.ts';
import { activateCustomer } from '../../services/customer/activate.ts';
import { freezeCustomer } from '../../services/customer/freeze.ts';
import { blankCustomer, insertCustomer } from '../../services/customer/save.ts';
import { insertMethod, listMethods, readDefault, selectDefault } from '../../services/payment/method.ts';
import { savePlan } from '../../services/plan/save.ts';
import { countedVendor } from '../support/counted-vendor.ts';
import { countingReads } from '../support/rows-read.ts';
import { flatPlan, signInput } from '../workflows/inputs.ts';

const own = countedVendor('Of many of everything');

const NOW = Date.UTC(2025, 5, 1);

async function madeCustomer(): Promise<string> {
  const customer = { ...blankCustomer(own.vendorId, null, NOW), name: 'Acme', status: 'active' as const };
  await own.db.transaction((tx) => insertCustomer(tx, customer, NOW));
  return customer.id;
}

describe('the payment methods of a customer with 1,200 of them', () => {
  /** Copies that were added later, a second after the one before. */
  const LATER = `insert into payment_method
    select (jsonb_populate_record(m, jsonb_build_object('id', m.id || '_' || lpad(n::text, 4, '0'), 'reference', m.reference || n,
      'created', m.created + n * interval '1 second'))).*
    from payment_method m, generate_series(1, 1200) n where m.customer_id = $1`;
  let customerId: string;
  let first: string;
  const listed = async (most?: number) => (await listMethods(own.db.em(), own.vendorId, customerId, most)).map(({ id }) => id);
  const choose = (id: string) => own.db.transaction((tx) => selectDefault(tx, own.vendorId, customerId, id));
  const later = (n: number): string => `${first}_${String(n).padStart(4, '0')}`;

  beforeAll(async () => {
    customerId = await madeCustomer();
    const details = { brand: 'visa', last4: '4242', expMonth: null, expYear: null };
    const card = { type: 'card' as const, details, holderName: null, reference: `sandbox_ok.${customerId}`, customerReference: null };
    const owner = { vendorId: own.vendorId, customerId, clockId: null, provider: 'sandbox' as const };
    first = (await own.db.transaction((tx) => insertMethod(tx, owner, card, NOW))) ?? '';
    await own.db.query(LATER, [customerId]);
  });

  it('are listed as the latest 1,000, oldest first', async () => {
    expect(await listed()).toEqual(Array.from({ length: 1_000 }, (_, n) => later(n + 201)));
  });

  it('have the default one among them, however old it is, which is read without the others', async () => {
    await choose(first);
    expect(await listed()).toEqual([first, ...Array.from({ length: 999 }, (_, n) => later(n + 202))]);
    expect((await readDefault(own.db.em(), own.vendorId, customerId))?.id).toBe(first);
    await choose(later(1_199));
    expect(await listed(2)).toEqual([later(1_199), later(1_200)]);
    await choose('none');
    expect(await readDefault(own.db.em(), own.vendorId, customerId)).toBeNull();
  });
});

describe('the end of a freeze', () => {
  it('writes the grants whose life it moves, and none of those that had ended before it', async () => {
    const customerId = await madeCustomer();
    const grant = (id: string, from: number, to: number | null, balance: string) =>
      own.db.query(
        `insert into credit_grant (id, vendor_id, customer_id, currency, kind, amount, balance, priority, effective_at, expires_at, created)
         values ($1, $2, $3, 'usd', 'promotional', 5, $4, 50, $5, $6, $5)`,
        [id, own.vendorId, customerId, balance, new Date(from), to === null ? null : new Date(to)],
      );
    await grant('Grant_ended', NOW - 9 * DAY, NOW - DAY, '0');
    await grant('Grant_waiting', NOW - 9 * DAY, NOW - DAY, '2');
    await grant('Grant_for_ever', NOW - 9 * DAY, null, '5');
    await grant('Grant_used', NOW - 9 * DAY, NOW + DAY, '0');
    await grant('Grant_lives', NOW - 9 * DAY, NOW + DAY, '5');
    await grant('Grant_to_come', NOW + DAY, NOW + 2 * DAY, '5');
    const versions = async () =>
      new Map((await own.db.query<{ id: string; v: string }>('select id, xmin::text as v from credit_grant')).map(({ id, v }) => [id, v]));
    const before = await versions();
    const moved = await own.db.transaction((tx) => moveLives(tx, customerId, { from: NOW, to: NOW + 3 * DAY }));
    const after = await versions();
    const expected = ['Grant_lives', 'Grant_to_come', 'Grant_used'];
    expect(moved.map(({ id }) => id).sort()).toEqual(expected);
    expect([...after].flatMap(([id, v]) => (before.get(id) === v ? [] : [id])).sort()).toEqual(expected);
    const ends = await own.db.em().find(CreditGrant, { id: expected }, { orderBy: { id: 'asc' } });
    expect(ends.map(({ effectiveAt, expiresAt }) => [effectiveAt, expiresAt])).toEqual([
      [NOW - 9 * DAY, NOW + 4 * DAY],
      [NOW + 4 * DAY, NOW + 5 * DAY],
      [NOW - 9 * DAY, NOW + 4 * DAY],
    ]);
  });
});

it('a freeze and its end read none of 2,000 lines that wait for a call', async () => {
  const customerId = await madeCustomer();
  const plan = flatPlan('10.00');
  const contractId = await own.db.transaction(async (tx) => {
    await savePlan(tx, own.vendorId, plan, NOW);
    return signContract(tx, { ...signInput(own.vendorId, customerId, plan.id), configuration: { invoiceTrigger: 'manual' } });
  });
  await own.db.query(
    `insert into invoice_item
     select (jsonb_populate_record(i, jsonb_build_object('id', i.id || '_' || n, 'charge_key', i.charge_key || ':' || n))).*
     from invoice_item i, generate_series(1, 2000) n where i.contract_id = $1`,
    [contractId],
  );
  const frozen = () => own.db.transaction((tx) => freezeCustomer(tx, own.vendorId, customerId, { notes: null }));
  const activated = () => own.db.transaction((tx) => activateCustomer(tx, own.vendorId, customerId, null));
  for (const write of [frozen, activated]) expect((await own.during(write)).rows).toBeLessThan(100);
});

it('the balance of prepaid credits counts what has begun, bought ones once they are paid, and reads no movement of them', async () => {
  const customerId = await madeCustomer();
  const usual = { priority: 50, expiresAt: null, features: null, plans: null, description: null };
  const grant = (amount: string, price: string | null, effectiveAt: number | null) => {
    const kind = price === null ? ('promotional' as const) : ('purchased' as const);
    return own.db.transaction((tx) =>
      grantCredits(tx, { ...usual, vendorId: own.vendorId, customerId, currency: 'usd', amount, kind, price, effectiveAt }),
    );
  };
  for (let n = 0; n < 20; n += 1) await grant('5', null, null);
  await grant('7', null, Date.now() + DAY);
  await grant('50', '45', null);
  const counting = countingReads(own.db, ['credit_movement']);
  expect(await creditBalances(counting, customerId, Date.now())).toEqual([{ currency: 'usd', settled: '100.00', begun: 20 }]);
  expect(counting.read).toBe(0);
});
