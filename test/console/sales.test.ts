import { type ClockHandle, clockOf } from '../support/clock.ts';
import { VendorInConsole } from '../support/console-visitor.ts';
import { newVendor, type TestVendor } from '../support/vendor.ts';

const flat = (amount: string) => ({ amount, strategy_details: { pricing_strategy: 'flat' } });
const seats = { pricing_strategy: 'per_unit', unit_name: 'seat', unit_count: '2', minimum_units: '1', maximum_units: '50' };

describe('what somebody sells and changes in the console', () => {
  let vendor: TestVendor;
  let visitor: VendorInConsole;
  let clock: ClockHandle;
  const plans: Record<string, { plan: string; month: string; year: string }> = {};

  const makePlan = async (slug: string, month: string, year: string): Promise<void> => {
    const price = { features: { seats: { amount: '5.00', strategy_details: seats } } };
    const plan: string = await vendor.api.made('/v1/c/plan', {
      slug,
      internal_name: slug,
      strategy: 'plan',
      features: [{ slug: 'seats', name: 'Seats' }],
      pricings: [
        { currency: 'usd', cycle: 'month', price: flat(month), ...price },
        { currency: 'usd', cycle: 'year', price: flat(year), ...price },
      ],
    });
    const { pricings } = await vendor.api.read(`/v1/c/plan/${plan}`);
    const idOf = (cycle: string): string => pricings.find((one: { cycle: string }) => one.cycle === cycle).pricing_id;
    plans[slug] = { plan, month: idOf('month'), year: idOf('year') };
  };
  const customerWith = async (method: string | null): Promise<string> => {
    const customer: string = await vendor.api.made('/v1/c/customer', { name: 'Ada', test_clock: clock.id });
    await vendor.api.made(`/v1/c/customer/${customer}/activate`, {});
    if (method === null) return customer;
    const { token } = await vendor.api.made<{ token: string }>(`/v1/c/customer/${customer}/payment/session`, { provider: 'sandbox' });
    const confirms = () => vendor.api.made(`/v1/c/payment/session/${token}/confirm`, { payment_method: method });
    await confirms();
    // the bank asks once more when such a method is set up
    if (method === 'sandbox_needs_action') await confirms();
    return customer;
  };
  const signed = async (customer: string, slug = 'basic'): Promise<string> =>
    vendor.api.made('/v1/c/contract', { customer, plan: plans[slug]?.plan, currency: 'usd', cycle: 'month' });
  const contractsOf = async (customer: string) => (await vendor.api.read(`/v1/c/contract?customer=${customer}`)).hits;
  const totalsOf = async (contract: string): Promise<string[]> =>
    (await vendor.api.read(`/v1/c/invoice?contract=${contract}`)).hits.map(({ invoice }: { invoice: { total: string } }) => invoice.total);
  const detailOf = async (contract: string) => (await vendor.api.read(`/v1/c/contract/${contract}`)).contract_summary;

  const fieldsOf = async (path: string): Promise<Record<string, string>> => {
    const [form = ''] = /<main[\s\S]*<\/main>/.exec((await visitor.page(path)).html) ?? [];
    const found = form.matchAll(/<input type="(?:hidden|text)"[^>]* name="([^"]+)" value="([^"]*)"/g);
    return Object.fromEntries([...found].map(([, name = '', value = '']) => [name, value]));
  };
  const press = async (path: string, changed: Record<string, string> = {}) =>
    visitor.post(path.split('?')[0] ?? '', { ...(await fieldsOf(path)), ...changed });

  beforeAll(async () => {
    vendor = await newVendor('Sells');
    clock = await clockOf(vendor, '2025-01-01T00:00:00Z');
    await makePlan('basic', '31.00', '310.00');
    await makePlan('pro', '62.00', '620.00');
    visitor = await VendorInConsole.signIn(vendor.apiKey);
  });

  it('signs a contract for a customer as it was shown: plan, seats and price, charged to the card', async () => {
    const customer = await customerWith('sandbox_ok');
    const path = `/console/customer/${customer}/sign`;
    expect(await visitor.text(path)).toMatch(/basic: USD 41\.00 a month basic: USD 320\.00 a year pro: USD 72\.00 a month/);
    const pricing = plans.basic?.month ?? '';
    expect(await visitor.text(`${path}?to=${pricing}`)).toContain('From 1 to 50');
    const asked = `${path}?to=${pricing}&next=yes&units.seats=4`;
    const page = await visitor.text(asked);
    expect(page).toMatch(/Invoiced in all USD 51\.00/);
    expect(page).toMatch(/Charged on 1 January 2025: Test card ending in 4242 USD 51\.00/);
    const fields = await fieldsOf(asked);
    const done = await visitor.post(path, fields);
    expect([done.status, done.location]).toEqual([303, expect.stringMatching(/^\/console\/contract\/Cont_/)]);
    const contract = done.location?.split('/').at(-1) ?? '';
    expect(await visitor.text(done.location ?? '')).toContain('The contract was signed.');
    expect([await totalsOf(contract), (await contractsOf(customer)).length]).toEqual([['51.00'], 1]);
    const { hits } = await vendor.api.read('/v1/c/audit?actor=console');
    expect(hits.at(-1)).toMatchObject({ action: 'console.customer.sign', object: customer });
    expect(hits.at(-1).after).toMatchObject({ to: pricing, 'units.seats': '4', shown: '51.00' });
    expect(hits.at(-1).after).not.toHaveProperty('estimate');
    const twice = await visitor.post(path, fields);
    expect([twice.status, twice.location]).toEqual([303, done.location]);
    expect(await visitor.text(done.location ?? '')).toContain('This contract was signed already; nothing was done a second time.');
    expect((await contractsOf(customer)).length).toBe(1);
    expect((await vendor.api.read(`/v1/c/audit?object=${customer}&actor=console`)).hits).toHaveLength(1);
  });

  it('signs one contract though its button is pressed twice at once, and each press leads to it', async () => {
    const customer = await customerWith('sandbox_ok');
    const path = `/console/customer/${customer}/sign`;
    const fields = await fieldsOf(`${path}?to=${plans.basic?.month}&next=yes&units.seats=2`);
    const presses = await Promise.all([visitor.post(path, fields), visitor.post(path, fields)]);
    const [first, second] = presses.map(({ status, location }) => [status, location]);
    expect(first).toEqual([303, expect.stringMatching(/^\/console\/contract\/Cont_/)]);
    expect([second, (await contractsOf(customer)).length]).toEqual([first, 1]);
    expect(await totalsOf(presses[0]?.location?.split('/').at(-1) ?? '')).toEqual(['41.00']);
  });

  it('signs for a later day, and refuses days and numbers that are none, beside their fields', async () => {
    const customer = await customerWith(null);
    const path = `/console/customer/${customer}/sign?to=${plans.pro?.year}&next=yes`;
    for (const [query, words] of [
      ['start=tomorrow', 'Write the day as'],
      ['units.seats=51', 'Seats: give at most 50'],
      ['units.seats=0', 'Seats: give at least 1'],
      ['units.seats=many', 'Seats as a number'],
    ] as const) {
      const page = await visitor.get(`${path}&${query}`);
      expect([query, page.status, page.text]).toEqual([query, 422, expect.stringContaining(words)]);
      expect(page.html).toContain(`value="${query.split('=')[1]}"`);
    }
    const asked = `${path}&start=2025-02-01`;
    expect(await visitor.text(asked)).toMatch(/Begins 1 February 2025/);
    const done = await press(asked);
    expect((await detailOf(done.location?.split('/').at(-1) ?? '')).status).toBe('scheduled');
  });

  it('signs nothing but what was shown, and charges no more', async () => {
    const customer = await customerWith('sandbox_ok');
    const asked = `/console/customer/${customer}/sign?to=${plans.basic?.month}&next=yes&units.seats=4`;
    for (const changed of [{ 'units.seats': '5' }, { to: plans.pro?.month ?? '' }, { estimate: 'x' }, { shown: '' }])
      expect((await press(asked, changed)).status).toBe(400);
    const less = await press(asked, { shown: '50.99' });
    expect([less.status, await contractsOf(customer)]).toEqual([409, []]);
    const other = await VendorInConsole.signIn((await newVendor('Other')).apiKey);
    for (const path of [`customer/${customer}/sign`]) {
      expect((await other.get(`/console/${path}`)).status).toBe(404);
      expect((await other.post(`/console/${path}`, { ...(await fieldsOf(asked)), csrf: await other.csrf() })).status).toBe(404);
    }
    expect(await contractsOf(customer)).toEqual([]);
  });

  it('changes to a dearer plan at once, to the cent of what was shown, and once', async () => {
    const customer = await customerWith('sandbox_ok');
    const contract = await signed(customer);
    const path = `/console/contract/${contract}/change`;
    expect(await visitor.text(path)).toMatch(/basic: other units, at the contract’s own prices .*pro: USD 72\.00 a month/);
    const asked = `${path}?to=${plans.pro?.month}&next=yes`;
    const shown = await visitor.text(asked);
    expect(shown).toMatch(/basic → pro/);
    const due = (await fieldsOf(asked)).shown ?? '';
    expect(due).toBe('31.00');
    expect((await press(asked, { shown: '30.99' })).status).toBe(409);
    expect((await press(asked, { to: plans.pro?.year ?? '' })).status).toBe(400);
    const fields = await fieldsOf(asked);
    const presses = await Promise.all([visitor.post(path, fields), visitor.post(path, fields)]);
    expect(presses.map(({ status }) => status)).toEqual([303, 303]);
    const [made] = new Set(presses.map(({ location }) => location));
    const next = made?.split('/').at(-1) ?? '';
    expect([(await detailOf(contract)).status, (await detailOf(next)).plan]).toEqual(['moved', 'pro']);
    expect(await totalsOf(next)).toEqual([due]);
    const { hits } = await vendor.api.read(`/v1/c/audit?object=${contract}&actor=console`);
    expect(hits.map(({ action }: { action: string }) => action)).toEqual(['console.contract.change']);
    const elsewhere = await visitor.get(path);
    expect([elsewhere.status, elsewhere.location]).toEqual([303, `/console/contract/${next}/change`]);
  });

  it('lets a change wait for the end of the cycle, takes it back, and makes a downgrade at once where that is chosen', async () => {
    const customer = await customerWith(null);
    const contract = await signed(customer, 'pro');
    const asked = `/console/contract/${contract}/change?to=${plans.basic?.month}&next=yes`;
    expect(await visitor.text(asked)).toMatch(/Takes effect 1 February 2025 .*Nothing is charged now\. Invoiced on 1 February 2025/);
    expect((await press(asked)).status).toBe(303);
    expect(await visitor.text(`/console/contract/${contract}`)).toContain('Take the change back');
    const undone = await press(`/console/contract/${contract}/change_undo`);
    expect([undone.status, undone.location]).toEqual([303, `/console/contract/${contract}`]);
    expect(await visitor.text(`/console/contract/${contract}`)).toContain('The change was taken back.');
    const again = await press(`/console/contract/${contract}/change_undo`);
    expect(again.status).toBe(409);
    const now = await press(`${asked}&when=now`);
    expect(now.status).toBe(303);
    expect([(await detailOf(contract)).status, (await detailOf(now.location?.split('/').at(-1) ?? '')).plan]).toEqual(['moved', 'basic']);
  });

  it('changes the number of seats at the contract’s own prices', async () => {
    const contract = await signed(await customerWith(null));
    const done = await press(`/console/contract/${contract}/change?to=own&next=yes&units.seats=6`);
    expect(await totalsOf(done.location?.split('/').at(-1) ?? '')).toEqual(['20.00']);
    const page = await visitor.get(`${done.location}/change?to=own&next=yes&units.seats=99`);
    expect([page.status, page.text]).toEqual([422, expect.stringContaining('Seats: give at most 50')]);
  });

  it('takes back a contract that awaits its payment, and no other', async () => {
    const customer = await customerWith('sandbox_needs_action');
    const terms = { customer, plan: plans.basic?.plan, currency: 'usd', cycle: 'month', payment_gate: { expires_in_hours: 3 } };
    const contract: string = await vendor.api.made('/v1/c/contract', terms);
    expect(await visitor.text(`/console/contract/${contract}`)).toContain('Take the contract back');
    expect(await visitor.text(`/console/contract/${contract}/take_back`)).toContain('until 1 January 2025, 03:00 UTC');
    const done = await press(`/console/contract/${contract}/take_back`);
    expect([done.status, done.location]).toEqual([303, `/console/customer/${customer}`]);
    expect(await visitor.text(`/console/customer/${customer}`)).toContain('The contract was taken back.');
    const paid = await signed(customer);
    const refused = await visitor.post(`/console/contract/${paid}/take_back`, { csrf: await visitor.csrf() });
    expect([refused.status, (await detailOf(paid)).status]).toEqual([409, 'active']);
  });
});
