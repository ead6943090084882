import { type ClockHandle, clockOf } from '../support/clock.ts';
import { CustomerInPortal } from '../support/portal-visitor.ts';
import { newVendor, type TestVendor } from '../support/vendor.ts';

const flat = (amount: string) => ({ amount, strategy_details: { pricing_strategy: 'flat' } });
const calls = (amount: string) => ({
  amount,
  strategy_details: { pricing_strategy: 'usage', unit_name: 'call', over_usage_charge_strategy: 'extra_usage_overcharge' },
});

interface PlanWords {
  price: string;
  call?: string;
  cycle?: string;
  trialDays?: number;
  setUp?: string;
}

describe('what a change in the portal shows', () => {
  let vendor: TestVendor;
  let clock: ClockHandle;
  let customer: string;

  beforeEach(async () => {
    vendor = await newVendor('Bricks & Co');
    clock = await clockOf(vendor, '2025-06-01T00:00:00Z');
    customer = await vendor.api.made('/v1/c/customer', { name: 'Ada', test_clock: clock.id });
    await vendor.api.made(`/v1/c/customer/${customer}/activate`, {});
  });

  async function plan(slug: string, { price, call, cycle = 'month', trialDays = 0, setUp }: PlanWords): Promise<string> {
    const features = [
      ...(call === undefined ? [] : [{ slug: 'calls', name: 'API calls', charge_trigger: 'every_cycle' }]),
      ...(setUp === undefined ? [] : [{ slug: 'set_up', name: 'Set-up', charge_trigger: 'first_cycle' }]),
    ];
    const prices = { ...(call === undefined ? {} : { calls: calls(call) }), ...(setUp === undefined ? {} : { set_up: flat(setUp) }) };
    const pricings = [{ currency: 'eur', cycle, price: flat(price), features: prices }];
    const body = {
      slug,
      internal_name: slug,
      external_name: slug.toUpperCase(),
      strategy: 'plan',
      free_trial_days: trialDays,
      features,
      pricings,
    };
    return vendor.api.made('/v1/c/plan', body);
  }

  const sign = (of: string, terms: object = {}): Promise<string> =>
    vendor.api.made('/v1/c/contract', { customer, plan: of, currency: 'eur', cycle: 'month', ...terms });
  const pricingOf = async (of: string): Promise<string> => (await vendor.api.read(`/v1/c/plan/${of}`)).pricings[0].pricing_id;
  const totals = async (): Promise<string[]> =>
    (await vendor.api.read(`/v1/c/invoice?customer=${customer}&limit=100`)).hits.map(
      ({ invoice }: { invoice: { total: string } }) => invoice.total,
    );

  /** The review of a change to a plan, and what confirming it does. */
  async function changes(contract: string, to: string) {
    const portal = await CustomerInPortal.enter(vendor, customer);
    const review = await portal.get(`/portal/contract/${contract}/change/review?to=${await pricingOf(to)}`);
    expect(review.status).toBe(200);
    return { text: review.text, confirm: () => portal.send(review, `/portal/contract/${contract}/change`) };
  }

  it('usage so far at the old price, 15 of 30 days of each plan, and a set-up fee once: 2.00 −15.00 +30.00 +9.00', async () => {
    const contract = await sign(await plan('small', { price: '30.00', call: '0.10' }));
    await clock.advanceTo('2025-06-16T00:00:00Z');
    await vendor.api.made('/v1/c/usage', { customer_id: customer, feature_slug: 'calls', units: '20', timestamp: '2025-06-10T00:00:00Z' });
    const { text, confirm } = await changes(contract, await plan('large', { price: '60.00', call: '0.05', setUp: '9.00' }));
    for (const part of [
      'API calls: 20 used EUR 2.00',
      'Unused time of SMALL, 15 of 30 days −EUR 15.00',
      'LARGE, 15 of 30 days EUR 30.00',
      'Set-up, once EUR 9.00',
      'Total EUR 26.00',
      'To be paid by you by 16 June 2025 EUR 26.00',
      'Confirm change',
    ]) {
      expect(text).toContain(part);
    }
    expect(text).not.toContain('Confirm and pay');
    expect((await confirm()).status).toBe(303);
    expect((await totals()).slice(1).sort()).toEqual(['2.00', '24.00']);
  });

  it('half a day more exactly: 14.5 of 30 days', async () => {
    const contract = await sign(await plan('small', { price: '30.00' }));
    await clock.advanceTo('2025-06-16T12:00:00Z');
    const { text, confirm } = await changes(contract, await plan('large', { price: '60.00' }));
    expect(text).toContain('Unused time of SMALL, 14.5 of 30 days −EUR 14.50');
    expect(text).toContain('LARGE, 14.5 of 30 days EUR 29.00');
    await confirm();
    expect(await totals()).toEqual(['30.00', '14.50']);
  });

  it('a discount: 10 % less of what is charged, and of what is given back', async () => {
    const discount: string = await vendor.api.made('/v1/c/discount', {
      slug: 'ten',
      name: 'Ten off',
      discount_type: 'percentage',
      amount: '10',
      duration: 12,
    });
    const contract = await sign(await plan('small', { price: '30.00' }), { discount_id: discount });
    await clock.advanceTo('2025-06-16T00:00:00Z');
    const { text, confirm } = await changes(contract, await plan('large', { price: '60.00' }));
    for (const part of [
      'Unused time of SMALL, 15 of 30 days −EUR 13.50',
      'LARGE, 15 of 30 days with discount Ten off: EUR 3.00 less EUR 27.00',
      'Total EUR 13.50',
      'Your discount “Ten off” goes on',
    ]) {
      expect(text).toContain(part);
    }
    await confirm();
    expect(await totals()).toEqual(['27.00', '13.50']);
  });

  it('in a trial: at once, nothing to pay, and the trial goes on', async () => {
    const contract = await sign(await plan('small', { price: '30.00', trialDays: 20 }));
    await clock.advanceTo('2025-06-11T00:00:00Z');
    const { text, confirm } = await changes(contract, await plan('large', { price: '60.00' }));
    for (const part of ['You pay nothing now.', 'Your free trial goes on until 21 June 2025.', 'Begins At once', 'Confirm change']) {
      expect(text).toContain(part);
    }
    expect((await confirm()).status).toBe(303);
    expect(await totals()).toEqual([]);
    await clock.advanceTo('2025-06-22T00:00:00Z');
    expect(await totals()).toEqual(['60.00']);
  });

  it('what falls due at the end of the period, and who pays it then', async () => {
    const { token } = await vendor.api.made<{ token: string }>(`/v1/c/customer/${customer}/payment/session`, {});
    await vendor.api.made(`/v1/c/payment/session/${token}/confirm`, { payment_method: 'sandbox_ok' });
    const contract = await sign(await plan('small', { price: '30.00' }), { due_date_policy: 'end_of_period' });
    await clock.advanceTo('2025-06-16T00:00:00Z');
    const { text } = await changes(contract, await plan('large', { price: '60.00' }));
    expect(text).toContain('Charged on 1 July 2025 to Test card ending in 4242 EUR 15.00');
    expect(text).not.toContain('Confirm and pay');
  });

  it('amounts that the vendor invoices later, where invoices are made by hand', async () => {
    const contract = await sign(await plan('small', { price: '30.00' }), { invoice_trigger: 'manual' });
    await clock.advanceTo('2025-06-16T00:00:00Z');
    const { text, confirm } = await changes(contract, await plan('large', { price: '60.00' }));
    expect(text).toContain('These amounts will be on one of your next invoices.');
    expect(text).toContain('LARGE, 15 of 30 days EUR 30.00');
    expect(text).not.toMatch(/Usage so far|1 June 2025 to 1 July 2025/);
    expect((await confirm()).status).toBe(303);
    expect(await totals()).toEqual([]);
  });

  it('usage that closes a day later: about 2.00 on a later invoice', async () => {
    const contract = await sign(await plan('small', { price: '30.00', call: '0.10' }), { usage_period_closing_policy: '1 day' });
    await clock.advanceTo('2025-06-16T00:00:00Z');
    await vendor.api.made('/v1/c/usage', { customer_id: customer, feature_slug: 'calls', units: '20', timestamp: '2025-06-10T00:00:00Z' });
    const { text, confirm } = await changes(contract, await plan('large', { price: '60.00', call: '0.05' }));
    expect(text).toContain('Usage so far, about EUR 2.00, will be on a later invoice.');
    expect(text).toContain('Total EUR 15.00');
    await confirm();
    expect(await totals()).toEqual(['30.00', '15.00']);
    await clock.advanceTo('2025-06-18T00:00:00Z');
    expect(await totals()).toEqual(['30.00', '15.00', '2.00']);
  });

  it('an end that is known: it stays after a change at once, and comes before one that waits', async () => {
    const contract = await sign(await plan('small', { price: '30.00' }));
    await clock.advanceTo('2025-06-16T00:00:00Z');
    await vendor.api.made(`/v1/c/contract/${contract}/cancel`, { when: { type: 'end_of_cycle' } });
    expect((await changes(contract, await plan('large', { price: '60.00' }))).text).toContain(
      'Your subscription still ends on 1 July 2025.',
    );
    const less = await changes(contract, await plan('tiny', { price: '10.00' }));
    expect(less.text).toContain('Your subscription ends on 1 July 2025, so this change will not happen.');
  });

  it('from a month to a year: a new period at once; from a year to a month: a smaller price a year waits for the end', async () => {
    const month = await plan('monthly', { price: '30.00' });
    const year = await plan('yearly', { price: '300.00', cycle: 'year' });
    const contract = await sign(month);
    await clock.advanceTo('2025-06-16T00:00:00Z');
    const down = await changes(contract, year);
    for (const part of [
      'Begins On 1 July 2025',
      'YEARLY, 1 July 2025 to 1 July 2026',
      'Total EUR 300.00',
      'Price from then on EUR 300.00 a year',
    ]) {
      expect(down.text).toContain(part);
    }
    const dear = await plan('dear', { price: '600.00', cycle: 'year' });
    const up = await changes(contract, dear);
    for (const part of [
      'Unused time of MONTHLY, 15 of 30 days −EUR 15.00',
      'DEAR, 16 June 2025 to 16 June 2026 EUR 600.00',
      'Total EUR 585.00',
    ]) {
      expect(up.text).toContain(part);
    }
    await up.confirm();
    expect(await totals()).toEqual(['30.00', '585.00']);
  });

  it('of a plan paid once: no credit, the new price whole, and a smaller one is refused with words', async () => {
    const single = await plan('single', { price: '100.00', cycle: 'once' });
    const contract = await sign(single, { cycle: 'once' });
    const more = await changes(contract, await plan('double', { price: '200.00', cycle: 'once' }));
    expect(more.text).toContain('Total EUR 200.00');
    const portal = await CustomerInPortal.enter(vendor, customer);
    const less = await portal.get(
      `/portal/contract/${contract}/change/review?to=${await pricingOf(await plan('half', { price: '50.00', cycle: 'once' }))}`,
    );
    expect([less.status, less.text.includes('Your plan has no billing period, so a smaller plan cannot begin')]).toEqual([409, true]);
  });
});
