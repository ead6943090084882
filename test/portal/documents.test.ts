import type { AnyJson } from '../support/api.ts';
import { type ClockHandle, clockOf } from '../support/clock.ts';
import { eventually } from '../support/eventually.ts';
import { CustomerInPortal } from '../support/portal-visitor.ts';
import { newVendor, type TestVendor } from '../support/vendor.ts';

/** The invoices that a list names, in its order. */
const invoicesIn = (text: string): number[] => [...text.matchAll(/Invoice (\d+) PDF/g)].map(([, number]) => Number(number));
const olderOf = (page: string): string => (/href="(\/portal[^"]*after=[^"]*)"/.exec(page)?.[1] ?? '').replaceAll('&amp;', '&');

describe('documents and payments in the portal', () => {
  let vendor: TestVendor;
  let clock: ClockHandle;
  let customer: string;
  let visitor: CustomerInPortal;

  beforeAll(async () => {
    vendor = await newVendor('Daily News');
    clock = await clockOf(vendor, '2025-01-01T00:00:00Z');
    customer = await vendor.api.made('/v1/c/customer', { name: 'Ada Lovelace', test_clock: clock.id });
    await vendor.api.made(`/v1/c/customer/${customer}/activate`, {});
    const plan = await vendor.api.made('/v1/c/plan', {
      slug: 'news',
      internal_name: 'News',
      strategy: 'plan',
      features: [],
      pricings: [
        { currency: 'eur', cycle: 'day', price: { amount: '2.00', strategy_details: { pricing_strategy: 'flat' } }, features: {} },
      ],
    });
    const { token } = await vendor.api.made<AnyJson>(`/v1/c/customer/${customer}/payment/session`, { provider: 'sandbox' });
    await vendor.api.made(`/v1/c/payment/session/${token}/confirm`, { payment_method: 'sandbox_ok' });
    await vendor.api.made('/v1/c/contract', { customer, plan, currency: 'eur', cycle: 'day' });
    await clock.advanceTo('2025-01-29T12:00:00Z');
    visitor = await CustomerInPortal.enter(vendor, customer);
  });

  const invoiceNumbered = async (number: number): Promise<AnyJson> => {
    const { hits } = await vendor.api.read(`/v1/c/invoice?customer=${customer}&limit=100`);
    return hits.find(({ invoice }: AnyJson) => invoice.invoice_number.number === String(number));
  };

  it('lists 29 invoices on two pages, newest first, each once', async () => {
    const first = await visitor.html('/portal/invoices');
    expect(invoicesIn(await visitor.text('/portal/invoices'))).toEqual(Array.from({ length: 25 }, (_, at) => 29 - at));
    expect(first).toContain('>Older</a>');
    expect(first).not.toContain('>Newest</a>');
    const second = await visitor.html(olderOf(first));
    expect(invoicesIn(await visitor.text(olderOf(first)))).toEqual([4, 3, 2, 1]);
    expect(second).toContain('href="/portal/invoices">Newest</a>');
    expect(second).not.toContain('>Older</a>');
  });

  it('begins at the head of the list for a place that nobody was given', async () => {
    expect(invoicesIn(await visitor.text('/portal/invoices?after=1.Inv_x&show=nothing'))).toHaveLength(25);
  });

  it('shows a credit note with its invoice, and gives its PDF to its own customer alone', async () => {
    const { invoice, invoice_items } = await invoiceNumbered(28);
    const items = [{ invoice_item_id: invoice_items[0].id, amount: '0.50' }];
    const note = await vendor.api.made<AnyJson>(`/v1/c/invoice/${invoice.id}/credit_note`, { items, to: 'wallet' });
    const id = typeof note === 'string' ? note : note.id;
    expect(await visitor.text('/portal/invoices')).toMatch(
      /Status Credit note 1 PDF 29 Jan 2025 EUR 0\.50 Credited of invoice 28 Invoice 29 PDF/,
    );
    expect(await visitor.text('/portal/invoices?show=paid')).not.toContain('Credit note');
    const file = await visitor.get(`/portal/credit_note/${id}`);
    expect([file.status, file.headers.get('content-type')]).toEqual([200, 'application/pdf']);
    expect(file.headers.get('content-disposition')).toBe('attachment; filename="credit-note-1.pdf"');
    const other = await CustomerInPortal.enter(vendor, await vendor.api.made('/v1/c/customer', { name: 'Other' }));
    expect((await other.get(`/portal/credit_note/${id}`)).status).toBe(404);
    expect((await visitor.get('/portal/credit_note/CNote_1')).status).toBe(404);
    expect((await visitor.get(`/portal/credit_note/${invoice.id}`)).status).toBe(404);
  });

  it('lists 29 payments on two pages: when, with what, how much, and what became of it', async () => {
    const first = await visitor.html('/portal/payments');
    const text = await visitor.text('/portal/payments');
    expect(text).toMatch(/29 January 2025 29 Test card ending in 4242 EUR 2\.00 Paid 28 January 2025 28 Test card/);
    expect(text.match(/Test card ending in 4242/g)).toHaveLength(25);
    expect((await visitor.text(olderOf(first))).match(/Test card ending in 4242/g)).toHaveLength(4);
  });

  it('says why a payment failed, what was paid back, and what the vendor recorded', async () => {
    const { token } = await vendor.api.made<AnyJson>(`/v1/c/customer/${customer}/payment/session`, { provider: 'sandbox' });
    await vendor.api.made(`/v1/c/payment/session/${token}/confirm`, { payment_method: 'sandbox_expired_card' });
    const methods = await vendor.api.read(`/v1/c/customer/${customer}/payment/method`);
    await vendor.api.made(`/v1/c/customer/${customer}/payment/method_selection`, { payment_method: methods.at(-1).id });
    const { invoice, invoice_items } = await invoiceNumbered(27);
    const items = [{ invoice_item_id: invoice_items[0].id, amount: '1.25' }];
    await vendor.api.made(`/v1/c/invoice/${invoice.id}/credit_note`, { items, to: 'payment' });
    await eventually(async () => expect(await visitor.text('/portal/payments')).toContain('EUR 1.25 was paid back.'));
    // the wallet has 0.50 of the first credit note
    await clock.advanceTo('2025-01-30T12:00:00Z');
    expect(await visitor.text('/portal/payments')).toMatch(
      /30 January 2025 30 Test card \(expired\) ending in \d+ EUR 1\.50 Failed The card has expired\./,
    );
    expect(await visitor.text('/portal/invoices?show=open')).toMatch(
      /Invoice 30 PDF 30 Jan 2025 EUR 2\.00 Payment failed The card has expired\. EUR 1\.50 is still open\. Pay/,
    );
    await vendor.api.made(`/v1/c/invoice/${(await invoiceNumbered(30)).invoice.id}/pay`, { method: 'manual' });
    expect(await visitor.text('/portal/payments')).toContain('30 January 2025, 12:00 UTC 30 recorded by Daily News EUR 1.50 Paid');
    expect(await visitor.text('/portal/invoices?show=open')).toContain('There are no documents here.');
  });
});
