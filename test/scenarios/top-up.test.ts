import { changesBehindGate, paysAllTheSame } from '../payments/gate-support.ts';
import { addsMethod, expectsSoundLedger } from '../payments/support.ts';
import type { AnyJson } from '../support/api.ts';
import { withTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { readFigures } from '../support/figures.ts';
import { metered, plan, refused, story } from '../support/story.ts';
import type { StoryCustomer } from '../support/story-customer.ts';

const calls = plan('api', '0', { features: { calls: { price: metered('1') } } });

/** 50 credits for 45 whenever less than 10 are left, at most twice a month. */
const TERMS = { currency: 'usd' as const, below: '10', amount: '50', price: '45', at_most_per_month: '90' };

const topUp = async (acme: StoryCustomer, terms: AnyJson = {}): Promise<string> =>
  acme.vendor.api.made(`/v1/c/customer/${await acme.id()}/top_up`, { ...TERMS, ...terms });

const gives = async (acme: StoryCustomer, amount: string, more: AnyJson = {}): Promise<string> =>
  acme.vendor.api.made('/v1/c/credit_grant', { customer: await acme.id(), currency: 'usd', amount, kind: 'promotional', ...more });

const creditOf = async (acme: StoryCustomer): Promise<AnyJson> =>
  acme.vendor.api.read(`/v1/c/customer/${await acme.id()}/credit?currency=usd`);

/** What top-ups have bought so far, with what is left of it, once the live balance is this. */
async function expectsBought(acme: StoryCustomer, live: string, ...bought: string[]): Promise<void> {
  await eventually(async () => {
    const credit = await creditOf(acme);
    const found = credit.grants
      .filter(({ kind }: AnyJson) => kind === 'purchased')
      .map(({ price, status }: AnyJson) => `${price} ${status}`);
    expect({ live: credit.live, found }).toEqual({ live, found: bought });
  });
}

/** How the top-up stands, as "stopped payment_declined 2025-01-03T00:00:00.000Z". */
async function standingOf(acme: StoryCustomer): Promise<string> {
  const { hits } = await acme.vendor.api.read(`/v1/c/customer/${await acme.id()}/top_up`);
  return hits.map((one: AnyJson) => [one.status, one.stopped_reason, one.stopped_at].filter((word) => word !== null).join(' ')).join();
}

const THREE = ['45.00 voided', '45.00 voided', '45.00 voided'];

/** A top-up that three declines have stopped, on 3 January. */
async function stops(on: (at: string) => Promise<unknown>, acme: StoryCustomer): Promise<void> {
  await topUp(acme);
  await expectsBought(acme, '0.00', '45.00 voided');
  await on('2025-01-02T12:00:00Z');
  await expectsBought(acme, '0.00', '45.00 voided', '45.00 voided');
  expect(await standingOf(acme)).toBe('active');
  await on('2025-01-04');
  await expectsBought(acme, '0.00', ...THREE);
  expect(await standingOf(acme)).toBe('stopped payment_declined 2025-01-03T00:00:00.000Z');
}

describe('a top-up', () => {
  story('is paid at once, also where other invoices wait for a review and a fortnight', async ({ on, acme }) => {
    await on('2025-01-01', () => acme.signs(calls));
    await acme.changesDetails({ configuration: { invoice_trigger: 'manual', net_days: 14, automatic_payment: false } } as never);
    await addsMethod(acme, 'sandbox_ok');
    await gives(acme, '5');
    await topUp(acme);
    await expectsBought(acme, '55.00', '45.00 active');
  });

  story('is paid at once, also where invoices below 500 wait until more is owed', async ({ on, acme, vendor }) => {
    await vendor.api.made('/v1/c/preferences/payment', { payment_threshold: { usd: '500' } });
    await on('2025-01-01', () => acme.signs(calls));
    await addsMethod(acme, 'sandbox_ok');
    await topUp(acme);
    await expectsBought(acme, '50.00', '45.00 active');
  });

  story('buys 50 for 45 when usage leaves 9 of 20, and nothing while 10 are left', async ({ on, acme, vendor }) => {
    await on('2025-01-01', () => acme.signs(calls));
    await addsMethod(acme, 'sandbox_ok');
    await gives(acme, '20');
    const id = await topUp(acme);
    await on('2025-01-05', () => acme.uses('calls', '10'));
    await on('2025-01-06');
    await expectsBought(acme, '10.00');
    await acme.uses('calls', '1');
    await expectsBought(acme, '59.00', '45.00 active');
    const [bought] = (await creditOf(acme)).grants.filter(({ kind }: AnyJson) => kind === 'purchased');
    expect(await vendor.api.read(`/v1/c/invoice/${bought.invoice_id}`)).toMatchObject({
      ...{ invoice: { contract_id: null, total: '45.00', status: 'paid', date: '2025-01-06T00:00:00.000Z' } },
    });
    await on('2025-02-02');
    expect(await readFigures(vendor).balances('2025-02-02')).toMatchObject({
      ...{ 'receivable usd': '0.00', 'credits usd': '-59.00', 'revenue usd': '-11.00', 'promotions usd': '25.00', 'clearing usd': '45.00' },
    });
    const customer = await acme.id();
    const { hits } = await vendor.api.read(`/v1/c/customer/${customer}/top_up`);
    expect(hits).toMatchObject([{ id, below: '10.00', amount: '50.00', price: '45.00', at_most_per_month: '90.00', paused_until: null }]);
    expect((await vendor.api.post(`/v1/c/customer/${customer}/top_up/${id}/delete`)).status).toBe(200);
    expect((await vendor.api.post(`/v1/c/customer/${customer}/top_up/${id}/delete`)).status).toBe(404);
    const audit = await vendor.api.read(`/v1/c/audit?object=${id}`);
    expect(audit.hits.at(-1)).toMatchObject({
      action: 'delete_top_up',
      before: { currency: 'usd', below: '10.00', price: '45.00' },
      after: null,
    });
    await acme.uses('calls', '55');
    await on('2025-03-05');
    await expectsBought(acme, '4.00', '45.00 active');
  });

  story('spends at most 90 in a month: the third purchase comes on 1 February', async ({ on, acme }) => {
    await on('2025-01-01', () => acme.signs(calls));
    await addsMethod(acme, 'sandbox_ok');
    await topUp(acme);
    await expectsBought(acme, '50.00', '45.00 active');
    await on('2025-01-10', () => acme.uses('calls', '45'));
    await on('2025-01-11');
    await expectsBought(acme, '55.00', '45.00 active', '45.00 active');
    await acme.uses('calls', '50');
    await on('2025-01-31');
    await expectsBought(acme, '5.00', '45.00 active', '45.00 active');
    await on('2025-02-02');
    await expectsBought(acme, '55.00', '45.00 used', '45.00 active', '45.00 active');
    await acme.expectsUnpaid('0.00');
  });

  story('declined it owes nothing and tries again a day later, not sooner', async ({ on, acme, vendor }) => {
    await on('2025-01-01', () => acme.signs(calls));
    await addsMethod(acme, 'sandbox_declined');
    const id = await topUp(acme);
    await expectsBought(acme, '0.00', '45.00 voided');
    await acme.expectsUnpaid('0.00');
    const { hits } = await vendor.api.read(`/v1/c/customer/${await acme.id()}/top_up`);
    expect(hits).toMatchObject([{ id, paused_until: '2025-01-02T00:00:00.000Z' }]);
    await addsMethod(acme, 'sandbox_ok');
    await topUp(acme, { below: '11' });
    await on('2025-01-01T23:59:59Z', () => acme.uses('calls', '1'));
    await expectsBought(acme, '0.00', '45.00 voided');
    await on('2025-01-02');
    await expectsBought(acme, '50.00', '45.00 voided', '45.00 active');
  });

  story(
    'stops at the third decline in a row: no fourth try in six days of use, and another method buys at once',
    async ({ on, acme, vendor }) => {
      await on('2025-01-01', () => acme.signs(calls));
      await addsMethod(acme, 'sandbox_declined');
      await stops(on, acme);
      for (const day of ['05', '06', '07', '08', '09', '10']) {
        await on(`2025-01-${day}`, () => acme.uses('calls', '1'));
        await expectsBought(acme, '0.00', ...THREE);
      }
      await acme.expectsUnpaid('0.00');
      await addsMethod(acme, 'sandbox_ok');
      await expectsBought(acme, '49.00', ...THREE, '45.00 active');
      expect(await standingOf(acme)).toBe('active');
      await on('2025-01-12');
      await expectsBought(acme, '49.00', ...THREE, '45.00 active');
      expect(await readFigures(vendor).balances('2025-01-12')).toMatchObject({ 'clearing usd': '45.00' });
      await expectsSoundLedger(vendor);
    },
  );

  story('that was stopped tries again when it is set again, and stops at the third decline from then on', async ({ on, acme }) => {
    await on('2025-01-01', () => acme.signs(calls));
    await addsMethod(acme, 'sandbox_declined');
    await stops(on, acme);
    await topUp(acme);
    await expectsBought(acme, '0.00', ...THREE, '45.00 voided');
    expect(await standingOf(acme)).toBe('active');
    await on('2025-01-20');
    await expectsBought(acme, '0.00', ...THREE, ...THREE);
    expect(await standingOf(acme)).toBe('stopped payment_declined 2025-01-06T00:00:00.000Z');
  });

  story('that was stopped tries again when an invoice of 15 is paid with another card', async ({ on, acme, vendor }) => {
    await on('2025-01-01');
    await addsMethod(acme, 'sandbox_declined');
    const good = await addsMethod(acme, 'sandbox_ok', { detach_previous_on_success: false });
    await acme.signs(plan('pro', '15'));
    await stops(on, acme);
    const [owed] = await acme.invoicesOf('2025-01-01');
    await vendor.api.made(`/v1/c/invoice/${owed?.invoice.id}/pay`, { method: good });
    await expectsBought(acme, '0.00', ...THREE, '45.00 voided');
    expect(await standingOf(acme)).toBe('active');
    await acme.expectsUnpaid('0.00');
    await expectsSoundLedger(vendor);
  });

  const small = plan('small', '30', { features: { calls: { price: metered('1') } } });
  const large = plan('large', '60', { features: { calls: { price: metered('1') } } });

  /** A top-up of a customer on the small plan that has stopped, with 5.00 left for calls. */
  async function stopsAtFive(on: (at: string, act?: () => unknown) => Promise<unknown>, acme: StoryCustomer): Promise<void> {
    await on('2025-01-01', () => addsMethod(acme, 'sandbox_ok'));
    await acme.signs(small);
    await eventually(() => acme.expectsUnpaid('0.00'));
    await gives(acme, '20', { applies_to: { features: ['calls'] } });
    const id = await topUp(acme);
    await withTestDatabase((db) =>
      db.query(`update credit_top_up set declines = 3, stopped_at = '2025-01-01T00:00:00Z' where id = $1`, [id]),
    );
    await on('2025-01-02', () => acme.uses('calls', '15'));
    await on('2025-01-03');
    await expectsBought(acme, '5.00');
  }

  story('that was stopped tries again when a change behind a payment gate is paid', async ({ on, acme, vendor }) => {
    await stopsAtFive(on, acme);
    expect((await changesBehindGate(acme, large)).status).toBe(200);
    await expectsBought(acme, '55.00', '45.00 active');
    expect(await standingOf(acme)).toBe('active');
    await expectsSoundLedger(vendor);
  });

  /** The charges of a customer, the oldest first. */
  const chargesOf = async (acme: StoryCustomer, status: string): Promise<string[]> => {
    const customerId = await acme.id();
    const read = 'select id from payment_attempt where customer_id = $1 and status = $2 and amount = 45 order by created, id';
    return (await withTestDatabase((db) => db.query<{ id: string }>(read, [customerId, status]))).map(({ id }) => id);
  };

  story(
    'whose declined 45 is taken all the same in a freeze gives it to the wallet; at the end that pays 15, and 30 of the next purchase',
    async ({ on, acme, vendor }) => {
      await on('2025-01-01', () => addsMethod(acme, 'sandbox_declined'));
      await acme.signs(plan('pro', '15'));
      await topUp(acme);
      await expectsBought(acme, '0.00', '45.00 voided');
      await on('2025-01-01T12:00:00Z', () => acme.freezes());
      const [declined = ''] = await chargesOf(acme, 'failed');
      await paysAllTheSame(declined);
      await acme.expectsWallet('45.00');
      await acme.expectsUnpaid('15.00');
      await on('2025-01-05');
      await expectsBought(acme, '0.00', '45.00 voided');
      await acme.unfreezes();
      await acme.expectsUnpaid('0.00');
      await expectsBought(acme, '0.00', '45.00 voided', '45.00 voided');
      await acme.expectsWallet('30.00');
      await addsMethod(acme, 'sandbox_ok');
      await on('2025-01-07');
      await expectsBought(acme, '50.00', '45.00 voided', '45.00 voided', '45.00 active');
      await acme.expectsWallet('0.00');
      expect(await readFigures(vendor).balances('2025-01-07')).toMatchObject({
        ...{ 'clearing usd': '60.00', 'credits usd': '-50.00', 'receivable usd': '0.00', 'promotions usd': '5.00' },
      });
      await expectsSoundLedger(vendor);
    },
  );

  story('whose purchase is paid in a freeze has its credits pay from its beginning on: 15 of 50', async ({ on, acme, vendor }) => {
    await on('2025-01-01', () => acme.signs(plan('pro', '15'), { automatic_payment: false }));
    await addsMethod(acme, 'sandbox_slow');
    await topUp(acme);
    await expectsBought(acme, '0.00', '45.00 awaiting_payment');
    await eventually(async () => expect(await chargesOf(acme, 'processing')).toHaveLength(1));
    await on('2025-01-01T12:00:00Z', () => acme.freezes());
    const [slow = ''] = await chargesOf(acme, 'processing');
    await paysAllTheSame(slow);
    await expectsBought(acme, '50.00', '45.00 active');
    await acme.expectsUnpaid('15.00');
    await on('2025-01-05', () => acme.unfreezes());
    await acme.expectsUnpaid('15.00');
    await on('2025-02-06');
    await expectsBought(acme, '35.00', '45.00 active');
    await acme.expectsUnpaid('15.00');
    await expectsSoundLedger(vendor);
  });

  story('buys what an expiry and an invoice have taken, and one thing at a time', async ({ on, acme }) => {
    await on('2025-01-01', () => acme.signs(plan('pro', '15')));
    await acme.pays();
    await gives(acme, '12', { expires_at: '2025-01-20T00:00:00Z' });
    await topUp(acme);
    await on('2025-01-19');
    await expectsBought(acme, '12.00');
    await on('2025-01-21');
    await expectsBought(acme, '0.00', '45.00 awaiting_payment');
    await on('2025-02-05');
    await expectsBought(acme, '0.00', '45.00 awaiting_payment');
    await addsMethod(acme, 'sandbox_ok');
    await expectsBought(acme, '50.00', '45.00 active');
    await on('2025-04-05');
    await expectsBought(acme, '20.00', '45.00 active');
    await on('2025-05-05');
    await expectsBought(acme, '55.00', '45.00 active', '45.00 active');
  });

  story('buys nothing in a freeze, and looks again at its end', async ({ on, acme }) => {
    await on('2025-01-01', () => acme.signs(calls));
    await addsMethod(acme, 'sandbox_ok');
    await gives(acme, '30');
    await topUp(acme);
    await on('2025-01-05', () => acme.freezes());
    await on('2025-01-10', () => acme.unfreezes());
    await on('2025-01-11', () => acme.uses('calls', '25'));
    await expectsBought(acme, '55.00', '45.00 active');
  });

  story('looks by itself at the end of a freeze in which the next month has begun', async ({ on, acme }) => {
    await on('2025-01-01', () => acme.signs(calls));
    await addsMethod(acme, 'sandbox_ok');
    await topUp(acme, { at_most_per_month: '45' });
    await expectsBought(acme, '50.00', '45.00 active');
    await on('2025-01-10', () => acme.uses('calls', '45'));
    await on('2025-01-20', () => acme.freezes());
    await on('2025-02-10');
    await expectsBought(acme, '5.00', '45.00 active');
    await acme.unfreezes();
    await expectsBought(acme, '55.00', '45.00 active', '45.00 active');
  });

  story('costs no more in one go than in a month, and replaces the one before', async ({ on, acme, vendor }) => {
    await on('2025-01-01');
    await refused(400, topUp(acme, { at_most_per_month: '44.99' }));
    await refused(400, topUp(acme, { price: '0' }));
    const id = await topUp(acme);
    expect(await topUp(acme, { below: '7' })).toBe(id);
    const { hits } = await vendor.api.read(`/v1/c/customer/${await acme.id()}/top_up`);
    expect(hits.map(({ below }: AnyJson) => below)).toEqual(['7.00']);
  });
});
