import { expectsSoundLedger, invoiceOf } from '../payments/support.ts';
import type { AnyJson } from '../support/api.ts';
import { withTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { waitingFor } from '../support/locks.ts';
import { downloadPdf, sheetsOf } from '../support/pdf.ts';
import { CustomerInPortal } from '../support/portal-visitor.ts';
import { metered, plan, planOfFeatures, story } from '../support/story.ts';

const pro = plan('pro', '100');

describe('the manual trigger', () => {
  story(
    'lets items wait until an invoice is asked for: three months make one of 300.00, validated by hand',
    async ({ on, acme, vendor }) => {
      await on('2025-01-01', () => acme.signs(pro, { invoice_trigger: 'manual' }));
      await on('2025-03-10', () => acme.expectsInvoices());
      const [id] = await acme.contract.makesInvoice();
      await acme.expectsInvoices('2025-03-10 300.00');
      const { invoice, detailed_invoice_status } = await vendor.api.read(`/v1/c/invoice/${id}`);
      expect([invoice.status, detailed_invoice_status]).toEqual(['pending_validation', 'pending_validation']);
      expect(await vendor.api.post('/v1/c/invoice', { contract_id: acme.contract.id })).toMatchObject({ status: 200, body: [] });
      await vendor.api.made(`/v1/c/invoice/${id}/validate`, {});
      expect((await vendor.api.read(`/v1/c/invoice/${id}`)).invoice.status).toBe('ready_for_payment');
      await on('2025-04-01', () => acme.expectsInvoices('300.00'));
    },
  );

  story(
    'all open items of a customer: one invoice a contract, 100.00 of the old and 100.00 of the change',
    async ({ on, acme, vendor }) => {
      await on('2025-06-01', () => acme.signs(pro, { invoice_trigger: 'manual' }));
      await on('2025-06-16', () => acme.changesTo(plan('max', '300')));
      await acme.expectsInvoices();
      await vendor.api.made('/v1/c/invoice', { customer_id: await acme.id() });
      await acme.expectsInvoices('2025-06-16 100.00', '2025-06-16 100.00');
      await acme.expectsLines('2025-06-16', 'Pro 100.00', 'Pro -50.00', 'Max 150.00');
    },
  );

  story('voided before it is validated nothing is due, and its items don’t come again by themselves', async ({ on, acme, vendor }) => {
    await on('2025-01-01', () => acme.signs(pro, { invoice_trigger: 'manual' }));
    const [id] = await acme.contract.makesInvoice();
    await vendor.api.made(`/v1/c/invoice/${id}/void`, {});
    const { invoice, amount_due, detailed_invoice_status } = await vendor.api.read(`/v1/c/invoice/${id}`);
    expect([invoice.status, amount_due, detailed_invoice_status]).toEqual(['pending_validation', '0.00', 'voided']);
    const hits = async (path: string, status: string) =>
      (await vendor.api.read(`/v1/c/${path}=${status}&limit=10`)).hits.map((hit: AnyJson) => hit.invoice?.id ?? hit.id);
    expect(await hits('invoice?status', 'pending_validation')).toEqual([id]);
    expect(await hits('customer?payment_status', 'pending_validation')).toEqual([await acme.id()]);
    expect([await hits('invoice?status', 'paid'), await hits('invoice?status', 'ready_for_payment')]).toEqual([[], []]);
    expect(await vendor.api.post('/v1/c/invoice', { contract_id: acme.contract.id })).toMatchObject({ status: 200, body: [] });
    expect((await vendor.api.post(`/v1/c/invoice/${id}/validate`, {})).status).toBe(409);
  });

  story(
    'items of a voided invoice are invoiced again, once, where they are named: 100.00, and one payment',
    async ({ on, acme, vendor }) => {
      const made = async (body: object): Promise<string[]> => vendor.api.made('/v1/c/invoice', body);
      const itemsOf = async (id: string | undefined) => {
        const { invoice_items } = await vendor.api.read(`/v1/c/invoice/${id}`);
        return invoice_items.map((item: AnyJson) => item.id);
      };
      await on('2025-01-01', () => acme.signs(pro, { invoice_trigger: 'manual', automatic_payment: false }));
      const [wrong] = await acme.contract.makesInvoice();
      const items = await itemsOf(wrong);
      expect((await vendor.api.post('/v1/c/invoice', { invoice_item_ids: items })).body.code).toBe('invoice_state');
      await vendor.api.made(`/v1/c/invoice/${wrong}/void`, {});
      const [right] = await on('2025-01-05', () => made({ invoice_item_ids: items }));
      expect(await itemsOf(wrong)).toEqual(items);
      const refused = await vendor.api.post('/v1/c/invoice', { invoice_item_ids: items });
      expect(refused).toMatchObject({
        status: 409,
        body: { code: 'invoice_state', detail: expect.stringContaining('was invoiced again already') },
      });

      await vendor.api.made(`/v1/c/invoice/${right}/void`, {});
      const [third] = await made({ contract_id: acme.contract.id, invoice_item_ids: await itemsOf(right) });
      await vendor.api.made(`/v1/c/invoice/${third}/validate`, {});
      await vendor.api.made(`/v1/c/invoice/${third}/pay`, { method: 'manual' });
      const numbers = await Promise.all([wrong, right, third].map(async (id) => (await vendor.api.read(`/v1/c/invoice/${id}`)).invoice));
      expect(numbers.map(({ invoice_number, total, status }) => [invoice_number.number, total, status])).toEqual([
        ['1', '100.00', 'pending_validation'],
        ['2', '100.00', 'pending_validation'],
        ['3', '100.00', 'paid'],
      ]);
      await expectsSoundLedger(vendor);
      // half of it is given back by the change, as of any line
      await on('2025-01-16 12:00', () => acme.changesTo(plan('max', '300')));
      expect((await vendor.api.made('/v1/c/invoice', { customer_id: await acme.id() })).length).toBe(1);
      await acme.expectsLines('2025-01-16 12:00', 'Pro -50.00', 'Max 150.00');
    },
  );

  story(
    'items that two requests name at once are invoiced by one; the other is refused, as it would be later',
    async ({ on, acme, vendor }) => {
      await on('2025-01-01', () => acme.signs(pro, { invoice_trigger: 'manual' }));
      const { id } = acme.contract;
      const answers = await withTestDatabase((db) =>
        db.transaction(async (tx) => {
          const items = await tx.query<{ id: string }>('select id from invoice_item where contract_id = $1', [id]);
          await tx.query('select from contract where id = $1 for update', [id]);
          const make = () => vendor.api.post('/v1/c/invoice', { invoice_item_ids: items.map((item) => item.id) });
          const asked = Promise.all([make(), make()]);
          await withTestDatabase((beside) => eventually(async () => expect(await waitingFor(tx, beside)).toBe(2)));
          return { asked };
        }),
      );
      const asked = (await answers.asked).toSorted((a, b) => a.status - b.status);
      expect(asked).toMatchObject([{ status: 201 }, { status: 409, body: { code: 'invoice_state' } }]);
      await acme.expectsInvoices('2025-01-01 100.00');
    },
  );

  story(
    'what has changed since keeps a voided item from being invoiced again: the rest of a period, a correction',
    async ({ on, acme, vendor }) => {
      await on('2025-01-01', () => acme.signs(pro, { invoice_trigger: 'manual' }));
      const [draft] = await acme.contract.makesInvoice();
      const { invoice_items } = await vendor.api.read(`/v1/c/invoice/${draft}`);
      await vendor.api.made(`/v1/c/invoice/${draft}/void`, {});
      await on('2025-01-16', () => acme.cancels('now'));
      const refused = await vendor.api.post('/v1/c/invoice', { invoice_item_ids: invoice_items.map((item: AnyJson) => item.id) });
      expect(refused).toMatchObject({ status: 409, body: { detail: expect.stringContaining('after the end of its contract') } });
    },
  );

  story('a change owes the items not invoiced yet: 100.00 remain of the old contract, 200.00 in all', async ({ on, acme }) => {
    await on('2025-06-01', () => acme.signs(pro, { invoice_trigger: 'manual' }));
    const estimate = await on('2025-06-16', () => acme.contract.estimatesChangeTo(plan('max', '300')));
    expect(estimate.remains_to_pay_current_contract.map((hit: { invoice: { total: string } }) => hit.invoice.total)).toEqual(['100.00']);
    expect(estimate.upgrade_cost_breakdown.total).toBe('200.00');
  });
});

describe('what one invoice holds', () => {
  story('two contracts of one customer have invoices of their own: 100.00 and 20.00 on the same day', async ({ on, acme }) => {
    await on('2025-01-01', () => acme.signs(pro));
    await acme.signs(plan('mail', '20'));
    await on('2025-02-01');
    await acme.expectsInvoices('2025-01-01 100.00', '2025-01-01 20.00', '2025-02-01 100.00', '2025-02-01 20.00');
    expect((await acme.read()).contracts.map((contract: { status: string }) => contract.status)).toEqual(['active', 'active']);
  });

  story('numbers of a clock are gap-free: three customers, nine invoices, nine numbers in a row', async ({ on, vendor }) => {
    const [a, b, c] = [vendor.customer('A'), vendor.customer('B'), vendor.customer('C')];
    await on('2025-01-01');
    for (const customer of [a, b, c]) await customer.signs(pro);
    await on('2025-03-01');
    const hits = [...(await a.invoices()), ...(await b.invoices()), ...(await c.invoices())];
    const numbers = hits.map(({ invoice }) => Number(/(\d+)$/.exec(invoice.invoice_number.number)?.[1])).sort((x, y) => x - y);
    expect(numbers).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  story('a line explains itself: 150.00 is 300 times 1,296,000,000 of 2,592,000,000 ms', async ({ on, acme, vendor }) => {
    await on('2025-06-01', () => acme.signs(pro));
    await on('2025-06-16', () => acme.changesTo(plan('max', '300')));
    const [hit] = await acme.invoicesOf('2025-06-16');
    const { lines, total } = await vendor.api.read(`/v1/c/invoice/${hit?.invoice.id}/explain`);
    expect(total).toBe('100.00');
    expect(lines.map((line: { total_including_tax: string }) => line.total_including_tax).sort()).toEqual(['-50.00', '150.00']);
    expect(JSON.stringify(lines)).toContain('1296000000');
    expect(JSON.stringify(lines)).toContain('2592000000');
  });
});

describe('the due date policy', () => {
  story('end_of_period moves only the due date: made 1 January, due 1 February; its usage is due when made', async ({ on, acme }) => {
    const calls = plan('pro', '100', { features: { calls: { price: metered('0.10') } } });
    await on('2025-01-01', () => acme.signs(calls, { due_date_policy: 'end_of_period', usage_period_closing_policy: '1 hour' }));
    expect((await acme.contract.read()).contract_summary.cost_estimates.recurring_price).toEqual({
      cycle_start_charges: '0.00',
      minimum_usage: '0.00',
      extra_cycle_end_charges: '100.00',
    });
    await on('2025-01-10', () => acme.uses('calls', '10'));
    await on('2025-02-01 01:00');
    const seen = (await acme.invoices()).map(({ invoice, detailed_invoice_status }) => [
      invoice.total,
      invoice.date,
      invoice.due_date,
      detailed_invoice_status,
    ]);
    expect(seen).toEqual([
      ['100.00', '2025-01-01T00:00:00.000Z', '2025-02-01T00:00:00.000Z', 'ready_for_payment'],
      ['100.00', '2025-02-01T00:00:00.000Z', '2025-03-01T00:00:00.000Z', 'not_yet_due'],
      ['1.00', '2025-02-01T01:00:00.000Z', '2025-02-01T01:00:00.000Z', 'ready_for_payment'],
    ]);
  });

  story(
    'an invoice is due when its earliest line is: with usage on it on 1 February, though the cycle is due on 1 March',
    async ({ on, acme }) => {
      const calls = plan('pro', '100', { features: { calls: { price: metered('0.10') } } });
      await on('2025-01-01', () => acme.signs(calls, { due_date_policy: 'end_of_period' }));
      await on('2025-01-10', () => acme.uses('calls', '10'));
      await on('2025-02-01');
      const [hit] = await acme.invoicesOf('2025-02-01');
      expect([hit?.invoice.total, hit?.invoice.due_date]).toEqual(['101.00', '2025-02-01T00:00:00.000Z']);
      expect(hit?.invoice_items.map(({ due_date }) => due_date).sort()).toEqual(['2025-02-01T00:00:00.000Z', '2025-03-01T00:00:00.000Z']);
    },
  );

  story('start_of_period is due when it is made', async ({ on, acme }) => {
    await on('2025-01-01', () => acme.signs(pro));
    expect((await acme.invoices()).map(({ invoice }) => invoice.due_date)).toEqual(['2025-01-01T00:00:00.000Z']);
  });
});

describe('settings fall back and are copied at signing', () => {
  story(
    'contract before customer before vendor: 1 hour, manual, 1 day, and later preferences change none of them',
    async ({ on, acme, vendor }) => {
      const calls = planOfFeatures('calls', { calls: { price: metered('0.10') } });
      await vendor.api.made('/v1/c/preferences/invoicing', { usage_period_closing_policy: '1 day' });
      await on('2025-01-01', () => acme.signs(calls));
      const policyOf = async () => (await acme.contract.read()).contract_summary.configuration.usage_period_closing_policy;
      expect(await policyOf()).toBe('1 day');
      await vendor.api.made('/v1/c/preferences/invoicing', { usage_period_closing_policy: 'automatic' });
      expect(await policyOf()).toBe('1 day');
      await acme.changesDetails({ configuration: { usage_period_closing_policy: 'manual' } });
      await acme.cancels('now');
      await acme.signs(calls);
      expect(await policyOf()).toBe('manual');
      await acme.cancels('now');
      await acme.signs(calls, { usage_period_closing_policy: '1 hour' });
      expect(await policyOf()).toBe('1 hour');
    },
  );
});

describe('the format of numbers', () => {
  story('is printed everywhere from then on, and the count goes on: 1, INV-00002, and CN-00001', async ({ on, acme, vendor }) => {
    const { api } = vendor;
    const numbers = async () => (await acme.invoices()).map(({ invoice }) => invoice.invoice_number.number);
    await on('2025-01-01', () => acme.signs(pro, { automatic_payment: false }));
    await on('2025-01-02', () =>
      api.made('/v1/c/preferences/invoicing', { number: { prefix: 'INV-', width: 5, credit_note_prefix: 'CN-' } }),
    );
    await on('2025-02-01');
    expect(await numbers()).toEqual(['1', 'INV-00002']);
    const { invoice, invoice_items } = await invoiceOf(acme, '2025-02-01');
    const [item] = invoice_items;
    await api.made(`/v1/c/invoice/${invoice.id}/credit_note`, { items: [{ invoice_item_id: item.id, amount: '10.00' }], to: 'wallet' });
    const { credit_notes } = await api.read(`/v1/c/invoice/${invoice.id}`);
    expect(credit_notes.map(({ number }: AnyJson) => number)).toEqual(['CN-00001']);
    const [sheet = ''] = await sheetsOf(await downloadPdf(vendor.apiKey, `/v1/c/invoice/${invoice.id}/pdf`));
    expect(sheet).toContain('INV-00002');
    const [note = ''] = await sheetsOf(
      await downloadPdf(vendor.apiKey, `/v1/c/invoice/${invoice.id}/credit_note/${credit_notes[0].id}/pdf`),
    );
    expect(note).toContain('CN-00001');
    const visitor = await CustomerInPortal.enter(vendor, await acme.id());
    expect(await visitor.text('/portal/invoices')).toContain('INV-00002');
    const { past } = await api.read(`/v1/c/contract/${acme.contract.id}/timeline`);
    expect(JSON.stringify(past)).toContain('INV-00002');

    await api.made('/v1/c/preferences/invoicing', { number: { width: 2 } });
    expect((await api.read('/v1/c/preferences/invoicing')).number).toEqual({ prefix: 'INV-', width: 2, credit_note_prefix: 'CN-' });
    await on('2025-03-01');
    expect(await numbers()).toEqual(['1', 'INV-00002', 'INV-03']);
    await expectsSoundLedger(vendor);
  });

  story('is refused where two numbers could look the same', async ({ vendor }) => {
    for (const number of [{ prefix: 'A1' }, { prefix: 'a b-' }, { width: 0 }, { width: 13 }])
      expect(await vendor.api.post('/v1/c/preferences/invoicing', { number })).toMatchObject({ status: 400 });
  });
});
