import { paysAllTheSame } from '../payments/gate-support.ts';
import { addsMethod, expectsPayments } from '../payments/support.ts';
import type { AnyJson } from '../support/api.ts';
import { withTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { readFigures } from '../support/figures.ts';
import { metered, plan, refused, story } from '../support/story.ts';
import type { StoryCustomer } from '../support/story-customer.ts';

const day = (date: string): string => `${date}T00:00:00Z`;

/** Buys credits and gives the id of the grant. */
async function buys(acme: StoryCustomer, amount: string, price: string, more: AnyJson = {}): Promise<string> {
  const body = { customer: await acme.id(), currency: 'usd', amount, price, kind: 'purchased', ...more };
  return acme.vendor.api.made('/v1/c/credit_grant', body);
}

const grantOf = ({ vendor }: StoryCustomer, id: string): Promise<AnyJson> => vendor.api.read(`/v1/c/credit_grant/${id}`);

/** What is left of a grant, and where it stands. */
async function standing(acme: StoryCustomer, id: string): Promise<string> {
  const { left, status } = await grantOf(acme, id);
  return `${left} ${status}`;
}

/** The attempt to pay the price of bought credits, once its provider has said that it takes time. */
const waitingAttempt = (acme: StoryCustomer, id: string): Promise<string> =>
  eventually(async () => {
    const { invoice_id } = await grantOf(acme, id);
    const find = 'select id from payment_attempt where invoice_id = $1 and ask_at is not null';
    const [attempt] = await withTestDatabase((db) => db.query<{ id: string }>(find, [invoice_id]));
    if (attempt === undefined) throw new Error(`no payment of ${id} is under way`);
    return attempt.id;
  });

async function eventsOf({ vendor }: StoryCustomer, id: string): Promise<string[]> {
  const { hits } = await vendor.api.read(`/v1/c/event?object=${id}`);
  return hits.map(({ type, data }: AnyJson) => [type.replace('v1.credit.', ''), data.amount, data.reason].filter(Boolean).join(' '));
}

const creditNote = async ({ vendor }: StoryCustomer, { invoice, invoice_items: [item] }: AnyJson, amount: string, to = 'wallet') =>
  vendor.api.post(`/v1/c/invoice/${invoice.id}/credit_note`, { items: [{ invoice_item_id: item.id, amount }], to });

const calls = plan('api', '0', { features: { calls: { price: metered('1') } } });

describe('bought credits', () => {
  story('100 for 80: an invoice of no contract; granted once it is paid, no revenue until used', async ({ on, acme, vendor }) => {
    await on('2025-01-01', () => acme.signs(calls));
    const id = await buys(acme, '100', '80');
    const bought = await grantOf(acme, id);
    expect(bought).toMatchObject({ kind: 'purchased', amount: '100.00', price: '80.00', left: '0.00', status: 'awaiting_payment' });
    const hit = await vendor.api.read(`/v1/c/invoice/${bought.invoice_id}`);
    expect(hit).toMatchObject({
      invoice: { contract_id: null, total: '80.00', due_date: '2025-01-01T00:00:00.000Z' },
      amount_due: '80.00',
    });
    expect(hit.invoice_items).toMatchObject([{ name: 'Prepaid credits', description: 'Credits of 100.00 USD', tax_amount: '0.00' }]);
    const { lines } = await vendor.api.read(`/v1/c/invoice/${bought.invoice_id}/explain`);
    expect(lines).toMatchObject([{ kind: 'credits', total_including_tax: '80.00', recomputed: { total_including_tax: '80.00' } }]);
    expect((await vendor.api.get(`/v1/c/invoice/${bought.invoice_id}/pdf`)).status).toBe(200);
    const figures = readFigures(vendor);
    await on('2025-01-10', () => acme.pays());
    expect(await grantOf(acme, id)).toMatchObject({ left: '100.00', status: 'active', effective_at: '2025-01-10T00:00:00.000Z' });
    expect(await figures.balances('2025-01-09')).toEqual({ 'receivable usd': '80.00', 'credits usd': '-80.00' });
    expect(await figures.balances('2025-01-10')).toMatchObject({
      ...{ 'receivable usd': '0.00', 'credits usd': '-100.00', 'promotions usd': '20.00', 'clearing usd': '80.00' },
    });
    await on('2025-01-15', () => acme.uses('calls', '30'));
    await on('2025-02-02');
    expect((await acme.invoicesOf('2025-02-01')).map(({ invoice, amount_due }) => [invoice.total, amount_due])).toEqual([
      ['30.00', '0.00'],
    ]);
    expect(await standing(acme, id)).toBe('70.00 active');
    expect(await figures.balances('2025-02-02')).toMatchObject({
      'credits usd': '-70.00',
      'revenue usd': '-30.00',
      'receivable usd': '0.00',
    });
    expect(await figures.revenue('2025-01-01', '2025-03-01')).toEqual(['2025-01 0.00 30.00 -30.00', '2025-02 30.00 0.00 0.00']);
    expect(await eventsOf(acme, id)).toEqual(['granted 100.00', 'used 30.00']);
  });

  story('what nobody has used of them is the vendor’s when it expires: 25 of 40', async ({ on, acme, vendor }) => {
    await on('2025-01-01', () => acme.signs(calls));
    const id = await buys(acme, '40', '40', { expires_at: day('2025-03-01') });
    await acme.pays();
    await on('2025-01-15', () => acme.uses('calls', '15'));
    await on('2025-03-02');
    expect(await standing(acme, id)).toBe('0.00 expired');
    expect(await readFigures(vendor).balances('2025-03-02')).toMatchObject({
      ...{ 'credits usd': '0.00', 'breakage usd': '-25.00', 'revenue usd': '-15.00' },
    });
  });

  story(
    'the wallet pays 30 and the card 50; gifts pay nothing of it, and what is open is paid by what was bought',
    async ({ on, acme }) => {
      await on('2025-01-01', () => acme.signs(plan('pro', '60')));
      await acme.vendor.api.made('/v1/c/credit_grant', {
        ...{ customer: await acme.id(), currency: 'usd', amount: '10', kind: 'promotional', effective_at: day('2025-01-02') },
      });
      await on('2025-01-05', () => acme.grants('90'));
      await acme.expectsWallet('30.00');
      await addsMethod(acme, 'sandbox_ok');
      await on('2025-01-06');
      const id = await buys(acme, '80', '80');
      await expectsPayments(acme, '2025-01-06', '2025-01-06 wallet succeeded 30.00', '2025-01-06 succeeded 50.00');
      expect(await standing(acme, id)).toBe('80.00 active');
      await on('2025-02-01');
      expect((await acme.invoicesOf('2025-02-01')).map(({ amount_due }) => amount_due)).toEqual(['0.00']);
      expect(await standing(acme, id)).toBe('30.00 active');
    },
  );

  story('declined: tried again after 1, 3, 5 and 7 days; then nothing is owed and nothing granted', async ({ on, acme }) => {
    await on('2025-01-01');
    await addsMethod(acme, 'sandbox_declined');
    const id = await buys(acme, '50', '50');
    await on('2025-01-07');
    expect(await standing(acme, id)).toBe('0.00 awaiting_payment');
    await on('2025-01-09');
    await expectsPayments(acme, '2025-01-01', ...['01', '02', '04', '06', '08'].map((date) => `2025-01-${date} failed declined 50.00`));
    expect(await standing(acme, id)).toBe('0.00 voided');
    await acme.expectsUnpaid('0.00');
    expect((await acme.invoices()).map(({ detailed_invoice_status }) => detailed_invoice_status)).toEqual(['canceled_unpaid_transaction']);
  });

  story('another method pays them between two retries; they are effective from then', async ({ on, acme }) => {
    await on('2025-01-01');
    await addsMethod(acme, 'sandbox_declined');
    const id = await buys(acme, '50', '50', { effective_at: day('2025-01-02') });
    await on('2025-01-03', () => addsMethod(acme, 'sandbox_ok'));
    await on('2025-01-04');
    expect(await grantOf(acme, id)).toMatchObject({ left: '50.00', status: 'active', effective_at: '2025-01-03T00:00:00.000Z' });
  });

  story(
    'a credit note takes the same share: of 100 for 80, 20.00 take 25; more than is unused is refused',
    async ({ on, acme, vendor }) => {
      await on('2025-01-01', () => acme.signs(calls));
      const id = await buys(acme, '100', '80');
      await acme.pays();
      const hit = await acme.vendor.api.read(`/v1/c/invoice/${(await grantOf(acme, id)).invoice_id}`);
      expect((await creditNote(acme, hit, '20')).status).toBe(201);
      expect(await standing(acme, id)).toBe('75.00 active');
      await acme.expectsWallet('20.00');
      await on('2025-01-15', () => acme.uses('calls', '70'));
      await on('2025-02-02');
      expect(await standing(acme, id)).toBe('5.00 active');
      const { status, body } = await creditNote(acme, hit, '60');
      expect({ status, code: body.code }).toEqual({ status: 409, code: 'credit_grant_state' });
      expect((await creditNote(acme, hit, '4', 'payment')).status).toBe(201);
      expect(await standing(acme, id)).toBe('0.00 used');
      expect(await eventsOf(acme, id)).toEqual(['granted 100.00', 'expired 25.00 refunded', 'used 70.00', 'expired 5.00 refunded']);
      expect(await readFigures(vendor).balances('2025-02-02')).toMatchObject({ 'credits usd': '0.00', 'promotions usd': '14.00' });
    },
  );

  story(
    'voided unused, their price is given back by notes: of 100 for 80, 30 are used, so that 56.00 take 70 and no more',
    async ({ on, acme, vendor }) => {
      await on('2025-01-01', () => acme.signs(calls));
      const id = await buys(acme, '100', '80');
      await acme.pays();
      await on('2025-01-15', () => acme.uses('calls', '30'));
      await on('2025-02-02', () => vendor.client.voidCreditGrant(id));
      const balances = () => readFigures(vendor).balances('2025-02-02');
      expect(await balances()).toMatchObject({ 'credits usd': '0.00', 'breakage usd': '-70.00', 'promotions usd': '20.00' });
      const hit = await vendor.api.read(`/v1/c/invoice/${(await grantOf(acme, id)).invoice_id}`);
      expect((await creditNote(acme, hit, '80')).body).toMatchObject({ code: 'credit_grant_state' });
      expect((await creditNote(acme, hit, '20')).status).toBe(201);
      expect(await balances()).toMatchObject({ 'credits usd': '0.00', 'breakage usd': '-45.00', 'promotions usd': '15.00' });
      expect((await creditNote(acme, hit, '36.80')).body).toMatchObject({ code: 'credit_grant_state' });
      const both = await Promise.all([creditNote(acme, hit, '36', 'payment'), creditNote(acme, hit, '36', 'payment')]);
      expect(both.map(({ status }) => status).sort()).toEqual([201, 400]);
      expect(await balances()).toMatchObject({
        ...{ 'credits usd': '0.00', 'breakage usd': '0.00', 'promotions usd': '6.00', 'revenue usd': '-30.00', 'receivable usd': '0.00' },
      });
      expect((await creditNote(acme, hit, '1')).body).toMatchObject({ code: 'credit_grant_state' });
      await acme.expectsWallet('20.00');
      expect(await standing(acme, id)).toBe('0.00 voided');
      expect(await eventsOf(acme, id)).toEqual([
        ...['granted 100.00', 'used 30.00', 'expired 70.00 voided'],
        ...['expired -25.00 voided', 'expired 25.00 refunded', 'expired -45.00 voided', 'expired 45.00 refunded'],
      ]);
    },
  );

  story('voided, 10 for 3 go back in three notes of 1.00: 3.33, 3.34 and the rest', async ({ on, acme, vendor }) => {
    await on('2025-01-01', () => acme.signs(calls));
    const id = await buys(acme, '10', '3');
    await acme.pays();
    await vendor.client.voidCreditGrant(id);
    const hit = await vendor.api.read(`/v1/c/invoice/${(await grantOf(acme, id)).invoice_id}`);
    for (let note = 1; note <= 3; note += 1) expect((await creditNote(acme, hit, '1')).status).toBe(201);
    expect((await creditNote(acme, hit, '1')).status).not.toBe(201);
    expect((await eventsOf(acme, id)).filter((event) => event.endsWith('refunded'))).toEqual([
      ...['expired 3.33 refunded', 'expired 3.34 refunded', 'expired 3.33 refunded'],
    ]);
    expect(await readFigures(vendor).balances('2025-01-01')).toMatchObject({
      ...{ 'credits usd': '0.00', 'breakage usd': '0.00', 'promotions usd': '0.00', 'wallet usd': '-3.00' },
    });
  });

  story('a note that takes less than a cent of the credits is booked: of 0.10 for 50, 1.00 takes none', async ({ on, acme, vendor }) => {
    await on('2025-01-01', () => acme.signs(calls));
    const id = await buys(acme, '0.10', '50');
    await acme.pays();
    const hit = await vendor.api.read(`/v1/c/invoice/${(await grantOf(acme, id)).invoice_id}`);
    expect((await creditNote(acme, hit, '1')).status).toBe(201);
    expect(await standing(acme, id)).toBe('0.10 active');
    expect(await readFigures(vendor).balances('2025-01-01')).toMatchObject({ 'credits usd': '-0.10', 'breakage usd': '-48.90' });
  });

  story('a note on unpaid ones lowers both: 30 of 60 leave 50 of 100 credits; the whole of it ends them', async ({ on, acme }) => {
    await on('2025-01-01');
    const id = await buys(acme, '100', '60');
    const [hit] = await acme.invoices();
    expect((await creditNote(acme, hit, '30')).status).toBe(201);
    expect(await grantOf(acme, id)).toMatchObject({ amount: '50.00', status: 'awaiting_payment' });
    const other = await buys(acme, '7', '7');
    await acme.pays();
    expect([await standing(acme, id), await standing(acme, other)]).toEqual(['50.00 active', '7.00 active']);
    const last = await buys(acme, '9', '9');
    const unpaid = await acme.vendor.api.read(`/v1/c/invoice/${(await grantOf(acme, last)).invoice_id}`);
    expect((await creditNote(acme, unpaid, '9')).status).toBe(201);
    expect(await standing(acme, last)).toBe('0.00 voided');
  });

  story('a note of 60 on 80, of which the wallet has paid 30, leaves 25 of 100 credits for 20', async ({ on, acme, vendor }) => {
    await on('2025-01-01', () => acme.grants('30'));
    const id = await buys(acme, '100', '80');
    const [hit] = await acme.invoices();
    expect(hit).toMatchObject({ amount_due: '50.00' });
    expect((await creditNote(acme, hit, '60')).status).toBe(201);
    expect(await standing(acme, id)).toBe('25.00 active');
    await acme.expectsWallet('10.00');
    expect(await readFigures(vendor).balances('2025-01-01')).toMatchObject({
      ...{ 'receivable usd': '0.00', 'credits usd': '-25.00', 'promotions usd': '5.00', 'wallet usd': '-10.00' },
    });
  });

  story('unpaid ones that are voided are owed no more; so it is at the end of their life', async ({ on, acme, vendor }) => {
    await on('2025-01-01');
    const id = await buys(acme, '50', '50');
    const late = await buys(acme, '20', '20', { expires_at: day('2025-02-01') });
    await acme.expectsUnpaid('70.00');
    await vendor.client.voidCreditGrant(id);
    await acme.expectsUnpaid('20.00');
    await refused(409, vendor.client.voidCreditGrant(id), 'credit_grant_state');
    await on('2025-02-02');
    expect([await standing(acme, id), await standing(acme, late)]).toEqual(['0.00 voided', '0.00 voided']);
    await acme.expectsUnpaid('0.00');
    expect(await readFigures(vendor).balances('2025-02-02')).toEqual({ 'receivable usd': '0.00', 'credits usd': '0.00' });
  });

  story(
    'where invoices are reviewed, theirs is too; voided it ends them, validated and paid it grants them',
    async ({ on, acme, vendor }) => {
      await on('2025-01-01');
      await acme.changesDetails({ configuration: { invoice_trigger: 'manual', net_days: 14 } } as never);
      const [first, second] = [await buys(acme, '50', '50'), await buys(acme, '60', '60')];
      const [one, other] = (await acme.invoices()).map(({ invoice }) => invoice);
      expect([one?.status, one?.due_date]).toEqual(['pending_validation', '2025-01-15T00:00:00.000Z']);
      await vendor.client.voidInvoice(one?.id ?? '');
      expect(await standing(acme, first)).toBe('0.00 voided');
      await vendor.client.validateInvoice(other?.id ?? '');
      await acme.pays();
      expect(await standing(acme, second)).toBe('60.00 active');
      const third = await buys(acme, '5', '5');
      await vendor.client.voidCreditGrant(third);
      expect(await standing(acme, third)).toBe('0.00 voided');
    },
  );

  story('a freeze moves a life that is paid in it, and one that waits for its payment', async ({ on, acme }) => {
    await on('2025-01-01');
    const paid = await buys(acme, '5', '5', { expires_at: day('2025-02-01') });
    const [hit] = await acme.invoices();
    const unpaid = await buys(acme, '6', '6', { expires_at: day('2025-02-01') });
    await on('2025-01-10', () => acme.freezes());
    await on('2025-01-20', () => acme.unfreezes());
    await acme.vendor.client.payInvoice(hit?.invoice.id ?? '', { method: 'manual' });
    await on('2025-02-05');
    expect([await standing(acme, paid), await standing(acme, unpaid)]).toEqual(['5.00 active', '0.00 awaiting_payment']);
    await on('2025-02-12');
    expect([await standing(acme, paid), await standing(acme, unpaid)]).toEqual(['0.00 expired', '0.00 voided']);
  });

  story(
    'paid in a freeze they begin with their payment, and pay nothing of before it; their end moves by the freeze',
    async ({ on, acme }) => {
      await on('2025-01-01', () => acme.signs(plan('pro', '30'), { automatic_payment: false }));
      await on('2025-01-09', () => addsMethod(acme, 'sandbox_slow'));
      const id = await buys(acme, '50', '50', { expires_at: day('2025-02-01') });
      const attempt = await waitingAttempt(acme, id);
      await acme.freezes();
      await on('2025-01-10', () => paysAllTheSame(attempt));
      expect(await grantOf(acme, id)).toMatchObject({ effective_at: '2025-01-10T00:00:00.000Z', status: 'active' });
      await on('2025-01-19', () => acme.unfreezes());
      expect(await grantOf(acme, id)).toMatchObject({
        ...{ effective_at: '2025-01-10T00:00:00.000Z', expires_at: '2025-02-11T00:00:00.000Z', left: '50.00', status: 'active' },
      });
      await acme.expectsUnpaid('30.00');
      await on('2025-02-10');
      expect(await standing(acme, id)).toBe('50.00 active');
      await on('2025-02-12');
      await acme.expectsUnpaid('60.00');
      expect(await standing(acme, id)).toBe('0.00 expired');
    },
  );

  story('a price is for bought ones alone, and without it they cost what they are worth', async ({ on, acme, vendor }) => {
    await on('2025-01-01');
    const body = { customer: await acme.id(), currency: 'usd', amount: '50', kind: 'promotional', price: '40' };
    expect((await vendor.api.post('/v1/c/credit_grant', body)).body.feedback).toMatchObject({ price: { type: 'error' } });
    const { status } = await vendor.api.post('/v1/c/credit_grant', { ...body, kind: 'purchased', price: '0' });
    expect(status).toBe(400);
    const id = await vendor.api.made<string>('/v1/c/credit_grant', { ...body, kind: 'purchased', price: null });
    expect(await grantOf(acme, id)).toMatchObject({ price: '50.00' });
  });

  story('voided before they are paid, they were never paid: no event says so', async ({ on, acme, vendor }) => {
    await on('2025-01-01', () => acme.signs(calls));
    const id = await buys(acme, '100', '80');
    const { invoice_id } = await grantOf(acme, id);
    await vendor.api.made(`/v1/c/credit_grant/${id}/void`);
    expect(await standing(acme, id)).toBe('0.00 voided');
    await acme.expectsUnpaid('0.00');
    expect(await eventsOf(acme, invoice_id)).toEqual(['v1.invoice.created']);
  });

  story('a surplus that pays for them has them pay the invoice of the same instant: 1.92 of 50.00', async ({ on, acme }) => {
    await on('2025-01-01', () => acme.signs(plan('pro', '50')));
    const yearly = plan('yearly', '1200', { cycle: 'year' });
    await acme.signs(yearly);
    await acme.pays();
    await on('2025-01-10');
    const id = await buys(acme, '2000', '1050');
    await acme.cancels('2025-02-01', { credit: true });
    await on('2025-02-01');
    await acme.expectsUnpaid('0.00');
    await acme.expectsWallet('0.00');
    expect(await standing(acme, id)).toBe('1998.08 active');
  });

  story('a surplus that pays for two purchases has them pay that invoice once: 1.92 of 50.00', async ({ on, acme }) => {
    await on('2025-01-01', () => acme.signs(plan('pro', '50')));
    await acme.signs(plan('yearly', '1200', { cycle: 'year' }));
    await acme.pays();
    await on('2025-01-10');
    const ids = [await buys(acme, '1000', '500'), await buys(acme, '1000', '550')];
    await acme.cancels('2025-02-01', { credit: true });
    await on('2025-02-01');
    await acme.expectsUnpaid('0.00');
    const left = await Promise.all(ids.map((id) => standing(acme, id)));
    expect(left.sort()).toEqual(['1000.00 active', '998.08 active']);
  });
});
