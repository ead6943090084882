import { type ClockHandle, clockOf } from '../support/clock.ts';
import { VendorInConsole } from '../support/console-visitor.ts';
import { eventually } from '../support/eventually.ts';
import { newVendor, type TestVendor } from '../support/vendor.ts';

describe('what somebody gives a customer in the console, and takes away for good', () => {
  let vendor: TestVendor;
  let visitor: VendorInConsole;
  let plan: string;
  let clock: ClockHandle;

  const customerOf = async (more: object = {}): Promise<string> => {
    const customer: string = await vendor.api.made('/v1/c/customer', { name: 'Ada', ...more });
    await vendor.api.made(`/v1/c/customer/${customer}/activate`, {});
    return customer;
  };
  const owing = async (): Promise<{ customer: string; invoice: string }> => {
    // on a clock that stands still the invoice is charged at the instant at which credits begin
    const customer = await customerOf({ test_clock: clock.id });
    const contract: string = await vendor.api.made('/v1/c/contract', { customer, plan, currency: 'usd', cycle: 'month' });
    const [{ invoice }] = (await vendor.api.read(`/v1/c/invoice?contract=${contract}`)).hits;
    return { customer, invoice: invoice.id };
  };
  const grantsOf = async (customer: string) => (await vendor.api.read(`/v1/c/credit_grant?customer=${customer}`)).hits;
  const walletOf = async (customer: string): Promise<string> =>
    (await vendor.api.read(`/v1/c/customer/${customer}/wallet`)).balances[0]?.balance ?? '0.00';
  const dueOf = async (invoice: string): Promise<string> => (await vendor.api.read(`/v1/c/invoice/${invoice}`)).amount_due;

  const fieldsOf = async (path: string): Promise<Record<string, string>> => {
    const [form = ''] = /<main[\s\S]*<\/main>/.exec((await visitor.page(path)).html) ?? [];
    const found = form.matchAll(/<input type="(?:hidden|text)"[^>]* name="([^"]+)" value="([^"]*)"/g);
    return Object.fromEntries([...found].map(([, name = '', value = '']) => [name, value]));
  };
  const press = async (path: string, changed: Record<string, string> = {}) =>
    visitor.post(path.split('?')[0] ?? '', { ...(await fieldsOf(path)), ...changed });

  beforeAll(async () => {
    vendor = await newVendor('Gives');
    plan = await vendor.api.made('/v1/c/plan', {
      slug: 'pro',
      internal_name: 'Pro',
      strategy: 'plan',
      features: [],
      pricings: [{ currency: 'usd', cycle: 'month', price: { amount: '31.00', strategy_details: { pricing_strategy: 'flat' } } }],
    });
    clock = await clockOf(vendor, '2025-01-01T00:00:00Z');
    visitor = await VendorInConsole.signIn(vendor.apiKey);
  });

  it('grants credits as they were shown: what they pay at once, until when, and once though pressed twice', async () => {
    const { customer, invoice } = await owing();
    const path = `/console/customer/${customer}/grant`;
    expect(await visitor.text(path)).toContain('Grant credits');
    const asked = `${path}?next=yes&amount=50&currency=usd&description=Welcome+back&expires=2999-12-31`;
    expect(await visitor.text(asked)).toMatch(
      /Given USD 50\.00 Pays open invoices at once USD 31\.00 Left for later USD 19\.00 Expires on 31 December 2999 What for Welcome back/,
    );
    const fields = await fieldsOf(asked);
    const presses = await Promise.all([visitor.post(path, fields), visitor.post(path, fields)]);
    expect(presses.map(({ status }) => status).sort()).toEqual([303, 409]);
    const [grant, ...others] = await grantsOf(customer);
    expect(others).toEqual([]);
    expect(grant).toMatchObject({ amount: '50.00', left: '19.00', kind: 'promotional', expires_at: '2999-12-31T00:00:00.000Z' });
    expect(await dueOf(invoice)).toBe('0.00');
    const { hits } = await vendor.api.read(`/v1/c/audit?object=${customer}&actor=console`);
    expect(hits).toMatchObject([
      { action: 'console.customer.grant', after: { amount: '50', currency: 'usd', description: 'Welcome back' } },
    ]);
  });

  it('voids what is left of a grant, and only that', async () => {
    const { customer, invoice } = await owing();
    await press(`/console/customer/${customer}/grant?next=yes&amount=50&currency=usd`);
    const [{ id }] = await grantsOf(customer);
    expect((await visitor.page(`/console/customer/${customer}`)).html).toContain(`/console/credit_grant/${id}/void`);
    expect(await visitor.text(`/console/credit_grant/${id}/void`)).toMatch(/Amount USD 50\.00 Taken away USD 19\.00/);
    const done = await press(`/console/credit_grant/${id}/void`);
    expect([done.status, done.location]).toEqual([303, `/console/customer/${customer}`]);
    expect((await grantsOf(customer))[0]).toMatchObject({ status: 'voided', left: '0.00' });
    expect(await dueOf(invoice)).toBe('0.00');
    expect((await press(`/console/credit_grant/${id}/void`)).status).toBe(409);
  });

  it('gives money to a wallet and takes it back, never below zero', async () => {
    const { customer, invoice } = await owing();
    const asked = `/console/customer/${customer}/wallet?next=yes&amount=40.00&currency=usd&description=Sorry`;
    expect(await visitor.text(asked)).toMatch(/Given USD 40\.00 Pays open invoices at once USD 31\.00 Left for later USD 9\.00/);
    const fields = await fieldsOf(asked);
    const path = `/console/customer/${customer}/wallet`;
    expect([(await visitor.post(path, fields)).status, (await visitor.post(path, fields)).status]).toEqual([303, 409]);
    expect([await dueOf(invoice), await walletOf(customer)]).toEqual(['0.00', '9.00']);
    const back = `/console/customer/${customer}/wallet?next=yes&currency=usd&direction=take&description=Mistake`;
    expect((await press(`${back}&amount=9.01`)).text).toContain('the wallet has 9.00 usd');
    expect((await press(`${back}&amount=4.00`)).status).toBe(303);
    expect(await walletOf(customer)).toBe('5.00');
  });

  it('names what is wrong with a gift beside its field, and gives nothing that was not shown', async () => {
    const customer = await customerOf();
    for (const [path, query, words] of [
      ['grant', 'amount=0&currency=usd', 'Amount: give more than zero'],
      ['grant', 'amount=five&currency=usd', 'Amount as a number'],
      ['grant', 'amount=1.5&currency=jpy', 'no more digits'],
      ['grant', 'amount=5&currency=usd&expires=soon', 'Write the day as'],
      ['grant', 'amount=5&currency=usd&expires=2001-01-01', 'a day that lies ahead'],
      ['wallet', 'amount=5&currency=usd', 'What for: say what it is for'],
    ] as const) {
      const page = await visitor.get(`/console/customer/${customer}/${path}?next=yes&${query}`);
      expect([query, page.status, page.text]).toEqual([query, 422, expect.stringContaining(words)]);
    }
    const asked = `/console/customer/${customer}/grant?next=yes&amount=5.00&currency=usd`;
    for (const changed of [{ amount: '50.00' }, { currency: 'eur' }, { shown: '' }, { expires: '2999-01-01' }])
      expect((await press(asked, changed)).status).toBe(409);
    expect((await press(asked, { currency: 'xxx' })).status).toBe(400);
    expect(await grantsOf(customer)).toEqual([]);
  });

  it('erases a customer once its reference is typed; the audit log keeps nothing of what was typed', async () => {
    const customer = await customerOf({ name: 'Grace Hopper', customer_reference: 'crm-4711', emails: { main: 'grace@example.com' } });
    const path = `/console/customer/${customer}/erase`;
    expect(await visitor.text(path)).toMatch(/What is erased .*What stays .*To go on, type: crm-4711/);
    const wrong = await press(path, { confirm: 'Grace Hopper' });
    expect([wrong.status, wrong.text]).toEqual([422, expect.stringContaining('Type exactly: crm-4711')]);
    expect((await vendor.api.read(`/v1/c/customer/${customer}`)).name).toBe('Grace Hopper');
    expect((await press(path, { confirm: 'crm-4711' })).status).toBe(303);
    await eventually(async () => expect((await vendor.api.post(`/v1/c/customer/${customer}/erase`, {})).body.ended).not.toBeNull());
    const left = JSON.stringify([
      await vendor.api.read(`/v1/c/customer/${customer}`),
      (await vendor.api.read(`/v1/c/audit?object=${customer}`)).hits,
      (await visitor.page(`/console/customer/${customer}`)).html,
    ]);
    for (const personal of ['Grace', 'crm-4711', 'grace@example.com']) expect(left).not.toContain(personal);
    expect(left).toContain('console.customer.erase');
  });

  it('says what is in the way of erasing, and has no button for it', async () => {
    const { customer } = await owing();
    const { text, html } = await visitor.page(`/console/customer/${customer}/erase`);
    expect(text).toMatch(/What is in the way .*is live: cancel it/);
    expect(html).not.toContain('name="confirm"');
    const refused = await visitor.post(`/console/customer/${customer}/erase`, { csrf: await visitor.csrf(), confirm: 'Ada' });
    expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('Money is still open')]);
  });

  it('shows another vendor’s customers and credits as if they were not there', async () => {
    const customer = await customerOf();
    await press(`/console/customer/${customer}/grant?next=yes&amount=5&currency=usd`);
    const [{ id }] = await grantsOf(customer);
    const other = await VendorInConsole.signIn((await newVendor('Other')).apiKey);
    const fields = { csrf: await other.csrf(), amount: '5', currency: 'usd', description: 'x', shown: 'x', confirm: 'Ada' };
    for (const path of [
      `customer/${customer}/grant`,
      `customer/${customer}/wallet`,
      `customer/${customer}/erase`,
      `credit_grant/${id}/void`,
    ]) {
      expect([path, (await other.get(`/console/${path}`)).status]).toEqual([path, 404]);
      expect([path, (await other.post(`/console/${path}`, fields)).status]).toEqual([path, 404]);
    }
    expect((await grantsOf(customer))[0]).toMatchObject({ status: 'active', left: '5.00' });
  });

  it('says that no e-mails are sent to a customer, in the words of the API', async () => {
    const { invoice } = await owing();
    expect(await visitor.text(`/console/invoice/${invoice}/send`)).toContain('goes to the customer’s billing address');
    const refused = await press(`/console/invoice/${invoice}/send`);
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('no e-mails are sent to this customer')]);
  });
});
