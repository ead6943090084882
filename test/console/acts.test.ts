import { type ClockHandle, clockOf } from '../support/clock.ts';
import { VendorInConsole } from '../support/console-visitor.ts';
import { withTestDatabase } from '../support/database.ts';
import { newVendor, type TestVendor } from '../support/vendor.ts';

describe('what somebody does in the console', () => {
  let vendor: TestVendor;
  let visitor: VendorInConsole;
  let csrf: string;
  let plan: string;
  let clock: ClockHandle;

  const customerWith = async (method: string | null): Promise<{ customer: string; contract: string; invoice: string }> => {
    const customer: string = await vendor.api.made('/v1/c/customer', {
      name: 'Ada',
      test_clock: clock.id,
      configuration: { automatic_payment: false },
    });
    await vendor.api.made(`/v1/c/customer/${customer}/activate`, {});
    if (method !== null) {
      const { token } = await vendor.api.made<{ token: string }>(`/v1/c/customer/${customer}/payment/session`, { provider: 'sandbox' });
      await vendor.api.made(`/v1/c/payment/session/${token}/confirm`, { payment_method: method });
    }
    const contract: string = await vendor.api.made('/v1/c/contract', { customer, plan, currency: 'usd', cycle: 'month' });
    const [{ invoice }] = (await vendor.api.read(`/v1/c/invoice?contract=${contract}`)).hits;
    return { customer, contract, invoice: invoice.id };
  };

  /** Sends the form of an act's page, with some fields changed. */
  const press = async (path: string, changed: Record<string, string> = {}, by = visitor) => {
    const { html } = await by.page(path);
    const fields = Object.fromEntries(
      [...html.matchAll(/<input type="(?:hidden|text)"[^>]* name="([^"]+)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [
        name,
        value,
      ]),
    );
    return by.post(path.split('?')[0] ?? '', { ...fields, csrf: await by.csrf(), ...changed });
  };
  const lastAudit = async (object: string) => (await vendor.api.read(`/v1/c/audit?object=${object}`)).hits.at(-1);
  const detailOf = async (contract: string) => (await vendor.api.read(`/v1/c/contract/${contract}`)).contract_summary;
  const invoiceOf = (id: string) => vendor.api.read(`/v1/c/invoice/${id}`);

  beforeAll(async () => {
    vendor = await newVendor('Acts');
    plan = await vendor.api.made('/v1/c/plan', {
      slug: 'pro',
      internal_name: 'Pro',
      strategy: 'plan',
      features: [],
      pricings: [
        { currency: 'usd', cycle: 'month', price: { amount: '31.00', strategy_details: { pricing_strategy: 'flat' } }, features: {} },
        { currency: 'usd', cycle: 'once', price: { amount: '31.00', strategy_details: { pricing_strategy: 'flat' } }, features: {} },
      ],
    });
    clock = await clockOf(vendor, '2025-01-01T00:00:00Z');
    visitor = await VendorInConsole.signIn(vendor.apiKey);
    csrf = await visitor.csrf();
  });

  it('cancels for the end of the cycle as it was shown, and takes it back; the audit log says who', async () => {
    const { contract } = await customerWith(null);
    const path = `/console/contract/${contract}/cancel`;
    expect(await visitor.text(path)).toMatch(/Ends 1 February 2025/);
    const done = await press(path, { notes: 'asked by phone' });
    expect([done.status, done.location]).toEqual([303, `/console/contract/${contract}`]);
    expect(await visitor.text(`/console/contract/${contract}`)).toContain('The contract was canceled.');
    expect(await visitor.text(`/console/contract/${contract}`)).not.toContain('The contract was canceled.');
    expect((await vendor.api.read(`/v1/c/contract/${contract}/timeline`)).next).toContainEqual(
      expect.objectContaining({ what: 'cancellation', at: '2025-02-01T00:00:00.000Z' }),
    );
    const audit = await lastAudit(contract);
    expect([audit.actor, audit.action]).toEqual([{ type: 'console', id: vendor.keyId }, 'console.contract.cancel']);
    expect(audit.after).toMatchObject({ when: 'end_of_cycle', notes: 'asked by phone' });
    expect(JSON.stringify(audit)).not.toContain(csrf);
    await press(`/console/contract/${contract}/cancel_undo`);
    expect((await vendor.api.read(`/v1/c/contract/${contract}/timeline`)).next.map(({ what }: { what: string }) => what)).not.toContain(
      'cancellation',
    );
    expect((await vendor.api.read('/v1/c/audit?actor=console')).hits.length).toBeGreaterThanOrEqual(2);
  });

  it('cancels nothing where the contract would end at another instant than was shown', async () => {
    const { contract } = await customerWith(null);
    const refused = await press(`/console/contract/${contract}/cancel`, { until: String(Date.UTC(2025, 0, 20)) });
    expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('another instant than was shown')]);
    expect((await detailOf(contract)).status).toBe('active');
    expect((await vendor.api.read(`/v1/c/contract/${contract}/timeline`)).past.map(({ what }: { what: string }) => what)).not.toContain(
      'cancel',
    );
  });

  it('cancels nothing for the end of a cycle by a form that names no instant', async () => {
    const { contract } = await customerWith(null);
    for (const until of ['', 'soon', '-1'])
      expect([until, (await press(`/console/contract/${contract}/cancel`, { until })).status]).toEqual([until, 400]);
    expect((await vendor.api.read(`/v1/c/contract/${contract}/timeline`)).next.map(({ what }: { what: string }) => what)).not.toContain(
      'cancellation',
    );
  });

  it('shows the open usage of a contract whose periods somebody closes by hand, though no invoice has it', async () => {
    const usage = { pricing_strategy: 'usage', unit_name: 'call', over_usage_charge_strategy: 'extra_usage_overcharge' };
    const metered: string = await vendor.api.made('/v1/c/plan', {
      slug: 'metered',
      internal_name: 'Metered',
      strategy: 'feature',
      features: [{ slug: 'calls', name: 'Calls' }],
      pricings: [{ currency: 'usd', cycle: 'month', features: { calls: { amount: '0.50', strategy_details: usage } } }],
    });
    const customer: string = await vendor.api.made('/v1/c/customer', {
      name: 'Ada',
      test_clock: clock.id,
      configuration: { usage_period_closing_policy: 'manual' },
    });
    await vendor.api.made(`/v1/c/customer/${customer}/activate`, {});
    const contract: string = await vendor.api.made('/v1/c/contract', { customer, plan: metered, currency: 'usd', cycle: 'month' });
    await vendor.api.made('/v1/c/usage', { customer_id: customer, feature_slug: 'calls', units: '7' });
    expect(await visitor.text(`/console/contract/${contract}/cancel?when=now`)).toMatch(
      /Open usage, invoiced when you close its period USD 3\.50 The last 0 invoices USD 0\.00/,
    );
  });

  it('cancels at once and gives back to the cent what was shown', async () => {
    const { customer, contract, invoice } = await customerWith(null);
    await vendor.api.made(`/v1/c/invoice/${invoice}/pay`, { method: 'manual', reference: 'wire' });
    const path = `/console/contract/${contract}/cancel?when=now&credit=yes`;
    expect(await visitor.text(path)).toContain('Given back to the wallet USD 31.00');
    expect((await press(path)).status).toBe(303);
    expect((await detailOf(contract)).status).toBe('canceled');
    expect((await vendor.api.read(`/v1/c/customer/${customer}/wallet`)).balances[0].balance).toBe('31.00');
  });

  it('gives back no more than was shown, and once though the button was pressed twice', async () => {
    const { customer, contract, invoice } = await customerWith(null);
    await vendor.api.made(`/v1/c/invoice/${invoice}/pay`, { method: 'manual', reference: 'wire' });
    const path = `/console/contract/${contract}/cancel?when=now&credit=yes`;
    const more = await press(path, { given_back: '30.99' });
    expect([more.status, more.text]).toEqual([409, expect.stringContaining('More than 30.99 would be given back.')]);
    for (const given_back of ['', '-1', '1e9']) expect((await press(path, { given_back })).status).toBe(400);
    expect([(await detailOf(contract)).status, (await vendor.api.read(`/v1/c/audit?object=${contract}&actor=console`)).hits]).toEqual([
      'active',
      [],
    ]);
    const presses = await Promise.all([press(path), press(path)]);
    expect(presses.map(({ status }) => status).sort()).toEqual([303, 409]);
    expect((await vendor.api.read(`/v1/c/customer/${customer}/wallet`)).balances[0].balance).toBe('31.00');
  });

  it.each([
    ['has not begun', { cycle: 'month', activation: '2025-02-10T00:00:00Z' }],
    ['has a cycle without an end', { cycle: 'once' }],
  ])('asks whether to cancel at once what %s', async (_, terms) => {
    const customer: string = await vendor.api.made('/v1/c/customer', { name: 'Grace', test_clock: clock.id });
    await vendor.api.made(`/v1/c/customer/${customer}/activate`, {});
    const contract: string = await vendor.api.made('/v1/c/contract', { customer, plan, currency: 'usd', ...terms });
    const path = `/console/contract/${contract}/cancel`;
    const text = await visitor.text(path);
    expect(text).toContain('Cancel now');
    expect(text).not.toContain('At the end of the cycle');
    expect((await press(path)).status).toBe(303);
    expect((await detailOf(contract)).status).toBe('canceled');
  });

  it('freezes a customer and activates it again, with notes and with who did it', async () => {
    const { customer } = await customerWith(null);
    expect((await press(`/console/customer/${customer}/freeze`, { notes: 'asked for a break' })).status).toBe(303);
    expect((await vendor.api.read(`/v1/c/customer/${customer}`)).status).toBe('inactive');
    await press(`/console/customer/${customer}/activate`);
    expect((await vendor.api.read(`/v1/c/customer/${customer}`)).status).toBe('active');
    const history = (await vendor.api.read(`/v1/c/customer/${customer}/history`)).hits;
    const actor = { type: 'console', id: vendor.keyId };
    expect(history).toContainEqual(expect.objectContaining({ action: 'frozen', notes: 'asked for a break', actor }));
    expect(history.at(-1)).toMatchObject({ action: 'activated', actor });
  });

  it('charges the method that was shown, once, and no more than was shown', async () => {
    const { invoice } = await customerWith('sandbox_ok');
    const path = `/console/invoice/${invoice}/pay`;
    const page = await visitor.page(path);
    expect(page.text).toMatch(/Test card ending in 4242 USD 31\.00/);
    const less = await press(path, { at_most: '30.00' });
    expect([less.status, (await invoiceOf(invoice)).payments]).toEqual([409, []]);
    const presses = await Promise.all([press(path), press(path)]);
    expect(presses.map(({ status }) => status).sort()).toEqual([303, 409]);
    expect(await visitor.text(`/console/invoice/${invoice}`)).toContain('The invoice was paid.');
    const paid = await invoiceOf(invoice);
    expect([paid.invoice.status, paid.payments.map(({ amount, status }: Record<string, string>) => [amount, status])]).toEqual([
      'paid',
      [['31.00', 'succeeded']],
    ]);
    const { hits } = await vendor.api.read(`/v1/c/audit?object=${invoice}&actor=console`);
    expect(hits.map(({ action }: { action: string }) => action)).toEqual(['console.invoice.pay']);
  });

  it('says that a payment failed, and of one that nobody has answered that it is under way', async () => {
    for (const [method, words] of [
      ['sandbox_declined', 'The payment failed'],
      ['sandbox_slow', 'The payment is under way'],
    ] as const) {
      const { invoice } = await customerWith(method);
      expect((await press(`/console/invoice/${invoice}/pay`)).status).toBe(303);
      expect(await visitor.text(`/console/invoice/${invoice}`)).toContain(words);
    }
  });

  it('says that the provider of a method has no keys here, and charges nothing', async () => {
    const { invoice, customer } = await customerWith('sandbox_ok');
    const keptAt = (provider: string) =>
      withTestDatabase((db) => db.query('update payment_method set provider = $2 where customer_id = $1', [customer, provider]));
    await keptAt('authorize');
    const refused = await press(`/console/invoice/${invoice}/pay`).finally(() => keptAt('sandbox'));
    expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('AUTHORIZE')]);
    expect((await invoiceOf(invoice)).payments).toEqual([]);
  });

  it('keeps of a form what the act asks for, cut where it is long, and nothing else that was sent', async () => {
    const { customer } = await customerWith(null);
    const fields = { notes: 'x'.repeat(5_000), password: 'hunter2', csrf: await visitor.csrf() };
    expect((await visitor.post(`/console/customer/${customer}/freeze`, fields)).status).toBe(303);
    expect((await lastAudit(customer)).after).toEqual({ notes: 'x'.repeat(1_000), status: 'inactive' });
  });

  it('never takes a form without a method for a payment that was received', async () => {
    const { invoice } = await customerWith(null);
    const path = `/console/invoice/${invoice}/pay`;
    expect((await visitor.page(path)).text).toContain('no default payment method');
    for (const fields of [{}, { method: 'manual', at_most: '31.00' }, { method: '', at_most: '31.00' }])
      expect((await visitor.post(path, { csrf, ...fields })).status).toBe(400);
    expect((await invoiceOf(invoice)).payments).toEqual([]);
  });

  it('refuses what is not possible, in words, and what is another vendor’s as if it were not there', async () => {
    const { contract, customer, invoice } = await customerWith(null);
    const refused = await press(`/console/contract/${contract}/resume`);
    expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('The contract is not parked.')]);
    const other = await VendorInConsole.signIn((await newVendor('Other')).apiKey);
    const own = await other.csrf();
    for (const path of [
      `contract/${contract}/cancel`,
      `contract/${contract}/resume`,
      `customer/${customer}/freeze`,
      `invoice/${invoice}/pay`,
    ]) {
      const fields = { csrf: own, when: 'now', given_back: '31.00', method: `CPMet_${invoice.slice(4)}`, at_most: '31.00' };
      expect([path, (await other.get(`/console/${path}`)).status]).toEqual([path, 404]);
      expect([path, (await other.post(`/console/${path}`, fields)).status]).toEqual([path, 404]);
    }
    expect((await detailOf(contract)).status).toBe('active');
  });

  it('does nothing without the session’s own value, or by a form of another site', async () => {
    const { contract } = await customerWith(null);
    const path = `/console/contract/${contract}/cancel`;
    expect((await visitor.post(path, { when: 'now' })).status).toBe(403);
    expect((await visitor.post(path, { when: 'now', csrf }, { origin: 'https://evil.example' })).status).toBe(403);
    expect((await detailOf(contract)).status).toBe('active');
  });
});
