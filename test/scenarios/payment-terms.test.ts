import { addsMethod, billingOf, expectsPayments, expectsState, invoiceOf } from '../payments/support.ts';
import { downloadPdf, sheetsOf } from '../support/pdf.ts';
import { metered, plan, refused, story } from '../support/story.ts';
import type { StoryCustomer } from '../support/story-customer.ts';

const pro = plan('pro', '100');

/** Each invoice as "2025-05-31 100.00 due 2025-06-30 not_yet_due". */
async function expectsDue(customer: StoryCustomer, ...expected: string[]): Promise<void> {
  const day = (instant: string): string => instant.slice(0, 10);
  const seen = (await customer.invoices()).map(({ invoice, detailed_invoice_status }) =>
    [day(invoice.date), invoice.total, 'due', day(invoice.due_date), detailed_invoice_status].join(' '),
  );
  expect(seen).toEqual(expected);
}

describe('net days', () => {
  story('net 30 of 31 May is due on 30 June, and charged then: on the invoice, its PDF and the entitlement', async ({ on, acme }) => {
    await on('2025-05-31', async () => {
      await addsMethod(acme, 'sandbox_ok');
      await acme.signs(pro, { net_days: 30 });
    });
    await expectsDue(acme, '2025-05-31 100.00 due 2025-06-30 not_yet_due');
    expect((await billingOf(acme)).payment.next_payment_due).toBe('2025-06-30T00:00:00.000Z');
    const { next } = await acme.vendor.api.read(`/v1/c/contract/${acme.contract.id}/timeline`);
    const { invoice } = await invoiceOf(acme, '2025-05-31');
    expect(next).toContainEqual(expect.objectContaining({ at: '2025-06-30T00:00:00.000Z', what: 'payment_due', subject: invoice.id }));
    const [sheet = ''] = await sheetsOf(await downloadPdf(acme.vendor.apiKey, `/v1/c/invoice/${invoice.id}/pdf`));
    expect(sheet).toContain('Amount due USD 100.00 by 30 June 2025');
    await on('2025-06-29 23:59');
    await expectsPayments(acme, '2025-05-31');
    await on('2025-06-30');
    await expectsPayments(acme, '2025-05-31', '2025-06-30 succeeded 100.00');
    await expectsDue(acme, '2025-05-31 100.00 due 2025-06-30 paid', '2025-06-30 100.00 due 2025-07-30 not_yet_due');
  });

  story('end_of_period and net 14: made 1 January, due 15 February, the next one on 15 March', async ({ on, acme }) => {
    await on('2025-01-01', () => acme.signs(pro, { due_date_policy: 'end_of_period', net_days: 14 }));
    await on('2025-02-01');
    await expectsDue(acme, '2025-01-01 100.00 due 2025-02-15 not_yet_due', '2025-02-01 100.00 due 2025-03-15 not_yet_due');
    await acme.pays();
    expect((await billingOf(acme)).payment.next_payment_due).toBe('2025-04-15T00:00:00.000Z');
  });

  story('usage and lines of a change are due 10 days after they are made', async ({ on, acme }) => {
    const calls = plan('calls', '100', { features: { calls: { price: metered('0.10') } } });
    await on('2025-06-01', () => acme.signs(calls, { net_days: 10, usage_period_closing_policy: '1 day' }));
    await on('2025-06-16', async () => {
      await acme.uses('calls', '10');
      await acme.changesTo(plan('max', '300', { features: { calls: { price: metered('0.10') } } }));
    });
    await on('2025-07-02');
    await expectsDue(
      acme,
      '2025-06-01 100.00 due 2025-06-11 ready_for_payment',
      '2025-06-16 100.00 due 2025-06-26 ready_for_payment',
      '2025-07-01 300.00 due 2025-07-11 not_yet_due',
      '2025-07-02 1.00 due 2025-07-12 not_yet_due',
    );
  });

  story('an invoice made by hand is never due before its own date: items of 1 January, 14 days after 20 January', async ({ on, acme }) => {
    await on('2025-01-01', () => acme.signs(pro, { invoice_trigger: 'manual' }));
    const prompt = acme.vendor.customer('Prompt');
    await prompt.signs(pro, { invoice_trigger: 'manual', net_days: 0 });
    const later = acme.vendor.customer('Later');
    await later.signs(pro, { invoice_trigger: 'manual', due_date_policy: 'end_of_period', net_days: 14 });
    const net = acme.vendor.customer('Net');
    await net.signs(pro, { invoice_trigger: 'manual', net_days: 14 });
    await on('2025-01-20', async () => {
      for (const customer of [prompt, later, net]) {
        const [id] = await customer.contract.makesInvoice();
        await acme.vendor.api.made(`/v1/c/invoice/${id}/validate`, {});
      }
    });
    await expectsDue(prompt, '2025-01-20 100.00 due 2025-01-20 ready_for_payment');
    await expectsDue(net, '2025-01-20 100.00 due 2025-02-03 not_yet_due');
    await expectsDue(later, '2025-01-20 100.00 due 2025-02-15 not_yet_due');
    const [hit] = await net.invoices();
    expect(hit?.invoice_items.map((item) => item.due_date.slice(0, 10))).toEqual(['2025-02-03']);
  });

  story('a declined card is retried 1, 3, 5 and 7 days after the due date on 11 January', async ({ on, acme }) => {
    await on('2025-01-01', async () => {
      await addsMethod(acme, 'sandbox_declined');
      await acme.signs(pro, { net_days: 10 });
    });
    await on('2025-01-31');
    const days = ['2025-01-11', '2025-01-12', '2025-01-14', '2025-01-16', '2025-01-18'];
    await expectsPayments(acme, '2025-01-01', ...days.map((day) => `${day} failed declined 100.00`));
    await expectsState(acme, '2025-01-01', 'ready_for_payment failed 100.00');
  });

  story('a due date that passes in a freeze is printed for good; the card is charged at the activation', async ({ on, acme }) => {
    await on('2025-01-01', async () => {
      await addsMethod(acme, 'sandbox_ok');
      await acme.signs(pro, { net_days: 10 });
    });
    await on('2025-01-05', () => acme.freezes());
    await on('2025-01-20', () => acme.unfreezes());
    await expectsPayments(acme, '2025-01-01', '2025-01-20 succeeded 100.00');
    await expectsDue(acme, '2025-01-01 100.00 due 2025-01-11 paid');
  });

  story('contract before customer before vendor: 5, 20, 60 days, copied at signing and kept by a change', async ({ on, vendor }) => {
    await vendor.api.made('/v1/c/preferences/invoicing', { net_days: 60 });
    const [own, customers, vendors] = [20, 20, null].map((days) =>
      vendor.customer(`Net ${days}`, days === null ? {} : { configuration: { net_days: days } }),
    ) as [StoryCustomer, StoryCustomer, StoryCustomer];
    await on('2025-01-01', async () => {
      await own.signs(pro, { net_days: 5 });
      await customers.signs(pro);
      await vendors.signs(pro);
    });
    await vendor.api.made('/v1/c/preferences/invoicing', { net_days: 0 });
    await on('2025-02-01');
    for (const [customer, days] of [
      [own, ['2025-01-06', '2025-02-06']],
      [customers, ['2025-01-21', '2025-02-21']],
      [vendors, ['2025-03-02', '2025-04-02']],
    ] as const) {
      expect((await customer.invoices()).map(({ invoice }) => invoice.due_date.slice(0, 10))).toEqual(days);
    }
    await on('2025-02-15', () => vendors.changesTo(plan('max', '300')));
    expect((await vendors.contract.read()).contract_summary.configuration.net_days).toBe(60);
  });

  story('more than 120 days, less than 0, and half a day are refused', async ({ on, acme }) => {
    for (const net_days of [121, -1, 0.5]) {
      await on('2025-01-01', () => refused(400, acme.signs(pro, { net_days })));
    }
    await acme.signs(pro, { net_days: 120 });
    await expectsDue(acme, '2025-01-01 100.00 due 2025-05-01 not_yet_due');
  });
});
