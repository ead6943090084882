import { connect, type Database, type Tx } from '../../db/connect.ts';
import { checkLedger } from '../../db/sql/ledger/check.ts';
import { signContract } from '../../services/contract/sign.ts';
import { carryOutExpiry } from '../../services/credit/carry-out-expiry.ts';
import { voidGrant } from '../../services/credit/grant.ts';
import { createCreditNote } from '../../services/credit-note/create.ts';
import { activateCustomer } from '../../services/customer/activate.ts';
import { freezeCustomer } from '../../services/customer/freeze.ts';
import { payOnRequest } from '../../services/payment/pay.ts';
import { grant } from '../../services/wallet/grant.ts';
import { flatPrice } from '../api/support.ts';
import type { AnyJson } from '../support/api.ts';
import { clockOf } from '../support/clock.ts';
import { eventually } from '../support/eventually.ts';
import { waitingFor } from '../support/locks.ts';
import { rounds } from '../support/runs.ts';
import { servers } from '../support/servers.ts';
import { newVendor, type TestVendor } from '../support/vendor.ts';

const HOUR = 3_600_000;

let db: Database;
let vendor: TestVendor;
const plans: string[] = [];
beforeAll(async () => {
  db = await connect({ databaseUrl: (await servers()).databaseUrl, databasePool: 12 });
  vendor = await newVendor();
  for (const slug of ['small', 'large']) {
    const pricings = ['usd', 'eur'].map((currency) => ({ currency, cycle: 'month', price: flatPrice('30.00'), features: {} }));
    plans.push(await vendor.api.made('/v1/c/plan', { slug, internal_name: slug, strategy: 'plan', features: [], pricings }));
  }
});
afterAll(() => db.close());

const newCustomer = (): Promise<string> => vendor.api.made('/v1/c/customer', { name: 'Ada' });

/** Credits of 100.00 that await their payment. */
async function bought(customer: string): Promise<{ grantId: string; invoiceId: string }> {
  const grantId: string = await vendor.api.made('/v1/c/credit_grant', { customer, currency: 'usd', amount: '100', kind: 'purchased' });
  return { grantId, invoiceId: (await vendor.api.read(`/v1/c/credit_grant/${grantId}`)).invoice_id };
}

const signs = (customer: string, plan: string, currency = 'usd') =>
  vendor.api.made<string>('/v1/c/contract', { customer, plan, currency, cycle: 'month' });

/** A sale in a transaction of this process, which nothing cuts off. */
const sale = (customerId: string, planId: string) =>
  db.transaction((tx) =>
    signContract(tx, {
      ...{ vendorId: vendor.vendorId, customerId, planId, pricing: { pricingId: null, currency: 'usd' as const, cycle: 'month' as const } },
      ...{ overrides: {}, discountId: null, activation: null, isPending: false, expiration: null, trialDays: null, freeCycles: null },
      ...{ offset: null, configuration: {}, changeRules: {}, pauseRules: {} },
    } as Parameters<typeof signContract>[1]),
  );

const payment = (invoiceId: string) =>
  db.transaction((tx) => payOnRequest(tx, vendor.vendorId, invoiceId, { method: 'manual', reference: null }, () => undefined));

/**
 * Begins the first while a row that it needs late is locked, and the second when the first waits there; lets both go on
 * when the second has ended, or waits for the first.
 */
async function inTheMidstOf(
  hold: (tx: Tx) => Promise<unknown>,
  first: () => Promise<unknown>,
  second: () => Promise<unknown>,
): Promise<void> {
  const begun: Promise<unknown>[] = [];
  await db.transaction(async (tx) => {
    await hold(tx);
    begun.push(first());
    await eventually(async () => expect(await waitingFor(tx, db)).toBe(1));
    let hasEnded = false;
    begun.push(second().finally(() => (hasEnded = true)));
    await eventually(async () => expect(hasEnded || (await waitingFor(tx, db)) === 2).toBe(true));
  });
  await Promise.all(begun);
}

const openOf = async (customer: string): Promise<string[]> =>
  (await vendor.api.read(`/v1/c/invoice?customer=${customer}`)).hits.map(({ amount_due }: AnyJson) => amount_due);

/** On a clock that stands still, so that what is signed beside a payment lies in the life of the credits. */
async function timeless(): Promise<string> {
  const { id: test_clock } = await clockOf(vendor, '2025-01-01T00:00:00Z');
  return vendor.api.made('/v1/c/customer', { name: 'Ada', test_clock });
}

describe('credits that are paid while the customer is billed pay the invoice: 30.00 of 100.00', () => {
  it('where the invoice is all but committed', async () => {
    const customer = await timeless();
    const { grantId, invoiceId } = await bought(customer);
    await inTheMidstOf(
      (tx) => tx.query('select vendor_id from invoice_counter where vendor_id = $1 for update', [vendor.vendorId]),
      () => sale(customer, plans[0] ?? ''),
      () => payment(invoiceId),
    );
    expect(await openOf(customer)).toEqual(['0.00', '0.00']);
    expect(await vendor.api.read(`/v1/c/credit_grant/${grantId}`)).toMatchObject({ left: '70.00', status: 'active' });
  });

  it('where the payment is all but committed', async () => {
    const customer = await timeless();
    await signs(customer, plans[1] ?? '');
    const { grantId, invoiceId } = await bought(customer);
    await inTheMidstOf(
      (tx) => tx.query('select id from invoice where customer_id = $1 and contract_id is not null for update', [customer]),
      () => payment(invoiceId),
      () => sale(customer, plans[0] ?? ''),
    );
    expect(await openOf(customer)).toEqual(['0.00', '0.00', '0.00']);
    expect(await vendor.api.read(`/v1/c/credit_grant/${grantId}`)).toMatchObject({ left: '40.00', status: 'active' });
  });
});

/** The first money of a customer, in a transaction of this process. */
const firstMoney = (customerId: string) => {
  const { vendorId } = vendor;
  const given = { currency: 'usd' as const, amount: '100', description: 'a present', at: Date.now() };
  return db.transaction((tx) => grant(tx, { vendorId, customerId, ...given }));
};

const balanceOf = async (customer: string): Promise<string[]> =>
  (await vendor.api.read(`/v1/c/customer/${customer}/wallet`)).balances.map(({ balance }: AnyJson) => balance);

describe('the first money of a customer who is billed at the same moment pays the invoice: 30.00 of 100.00', () => {
  it('where the invoice is all but committed', async () => {
    await signs(await newCustomer(), plans[0] ?? '');
    const customer = await newCustomer();
    await inTheMidstOf(
      (tx) => tx.query('select vendor_id from invoice_counter where vendor_id = $1 for update', [vendor.vendorId]),
      () => sale(customer, plans[0] ?? ''),
      () => firstMoney(customer),
    );
    expect(await openOf(customer)).toEqual(['0.00']);
    expect(await balanceOf(customer)).toEqual(['70.00']);
  });

  it('where the money is all but committed', async () => {
    const customer = await newCustomer();
    await signs(customer, plans[1] ?? '');
    await inTheMidstOf(
      (tx) => tx.query('select id from invoice where customer_id = $1 for update', [customer]),
      () => firstMoney(customer),
      () => sale(customer, plans[0] ?? ''),
    );
    expect(await openOf(customer)).toEqual(['0.00', '0.00']);
    expect(await balanceOf(customer)).toEqual(['40.00']);
  });
});

/** A customer with a contract in each currency, paid by credits, and more: two have ended, two can be voided. */
async function entangled() {
  const customer = await newCustomer();
  const gives = (currency: string, amount: string, more: AnyJson = {}) =>
    vendor.api.made<string>('/v1/c/credit_grant', { customer, currency, amount, kind: 'promotional', ...more });
  for (const currency of ['usd', 'eur']) await gives(currency, '60', { priority: 0 });
  await signs(customer, plans[0] ?? '');
  await signs(customer, plans[1] ?? '', 'eur');
  const toVoid = [await gives('eur', '7'), await gives('usd', '7')];
  const soon = { expires_at: new Date(Date.now() + HOUR).toISOString(), priority: 90 };
  const ended = [await gives('usd', '3', soon), await gives('eur', '3', soon)];
  const { hits } = await vendor.api.read(`/v1/c/invoice?customer=${customer}`);
  const past = new Date(Date.now() - 1_000).toISOString();
  await db.query('update credit_grant set expires_at = $2 where id = any($1::text[])', [ended, past]);
  await db.query('update agenda set due_at = $2 where subject = any($1::text[])', [ended, past]);
  return { customer, toVoid, ended, invoices: hits as AnyJson[] };
}

const ROUNDS = Array.from({ length: rounds(3, 40) }, (_, round) => round);

it.each(ROUNDS)(
  'use, expiry, voids, credit notes and a freeze of one customer wait for each other without a deadlock (round %i)',
  async () => {
    const { customer, toVoid, ended, invoices } = await entangled();
    const { vendorId } = vendor;
    let begun = 0;
    const refused: unknown[] = [];
    const run = (work: (tx: Tx) => Promise<unknown>, by: 'caller' | 'timer' = 'caller') =>
      db
        .transaction(
          (tx) => {
            begun += 1;
            return work(tx);
          },
          { by },
        )
        .catch((error: unknown) => void refused.push(error));
    const money = (currency: 'usd' | 'eur') => ({
      vendorId,
      customerId: customer,
      currency,
      amount: '1',
      description: 'a present',
      at: Date.now(),
    });
    const note =
      ({ invoice, invoice_items: [item] }: AnyJson) =>
      (tx: Tx) =>
        createCreditNote(tx, vendorId, invoice.id, { items: [{ lineId: item.id, amount: '5' }], to: 'wallet', notes: null });
    const works = [
      ...toVoid.map((id) => run((tx) => voidGrant(tx, vendorId, id))),
      ...invoices.map((one) => run(note(one))),
      run((tx) => carryOutExpiry(tx, customer, Date.now()), 'timer'),
      ...(['usd', 'eur', 'usd', 'eur'] as const).map((currency) => run((tx) => grant(tx, money(currency)))),
      run((tx) => freezeCustomer(tx, vendorId, customer, { notes: null, resumeAt: null })),
      run((tx) => activateCustomer(tx, vendorId, customer, null)),
    ];
    await Promise.all(works);
    expect(begun).toBe(works.length);
    expect(refused.map((error) => (error as AnyJson).code).filter((code) => code !== 'customer_frozen')).toEqual([]);
    await run((tx) => activateCustomer(tx, vendorId, customer, null));
    await run((tx) => carryOutExpiry(tx, customer, Date.now() + HOUR), 'timer');
    const { hits } = await vendor.api.read(`/v1/c/credit_grant?customer=${customer}`);
    const gone = hits.filter(({ id }: AnyJson) => ended.includes(id)).map(({ status, left }: AnyJson) => `${left} ${status}`);
    expect(gone).toEqual(['0.00 expired', '0.00 expired']);
    expect(await checkLedger(db, vendor.vendorId)).toEqual([]);
  },
);
