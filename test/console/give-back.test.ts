import { VendorInConsole } from '../support/console-visitor.ts';
import { newVendor, type TestVendor } from '../support/vendor.ts';

describe('what somebody gives back of an invoice in the console', () => {
  let vendor: TestVendor;
  let visitor: VendorInConsole;
  let plan: string;

  /** A customer with an invoice of 100.00 for seats and 15.00 for support, with the tax in each: 10 % and none. */
  const invoiced = async (method: string | null): Promise<{ customer: string; contract: string; invoice: string }> => {
    const customer: string = await vendor.api.made('/v1/c/customer', {
      name: 'Ada',
      addresses: { main: { line_1: '1 Main St', city: 'Berlin', zip: '10115', country: 'DE' } },
      configuration: { automatic_payment: false },
    });
    await vendor.api.made(`/v1/c/customer/${customer}/activate`, {});
    if (method !== null) {
      const { token } = await vendor.api.made<{ token: string }>(`/v1/c/customer/${customer}/payment/session`, { provider: 'sandbox' });
      await vendor.api.made(`/v1/c/payment/session/${token}/confirm`, { payment_method: method });
    }
    const contract: string = await vendor.api.made('/v1/c/contract', { customer, plan, currency: 'usd', cycle: 'month' });
    const [{ invoice }] = (await vendor.api.read(`/v1/c/invoice?contract=${contract}`)).hits;
    if (method !== null) await vendor.api.made(`/v1/c/invoice/${invoice.id}/pay`, {});
    return { customer, contract, invoice: invoice.id };
  };
  const read = (invoice: string) => vendor.api.read(`/v1/c/invoice/${invoice}`);
  const balance = async (customer: string) => (await vendor.api.read(`/v1/c/customer/${customer}/wallet`)).balances[0]?.balance ?? '0.00';
  const itemsOf = async (invoice: string): Promise<Map<string, string>> =>
    new Map((await read(invoice)).invoice_items.map(({ name, id }: { name: string; id: string }) => [name, id]));

  /** Presses the button of a page that shows what is given back. */
  const press = async (path: string, changed: Record<string, string> = {}) => {
    const { html } = await visitor.page(path);
    const [form = ''] = /<main[\s\S]*<\/main>/.exec(html) ?? [];
    const found = [...form.matchAll(/<input type="(?:hidden|text)"[^>]* name="([^"]+)" value="([^"]*)"/g)];
    const fields = Object.fromEntries(found.map(([, name = '', value = '']) => [name, value]));
    return visitor.post(path.split('?')[0] ?? '', { ...fields, ...changed });
  };

  beforeAll(async () => {
    vendor = await newVendor('Gives back');
    const rates = [{ tax_code: 'seats', country: 'DE', state: null, rate: '0.10' }];
    await vendor.api.made('/v1/c/preferences/tax', { rates, policy: 'tax_included' });
    plan = await vendor.api.made('/v1/c/plan', {
      slug: 'pro',
      internal_name: 'Pro',
      strategy: 'feature',
      features: [
        { slug: 'seats', name: 'Seats' },
        { slug: 'support', name: 'Support' },
      ],
      pricings: [
        {
          currency: 'usd',
          cycle: 'month',
          features: {
            seats: { amount: '100.00', tax_code: 'seats', strategy_details: { pricing_strategy: 'flat' } },
            support: { amount: '15.00', strategy_details: { pricing_strategy: 'flat' } },
          },
        },
      ],
    });
    visitor = await VendorInConsole.signIn(vendor.apiKey);
  });

  it('refunds half to the card that paid, spread over the lines with their tax, once and as it was shown', async () => {
    const { customer, invoice } = await invoiced('sandbox_ok');
    const path = `/console/invoice/${invoice}/refund`;
    expect(await visitor.text(`/console/invoice/${invoice}`)).toContain('Refund');
    expect(await visitor.text(path)).toMatch(
      /Paid in money USD 115\.00 Left to give back USD 115\.00 Of that, the way it was paid USD 115\.00/,
    );
    const asked = `${path}?next=yes&amount=57.50`;
    const shown = await visitor.text(asked);
    expect(shown).toMatch(/Back to: Test card ending in 4242 USD 57\.50 Given back USD 57\.50 Tax in it USD 4\.55/);
    expect(shown).toMatch(/Seats USD 4\.55 USD 50\.00 Support USD 0\.00 USD 7\.50/);
    const presses = await Promise.all([press(asked, { notes: 'outage' }), press(asked, { notes: 'outage' })]);
    expect(presses.map(({ status }) => status).sort()).toEqual([303, 409]);
    const { credit_notes: notes } = await read(invoice);
    expect(notes.map(({ total, to_payment, notes: words }: Record<string, string>) => [total, to_payment, words])).toEqual([
      ['57.50', '57.50', 'outage'],
    ]);
    expect(await balance(customer)).toBe('0.00');
    const { hits } = await vendor.api.read(`/v1/c/audit?object=${invoice}&actor=console`);
    expect(hits.map(({ action }: { action: string }) => action)).toEqual(['console.invoice.refund']);
    expect(hits[0].after).toMatchObject({ to: 'payment', amount: '57.50' });
    expect(hits[0].after).not.toHaveProperty('shown');
    expect(await visitor.text(path)).toContain('Of that, the way it was paid USD 57.50');
  });

  it('lowers what is unpaid first, and then says that nothing is left to refund', async () => {
    const { customer, invoice } = await invoiced(null);
    expect(await visitor.text(`/console/invoice/${invoice}/refund`)).toContain('Nothing is left that was paid by a payment method');
    const asked = `/console/invoice/${invoice}/credit_note?next=yes&amount=115&to=wallet`;
    expect(await visitor.text(asked)).toMatch(/Lowers what is unpaid USD 115\.00 Given back USD 115\.00/);
    const done = await press(asked);
    expect([done.status, done.location]).toEqual([303, `/console/invoice/${invoice}`]);
    expect((await read(invoice)).invoice.status).toBe('paid');
    expect(await balance(customer)).toBe('0.00');
    expect(await visitor.text(`/console/invoice/${invoice}/credit_note`)).toContain('Nothing is left to give back.');
  });

  it('writes a credit note of one line to the wallet, and refuses one that would come to something else by then', async () => {
    const { customer, invoice } = await invoiced('sandbox_ok');
    const seats = (await itemsOf(invoice)).get('Seats') ?? '';
    const asked = `/console/invoice/${invoice}/credit_note?next=yes&by=lines&to=wallet&item.${seats}=10.00`;
    expect(await visitor.text(asked)).toMatch(/To the wallet USD 10\.00 Given back USD 10\.00 Tax in it USD 0\.91/);
    for (const changed of [{ to: 'payment' }, { [`item.${seats}`]: '10.01' }, { shown: '' }]) {
      const refused = await press(asked, changed);
      expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('has changed since this page was shown')]);
    }
    expect([(await read(invoice)).credit_notes, await balance(customer)]).toEqual([[], '0.00']);
    expect((await press(asked)).status).toBe(303);
    expect(await balance(customer)).toBe('10.00');
  });

  it('says what would go to credits that have ended, before the note is written and on the invoice', async () => {
    const customer: string = await vendor.api.made('/v1/c/customer', { name: 'Eve', configuration: { automatic_payment: false } });
    await vendor.api.made(`/v1/c/customer/${customer}/activate`, {});
    const credits = { customer, currency: 'usd', kind: 'promotional' };
    await vendor.api.made('/v1/c/credit_grant', { ...credits, amount: '40', priority: 1 });
    const last: string = await vendor.api.made('/v1/c/credit_grant', { ...credits, amount: '200', priority: 2 });
    const contract: string = await vendor.api.made('/v1/c/contract', { customer, plan, currency: 'usd', cycle: 'month' });
    const [{ invoice }] = (await vendor.api.read(`/v1/c/invoice?contract=${contract}`)).hits;
    const asked = `/console/invoice/${invoice.id}/credit_note?next=yes&amount=80&to=wallet`;
    const before = await visitor.text(asked);
    expect(before).toMatch(/Back to prepaid credits USD 80\.00 Given back/);
    expect(before).not.toContain('credits that have ended');
    const shownBefore = await visitor.page(asked);
    await vendor.api.made(`/v1/c/credit_grant/${last}/void`);
    // the last use goes back first: 75.00 of the voided credits
    const after = await visitor.text(asked);
    expect(after).toMatch(/Back to prepaid credits USD 5\.00 Back to credits that have ended USD 75\.00 Given back USD 80\.00/);
    expect(after).toContain('expired or were voided can’t be used any more');
    const [, shown = ''] = /name="shown" value="([^"]*)"/.exec(shownBefore.html) ?? [];
    expect((await press(asked, { shown })).status).toBe(409);
    expect((await press(asked)).status).toBe(303);
    expect((await read(invoice.id)).credit_notes).toMatchObject([{ to_credits: '80.00', to_credits_ended: '75.00' }]);
    expect(await visitor.text(`/console/invoice/${invoice.id}`)).toContain(
      'Back to prepaid credits: USD 5.00 Back to credits that have ended: USD 75.00',
    );
  });

  it('names the field and the fix, and keeps what was typed', async () => {
    const { invoice } = await invoiced('sandbox_ok');
    const seats = (await itemsOf(invoice)).get('Seats') ?? '';
    for (const [way, query, words] of [
      ['refund', 'amount=115.01', 'give at most USD 115.00'],
      ['refund', 'amount=a lot', 'as a number with a point'],
      ['refund', 'amount=1.001', 'no more digits'],
      ['refund', 'amount=-1', 'more than zero'],
      ['refund', 'amount=', 'as a number with a point'],
      ['credit_note', 'by=lines', 'at least one line'],
      ['credit_note', `by=lines&item.${seats}=100.01`, 'more than is left of this line'],
    ] as const) {
      const page = await visitor.get(`/console/invoice/${invoice}/${way}?next=yes&${query}`);
      expect([query, page.status, page.text]).toEqual([query, 422, expect.stringContaining(words)]);
      const typed = query.split('=').at(-1) ?? '';
      expect(page.html).toContain(`value="${typed}"`);
    }
  });

  it('gives back nothing of a draft, and shows another vendor’s invoice as if it were not there', async () => {
    const { invoice } = await invoiced('sandbox_ok');
    const other = await VendorInConsole.signIn((await newVendor('Other')).apiKey);
    for (const way of ['refund', 'credit_note']) {
      const path = `/console/invoice/${invoice}/${way}`;
      expect((await other.get(path)).status).toBe(404);
      expect((await other.post(path, { csrf: await other.csrf(), to: 'payment', amount: '1.00', shown: 'x' })).status).toBe(404);
    }
    expect((await read(invoice)).credit_notes).toEqual([]);
    await vendor.api.made('/v1/c/preferences/invoicing', { invoice_trigger: 'manual' });
    const customer: string = await vendor.api.made('/v1/c/customer', { name: 'Grace' });
    await vendor.api.made(`/v1/c/customer/${customer}/activate`, {});
    const contract: string = await vendor.api.made('/v1/c/contract', { customer, plan, currency: 'usd', cycle: 'month' });
    await vendor.api.made('/v1/c/preferences/invoicing', { invoice_trigger: 'immediate' });
    const [draft] = await vendor.api.made<string[]>('/v1/c/invoice', { contract_id: contract });
    for (const way of ['refund', 'credit_note'])
      expect(await visitor.text(`/console/invoice/${draft}/${way}`)).toContain('a draft is voided instead');
  });
});
