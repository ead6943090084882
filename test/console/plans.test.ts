import { clockOf } from '../support/clock.ts';
import { VendorInConsole } from '../support/console-visitor.ts';
import { newVendor, type TestVendor } from '../support/vendor.ts';

const EXAMPLE = '0197a3c4-5b1e-7c3d-8f21-3a9b0c1d2e3f';
const flat = (amount: string, more: object = {}) => ({ amount, strategy_details: { pricing_strategy: 'flat' }, ...more });
const seats = (amount: string) => ({
  amount,
  strategy_details: { pricing_strategy: 'per_unit', unit_name: 'seat', unit_count: '3', minimum_units: '1', maximum_units: '50' },
});

describe('the plans in the console', () => {
  let vendor: TestVendor;
  let visitor: VendorInConsole;
  let [plan, first, third] = ['', '', ''];

  const proAt = (price: object) => ({
    slug: 'pro',
    internal_name: 'Pro 2025',
    external_name: 'Pro',
    strategy: 'plan',
    free_trial_days: 14,
    features: [
      { slug: 'seats', name: 'Seats' },
      { slug: 'sso', name: 'Single sign-on' },
      { slug: 'support', name: 'Support', value: 'priority' },
    ],
    change_rules: { upgrade: { when: 'now', proration: 'full', collect: 'now', credit: 'none' } },
    pricings: [
      { currency: 'usd', cycle: 'month', price, features: { seats: seats('5.00') } },
      {
        currency: 'eur',
        cycle: 'year',
        free_cycles: 2,
        price: flat('290.00', { tax_code: 'saas' }),
        credits: { amount: '10', expires_after_cycles: 3 },
      },
    ],
  });
  const signs = async (): Promise<string> => {
    const customer: string = await vendor.api.made('/v1/c/customer', { name: 'Ada' });
    await vendor.api.made(`/v1/c/customer/${customer}/activate`, {});
    return vendor.api.made('/v1/c/contract', { customer, plan, currency: 'usd', cycle: 'month' });
  };

  beforeAll(async () => {
    vendor = await newVendor('Plans');
    plan = await vendor.api.made('/v1/c/plan', proAt(flat('29.00')));
    first = await signs();
    await signs();
    await vendor.api.made('/v1/c/plan', { id: plan, ...proAt(flat('39.00')) });
    third = await signs();
    await vendor.api.made('/v1/c/plan', { id: plan, description: 'For teams' });
    visitor = await VendorInConsole.signIn(vendor.apiKey);
  });

  it('lists plans with what they are sold in, by slug and status', async () => {
    const old: string = await vendor.api.made('/v1/c/plan', { ...proAt(flat('1.00')), slug: 'old', internal_name: 'Old' });
    await vendor.api.made(`/v1/c/plan/${old}/archive`, {});
    const page = await visitor.page('/console/plans');
    expect(page.text).toMatch(/Old old USD, monthly EUR, yearly archived .* Pro 2025 pro USD, monthly EUR, yearly on sale/);
    expect(page.html).toContain(`href="/console/plan/${plan}"`);
    expect(await visitor.text('/console/plans?status=archived')).not.toContain('Pro 2025');
    expect(await visitor.text('/console/plans?slug=pro')).not.toContain('Old');
  });

  it('shows a plan with prices, cycles, trial, tax codes, rules and what is included', async () => {
    const { text } = await visitor.page(`/console/plan/${plan}`);
    for (const words of [
      'The plan itself USD 39.00',
      'Seats USD 5.00 for each seat; 3 unless agreed otherwise; at least 1; at most 50',
      'The plan itself EUR 290.00 saas',
      'the first 2 cycles are free',
      'Prepaid credits with each cycle: EUR 10.00, for 3 cycles',
      'Single sign-on',
      'Support: priority',
      'Free trial 14 days',
      'To a dearer plan at once in full',
      'For teams',
    ])
      expect(text).toContain(words);
  });

  it('shows the versions with what each changed, and how many contracts stand at the prices of each', async () => {
    const { text, html } = await visitor.page(`/console/plan/${plan}`);
    expect(text).toMatch(/USD, monthly 1 contract .* EUR, yearly 0 contracts/);
    expect(text).toMatch(/Version 3 on sale [^V]*Description: none → For teams 1 /);
    expect(text).toMatch(/Version 2 [^V]*The plan itself in USD, monthly: USD 29\.00 → USD 39\.00 1 /);
    expect(text).toMatch(/Version 1 [^V]*The plan was made\. 2/);
    expect(html).toContain(`href="/console/plan/${plan}/version/1"`);
    const first = await visitor.text(`/console/plan/${plan}/version/1`);
    expect(first).toContain('Version 1 of Pro 2025');
    expect(first).toContain('The plan itself USD 29.00');
    for (const number of ['4', '0', 'x', '99999999999'])
      expect((await visitor.get(`/console/plan/${plan}/version/${number}`)).status).toBe(404);
  });

  it('leads from a contract to the version of its plan that it was signed at, on a test clock of years ago too', async () => {
    for (const [contract, version] of [
      [first, 1],
      [third, 2],
    ] as const) {
      const { html, text } = await visitor.page(`/console/contract/${contract}`);
      expect(html).toContain(`href="/console/plan/${plan}/version/${version}"`);
      expect(text).toContain(`Plan Pro 2025, version ${version}`);
    }
    const clock = await clockOf(vendor, '2020-01-01T00:00:00Z');
    const customer: string = await vendor.api.made('/v1/c/customer', { name: 'Early', test_clock: clock.id });
    await vendor.api.made(`/v1/c/customer/${customer}/activate`, {});
    const early: string = await vendor.api.made('/v1/c/contract', { customer, plan, currency: 'usd', cycle: 'month' });
    expect(await visitor.text(`/console/contract/${early}`)).toContain('Plan Pro 2025, version 2');
  });

  it('archives a plan after saying what that means, and says who did it; running contracts go on', async () => {
    const old: string = await vendor.api.made('/v1/c/plan', { ...proAt(flat('7.00')), slug: 'leaving', internal_name: 'Leaving' });
    const [customer, other] = [
      await vendor.api.made('/v1/c/customer', { name: 'Ada' }),
      await vendor.api.made('/v1/c/customer', { name: 'Ben' }),
    ];
    for (const one of [customer, other]) await vendor.api.made(`/v1/c/customer/${one}/activate`, {});
    const terms = { plan: old, currency: 'usd', cycle: 'month' };
    const contract: string = await vendor.api.made('/v1/c/contract', { customer, ...terms });
    const address = `/console/plan/${old}/archive`;
    expect((await visitor.page(`/console/plan/${old}`)).html).toContain(`href="${address}"`);
    expect(await visitor.text(address)).toMatch(
      /nobody can sign it.* One live contract of it goes on as it was signed.* It can’t be taken back/,
    );
    const { key } = await vendor.api.made<{ key: string }>('/v1/c/api_key', { name: 'reader', scope: 'read' });
    const reader = await VendorInConsole.signIn(key);
    const stranger = await VendorInConsole.signIn((await newVendor('Other')).apiKey);
    for (const [by, status] of [
      [reader, 403],
      [stranger, 404],
    ] as const) {
      expect([(await by.get(address)).status, (await by.post(address, { csrf: await by.csrf() })).status]).toEqual([status, status]);
    }
    expect((await vendor.api.read(`/v1/c/plan/${old}`)).status).toBe('active');
    const fields = { csrf: await visitor.csrf() };
    for (const press of [1, 2]) expect([press, (await visitor.post(address, fields)).location]).toEqual([press, `/console/plan/${old}`]);
    const page = await visitor.page(`/console/plan/${old}`);
    expect([page.text, page.html]).toEqual([
      expect.stringMatching(/The plan was archived\. .*Leaving archived/),
      expect.not.stringContaining(address),
    ]);
    const [entry] = (await vendor.api.read(`/v1/c/audit?object=${old}&actor=console`)).hits;
    expect([entry.action, entry.actor]).toEqual(['console.plan.archive', { type: 'console', id: vendor.keyId }]);
    expect((await vendor.api.read(`/v1/c/contract/${contract}`)).contract_summary.status).toBe('active');
    expect((await vendor.api.post('/v1/c/contract', { customer: other, ...terms })).status).toBe(409);
  });

  it('goes on with older versions, each compared with the one before it', async () => {
    const long: string = await vendor.api.made('/v1/c/plan', { ...proAt(flat('1.00')), slug: 'long', internal_name: 'Long' });
    for (let n = 2; n <= 12; n += 1) await vendor.api.made('/v1/c/plan', { id: long, description: `text ${n}` });
    const { html, text } = await visitor.page(`/console/plan/${long}`);
    expect(text).toContain('Description: text 2 → text 3');
    expect(text).not.toContain('The plan was made');
    expect(html).toContain(`href="/console/plan/${long}?below=3"`);
    expect(await visitor.text(`/console/plan/${long}?below=3`)).toMatch(/Version 2 .*none → text 2 .*Version 1 .*The plan was made/);
  });

  it('previews to the cent what a contract’s invoices come to, for units that are typed', async () => {
    const metered: string = await vendor.api.made('/v1/c/plan', {
      slug: 'metered',
      internal_name: 'Metered',
      strategy: 'plan',
      free_trial_days: 14,
      features: [
        { slug: 'seats', name: 'Seats' },
        { slug: 'calls', name: 'API calls' },
      ],
      pricings: [
        {
          currency: 'usd',
          cycle: 'month',
          price: flat('29.99'),
          features: {
            seats: seats('3.33'),
            calls: {
              amount: '0',
              strategy_details: {
                pricing_strategy: 'usage_tiered',
                tier_mode: 'graduated',
                tiers: [
                  { up_to: '1000', unit_price: '0.0333' },
                  { unit_price: '0.005', flat_fee: '2' },
                ],
              },
            },
          },
        },
      ],
    });
    const clock = await clockOf(vendor, '2025-01-31T00:00:00Z');
    const customer: string = await vendor.api.made('/v1/c/customer', { name: 'Metered', test_clock: clock.id });
    await vendor.api.made(`/v1/c/customer/${customer}/activate`, {});
    const units = { seats: '7' };
    await vendor.api.made('/v1/c/contract', {
      customer,
      plan: metered,
      currency: 'usd',
      cycle: 'month',
      free_trial_days: 0,
      unit_count_configuration: units,
    });
    await vendor.api.made('/v1/c/usage', {
      customer_id: customer,
      feature_slug: 'calls',
      units: '2345',
      timestamp: '2025-01-31T00:00:00Z',
    });
    await clock.advanceTo('2025-02-28T00:00:00Z');
    const { hits } = await vendor.api.read(`/v1/c/invoice?customer=${customer}`);
    const [first, second] = hits as { invoice_items: { total_price: string; name: string }[]; invoice: { total: string } }[];
    expect(first?.invoice.total).toBe('53.30');
    const text = await visitor.text(`/console/plan/${metered}?bought.seats=7&used.calls=2345`);
    expect(text).toMatch(/The plan itself|Metered USD 29\.99 7 × Seats USD 23\.31/);
    expect(text).toMatch(/API calls: 2,345 used USD 42\.03 Total without tax USD 95\.33/);
    expect(JSON.stringify(second)).toContain('42.03');
    const wrong = await visitor.text(`/console/plan/${metered}?bought.seats=70&used.calls=many`);
    expect(wrong).toContain('Correct the units first.');
    expect(await visitor.text(`/console/plan/${metered}?bought.seats=70`)).toContain('Give at most the maximum of units.');
  });

  it('is found by its id, and is linked from the logs', async () => {
    expect((await visitor.get(`/console/search?q=${plan}`)).location).toBe(`/console/plan/${plan}`);
    expect((await visitor.page(`/console/audit?object=${plan}`)).html).toContain(`href="/console/plan/${plan}"`);
    expect(await visitor.text(`/console/search?q=Plan_${EXAMPLE}`)).toContain('Nothing was found');
  });
});
