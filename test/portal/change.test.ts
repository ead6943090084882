import { parkContract } from '../../services/contract/park.ts';
import { type ClockHandle, clockOf } from '../support/clock.ts';
import { withTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { CustomerInPortal, hiddenFields } from '../support/portal-visitor.ts';
import { newVendor, type TestVendor } from '../support/vendor.ts';

const flat = (amount: string) => ({ amount, strategy_details: { pricing_strategy: 'flat' } });
const seats = (amount: string) => ({
  amount,
  strategy_details: { pricing_strategy: 'per_unit', unit_name: 'seat', unit_count: '1', minimum_units: '1', maximum_units: '20' },
});
const calls = (amount: string) => ({
  amount,
  strategy_details: { pricing_strategy: 'usage', unit_name: 'call', over_usage_charge_strategy: 'extra_usage_overcharge' },
});

/** A plan with seats and, on request, calls; in euros, monthly. */
const planBody = (slug: string, name: string, price: string, seat: string, call: string | null = null) => ({
  slug,
  internal_name: `${name} 2025`,
  external_name: name,
  strategy: 'plan',
  features: [
    { slug: 'seats', name: 'Team seats', charge_trigger: 'every_cycle' },
    ...(call === null ? [] : [{ slug: 'calls', name: 'API calls', charge_trigger: 'every_cycle' }]),
  ],
  pricings: [
    {
      currency: 'eur',
      cycle: 'month',
      price: flat(price),
      features: { seats: seats(seat), ...(call === null ? {} : { calls: calls(call) }) },
    },
  ],
});

describe('a change in the portal', () => {
  let vendor: TestVendor;
  let clock: ClockHandle;
  let basic: string;
  let pro: string;
  let customer: string;
  let contract: string;
  let portal: CustomerInPortal;

  /**
   * Basic: 10.00 and 5.00 a seat; Pro: 31.00 and 5.00 a seat. Signed on 1 July with one seat; today is 11 July, so 21
   * of 31 days are left.
   */
  beforeEach(async () => {
    vendor = await newVendor('Bricks & Co');
    basic = await vendor.api.made('/v1/c/plan', planBody('basic', 'Basic', '10.00', '5.00'));
    pro = await vendor.api.made('/v1/c/plan', planBody('pro', 'Pro', '31.00', '5.00'));
    clock = await clockOf(vendor, '2025-07-01T00:00:00Z');
    ({ customer, contract } = await signs());
    await clock.advanceTo('2025-07-11T00:00:00Z');
    portal = await CustomerInPortal.enter(vendor, customer);
  });

  async function signs(plan = basic, terms: object = {}): Promise<{ customer: string; contract: string }> {
    const id: string = await vendor.api.made('/v1/c/customer', { name: 'Ada', test_clock: clock.id });
    await vendor.api.made(`/v1/c/customer/${id}/activate`, {});
    const { token } = await vendor.api.made<{ token: string }>(`/v1/c/customer/${id}/payment/session`, {});
    await vendor.api.made(`/v1/c/payment/session/${token}/confirm`, { payment_method: 'sandbox_ok' });
    return {
      customer: id,
      contract: await vendor.api.made('/v1/c/contract', { customer: id, plan, currency: 'eur', cycle: 'month', ...terms }),
    };
  }

  const page = (below = '', id = contract): string => `/portal/contract/${id}${below}`;
  const pricingOf = async (plan: string): Promise<string> => (await vendor.api.read(`/v1/c/plan/${plan}`)).pricings[0].pricing_id;
  const review = async (to: string, count: string, id = contract) => portal.get(page(`/change/review?to=${to}&units.seats=${count}`, id));
  const contracts = async () => (await vendor.api.read(`/v1/c/contract?customer=${customer}&limit=100`)).hits;
  const statuses = async (): Promise<string[]> => (await contracts()).map(({ status }: { status: string }) => status).sort();
  const live = async () => (await contracts()).filter(({ status }: { status: string }) => status === 'active');
  const totals = async (): Promise<string[]> =>
    (await vendor.api.read(`/v1/c/invoice?customer=${customer}&limit=100`)).hits.map(
      ({ invoice }: { invoice: { total: string } }) => invoice.total,
    );

  it('shows the plans that the vendor sells in the currency, the own one marked, with prices, contents and limits of units', async () => {
    await vendor.api.made('/v1/c/plan', {
      ...planBody('dollars', 'Dollars', '9.00', '1.00'),
      pricings: [{ ...planBody('x', 'x', '9.00', '1.00').pricings[0], currency: 'usd' }],
    });
    const old: string = await vendor.api.made('/v1/c/plan', planBody('old', 'Yesterday', '1.00', '1.00'));
    await vendor.api.made(`/v1/c/plan/${old}/archive`, {});
    const { status, text, html } = await portal.get(page('/change'));
    expect(status).toBe(200);
    for (const part of [
      'Basic Your plan EUR 15.00 a month',
      'Pro EUR 36.00 a month',
      'Team seats EUR 5.00 for each seat',
      'From 1 to 20',
    ]) {
      expect(text).toContain(part);
    }
    expect(text).not.toMatch(/Dollars|Yesterday/);
    expect(html).toContain('name="units.seats" value="1" min="1" max="20" step="1"');
  });

  it('shows what a feature gives in the place of a price, in the words of the customer’s language', async () => {
    const valued = planBody('valued', 'Valued', '31.00', '5.00');
    const features = [
      ...valued.features,
      { slug: 'help', name: 'Help', value: 'within a day' },
      { slug: 'audit', name: 'Audit log', value: true },
    ];
    const plan: string = await vendor.api.made('/v1/c/plan', { ...valued, features });
    expect((await portal.get(page('/change'))).text).toMatch(/Help within a day.*Audit log yes/);
    const other = await signs(plan);
    const visitor = await CustomerInPortal.enter(vendor, other.customer);
    expect((await visitor.get(page('', other.contract))).text).toMatch(/Help – within a day.*Audit log – yes/);
  });

  it('offers only the plans of preferences/portal, in their order', async () => {
    const team: string = await vendor.api.made('/v1/c/plan', planBody('team', 'Team', '20.00', '5.00'));
    await vendor.api.made('/v1/c/plan', planBody('more', 'More', '40.00', '5.00'));
    await vendor.api.made('/v1/c/preferences/portal', { plans: [team, pro] });
    const { text } = await portal.get(page('/change'));
    expect(text).toMatch(/Basic Your plan .* Other plans Team EUR .* Pro EUR /);
    expect(text).not.toContain('More');
    await vendor.api.made('/v1/c/preferences/portal', { plans: [team] });
    expect((await review(await pricingOf(pro), '1')).status).toBe(409);
  });

  it('costs on 11 July −6.77 −3.39 +21.00 +6.77 = 17.61 for Pro with two seats; the estimate, the button and the invoice agree', async () => {
    const estimate = await review(await pricingOf(pro), '2');
    expect(estimate.status).toBe(200);
    for (const part of [
      'From Basic to Pro',
      'Team seats 2 instead of 1',
      'Unused time of Basic, 21 of 31 days −EUR 6.77',
      'Unused time of Team seats, 21 of 31 days −EUR 3.39',
      'Pro, 21 of 31 days EUR 21.00',
      '2 × Team seats, 21 of 31 days EUR 5.00 each EUR 6.77',
      'Total EUR 17.61',
      'Charged now to Test card ending in 4242 EUR 17.61',
      'Price from then on EUR 41.00 a month',
      'Confirm and pay EUR 17.61',
    ]) {
      expect(estimate.text).toContain(part);
    }
    const done = await portal.send(estimate, page('/change'));
    const [now] = await live();
    expect([done.status, done.location]).toEqual([303, page('', now.id)]);
    expect([now.plan_external_name, now.amount]).toEqual(['Pro', '41.00']);
    expect(await totals()).toEqual(['15.00', '17.61']);
    const paid = async () => expect((await vendor.api.read(`/v1/c/invoice?customer=${customer}&status=paid`)).total).toBe(2);
    await eventually(paid);
  });

  it('is written down as the portal in the timeline and in the history of the customer', async () => {
    await portal.send(await review(await pricingOf(pro), '1'), page('/change'));
    const actor = { type: 'portal', id: customer };
    const { past } = await vendor.api.read(`/v1/c/contract/${contract}/timeline`);
    expect(past).toContainEqual(expect.objectContaining({ what: 'v1.contract.change.completed', actor }));
    const { hits } = await vendor.api.read(`/v1/c/customer/${customer}/history`);
    expect(hits).toContainEqual(expect.objectContaining({ action: 'contract_changed', object: contract, actor }));
  });

  it('happens once where two tabs confirm the same estimate, and both are sent to the contract that it made', async () => {
    const estimate = await review(await pricingOf(pro), '1');
    const both = await Promise.all([portal.send(estimate, page('/change')), portal.send(estimate, page('/change'))]);
    const [now] = await live();
    expect(both.map(({ status }) => status)).toEqual([303, 303]);
    expect(new Set(both.map(({ location }) => location))).toEqual(new Set([page('', now.id)]));
    expect((await portal.send(estimate, page('/change'))).location).toBe(page('', now.id));
    expect(await statuses()).toEqual(['active', 'moved']);
    expect(await totals()).toHaveLength(2);
  });

  it('happens once where two tabs confirm two estimates: the second changes and charges nothing', async () => {
    const [more, other] = [await review('own', '3'), await review(await pricingOf(pro), '1')];
    expect((await portal.send(more, page('/change'))).status).toBe(303);
    const after = await totals();
    const second = await portal.send(other, page('/change'));
    const [now] = await live();
    expect([second.status, second.location]).toEqual([303, page('', now.id)]);
    expect(now.plan_external_name).toBe('Basic');
    expect(await totals()).toEqual(after);
  });

  it('charges nothing where the sum has changed since, and shows the new one beside the old one', async () => {
    const estimate = await review(await pricingOf(pro), '1');
    expect(estimate.text).toContain('Confirm and pay EUR 14.23');
    await vendor.api.made('/v1/c/preferences/tax', {
      rates: [{ tax_code: null, country: null, state: null, rate: '0.10' }],
      policy: 'tax_excluded',
    });
    const again = await portal.send(estimate, page('/change'));
    expect(again.status).toBe(409);
    for (const part of [
      'something has changed',
      'nothing was charged',
      'Tax EUR 2.10',
      'You would have paid EUR 14.23 before, now it is EUR 16.33',
      'Confirm and pay EUR 16.33',
    ]) {
      expect(again.text).toContain(part);
    }
    expect(await totals()).toEqual(['15.00']);
    expect((await portal.send(again, page('/change'))).status).toBe(303);
    expect(await totals()).toEqual(['15.00', '16.33']);
  });

  it('to a smaller plan or fewer units waits for 1 August, costs nothing now, and can be taken back', async () => {
    const signed = await signs(pro, { unit_count_configuration: { seats: '4' } });
    portal = await CustomerInPortal.enter(vendor, signed.customer);
    customer = signed.customer;
    contract = signed.contract;
    const before = await totals();
    const estimate = await review(await pricingOf(basic), '2');
    for (const part of [
      'You pay nothing now.',
      'On 11 August 2025, when the current period ends',
      '2 × Team seats, 11 August 2025 to 11 September 2025',
      'Total EUR 20.00',
      'Confirm change on 11 August 2025',
    ]) {
      expect(estimate.text).toContain(part);
    }
    const done = await portal.send(estimate, page('/change'));
    expect([done.status, done.location]).toEqual([303, page()]);
    expect(await statuses()).toEqual(['active', 'scheduled']);
    expect(await totals()).toEqual(before);
    const choice = await portal.get(page('/change'));
    expect(choice.text).toContain('On 11 August 2025 your plan changes to Basic .');
    expect((await portal.send(choice, page('/change_undo'))).location).toBe(page());
    expect((await live())[0].id).toBe(contract);
    expect(await statuses()).toEqual(['active', 'canceled']);
    expect((await portal.send(choice, page('/change_undo'))).status).toBe(303);
  });

  it('that waits for the day on which the contract ends is shown as one that will not happen, until the end is taken back', async () => {
    await portal.send(await review(await pricingOf(pro), '4'), page('/change'));
    [{ id: contract }] = await live();
    await portal.send(await review(await pricingOf(basic), '2'), page('/change'));
    await portal.send(await portal.get(page('/cancel')), page('/cancel'));
    const next = async (): Promise<string[]> =>
      (await vendor.api.read(`/v1/c/contract/${contract}/timeline`)).next.map(({ what }: { what: string }) => what);
    const shown = await portal.get(page());
    expect(shown.text).toContain('Your subscription ends on 1 August 2025, so this change will not happen.');
    expect(shown.text).not.toContain('your plan changes to');
    expect(await next()).toEqual(['cancellation']);
    await portal.send(shown, page('/cancel_undo'));
    expect((await portal.get(page())).text).toContain('On 1 August 2025 your plan changes to Basic .');
    expect(await next()).toEqual(['scheduled_change']);
  });

  it('that waits is planned once where its estimate is confirmed twice; another one takes its place after a second look', async () => {
    const signed = await signs(pro, { unit_count_configuration: { seats: '4' } });
    customer = signed.customer;
    contract = signed.contract;
    portal = await CustomerInPortal.enter(vendor, customer);
    const [two, three] = [await review('own', '2'), await review('own', '3')];
    for (let time = 0; time < 2; time += 1) expect((await portal.send(two, page('/change'))).location).toBe(page());
    expect(await statuses()).toEqual(['active', 'scheduled']);
    const again = await portal.send(three, page('/change'));
    expect([again.status, again.text.includes('The change that you planned for 11 August 2025 will not happen then.')]).toEqual([
      409,
      true,
    ]);
    expect((await portal.send(again, page('/change'))).location).toBe(page());
    expect(await statuses()).toEqual(['active', 'canceled', 'scheduled']);
    expect((await portal.get(page('/change'))).text).toContain('your plan changes: 3 × Team seats .');
  });

  it('without a test clock costs what was shown, though time goes on until it is confirmed', async () => {
    customer = await vendor.api.made('/v1/c/customer', { name: 'Real' });
    await vendor.api.made(`/v1/c/customer/${customer}/activate`, {});
    contract = await vendor.api.made('/v1/c/contract', { customer, plan: basic, currency: 'eur', cycle: 'month' });
    portal = await CustomerInPortal.enter(vendor, customer);
    const estimate = await review(await pricingOf(pro), '2');
    const shown = /Total EUR (\d+\.\d\d)/.exec(estimate.text)?.[1];
    expect((await portal.send(estimate, page('/change'))).status).toBe(303);
    expect(await totals()).toEqual(['15.00', shown]);
  });

  it('of units says what is wrong with them, at their field and in a list above it', async () => {
    for (const [count, problem] of [
      ['21', 'Team seats: choose at most 20.'],
      ['0', 'Team seats: choose at least 1.'],
      ['many', 'Team seats: write a number, for example 1.'],
      ['-1', 'Team seats: write a number, for example 1.'],
    ] as const) {
      const wrong = await review('own', count);
      expect([wrong.status, wrong.text.split(problem).length - 1]).toEqual([422, 2]);
      expect(wrong.html).toContain('<a href="#field-own.seats">');
      expect(wrong.html).toContain(`value="${count}"`);
    }
    const same = await review('own', '1');
    expect([same.status, same.text.includes('You have this already')]).toEqual([409, true]);
  });

  it('is refused for what is not offered: an archived plan, and one of another vendor, before and after the estimate', async () => {
    const to = await pricingOf(pro);
    const estimate = await review(to, '1');
    await vendor.api.made(`/v1/c/plan/${pro}/archive`, {});
    for (const refused of [await review(to, '1'), await portal.send(estimate, page('/change'))]) {
      expect([refused.status, refused.text.includes('This plan is not offered any more')]).toEqual([409, true]);
    }
    const stranger = await newVendor('Somebody else');
    const theirs: string = await stranger.api.made('/v1/c/plan', planBody('theirs', 'Theirs', '1.00', '1.00'));
    expect((await review((await stranger.api.read(`/v1/c/plan/${theirs}`)).pricings[0].pricing_id, '1')).status).toBe(409);
    expect(await totals()).toEqual(['15.00']);
  });

  it("is a 404 for another customer's contract and an unknown one, whatever is asked", async () => {
    const other = await signs();
    const fields = hiddenFields(await review(await pricingOf(pro), '1'), page('/change'));
    for (const id of [other.contract, 'Cont_0197a3c4-5b1e-7c3d-8f21-3a9b0c1d2e3f', 'nonsense']) {
      const pages = [await portal.get(page('/change', id)), await review('own', '2', id), await portal.get(page('/cancel', id))];
      const acts = await Promise.all(
        ['/change', '/change_undo', '/cancel', '/cancel_undo'].map((act) =>
          portal.post(page(act, id), { ...fields, when: 'end_of_cycle' }),
        ),
      );
      expect([...pages, ...acts].map(({ status }) => status)).toEqual(Array(7).fill(404));
    }
  });

  it('needs the secret of the session, the origin of the page and a token of this customer and contract', async () => {
    const estimate = await review(await pricingOf(pro), '1');
    const fields = hiddenFields(estimate, page('/change'));
    const other = await signs();
    const stranger = await CustomerInPortal.enter(vendor, other.customer);
    const theirs = hiddenFields(
      await stranger.get(page(`/change/review?to=${await pricingOf(pro)}&units.seats=1`, other.contract)),
      page('/change', other.contract),
    );
    const refused = [
      await portal.post(page('/change'), { ...fields, csrf: 'guessed' }),
      await portal.post(page('/change'), { estimate: fields.estimate ?? '' }),
      await portal.post(page('/change'), fields, { origin: 'https://evil.example' }),
      await portal.post(page('/change'), fields, { 'sec-fetch-site': 'cross-site' }),
      await portal.post(page('/change'), { ...fields, estimate: '' }),
      await portal.post(page('/change'), { ...fields, estimate: `${fields.estimate}x` }),
      await portal.post(page('/change'), { ...fields, estimate: theirs.estimate ?? '' }),
    ];
    for (const { status } of refused) expect([400, 403]).toContain(status);
    expect(await totals()).toEqual(['15.00']);
    expect((await live())[0].id).toBe(contract);
  });

  it('is not possible while the customer is frozen or after the contract has ended: the page says why', async () => {
    const estimate = await review(await pricingOf(pro), '1');
    await vendor.api.made(`/v1/c/customer/${customer}/inactivate`, { notes: 'asked for' });
    const frozen = [await portal.get(page('/change')), await portal.send(estimate, page('/change')), await portal.get(page('/cancel'))];
    expect(frozen.map(({ status }) => status)).toEqual([200, 409, 200]);
    for (const { text } of frozen) expect(text).toContain('Your account is paused, so nothing can be changed until it is active again.');
    await vendor.api.made(`/v1/c/customer/${customer}/activate`, { notes: 'back' });
    await vendor.api.made(`/v1/c/contract/${contract}/cancel`, { when: { type: 'now' } });
    expect((await portal.get(page('/change'))).text).toContain('This subscription has ended');
    expect((await totals())[0]).toBe('15.00');
  });

  it('is not possible while the contract is parked: the page says that it has to be checked', async () => {
    const estimate = await review(await pricingOf(pro), '1');
    await withTestDatabase((db) => db.transaction((tx) => parkContract(tx, contract, 'a price could not be read', Date.now())));
    const parked = [await portal.get(page('/change')), await portal.send(estimate, page('/change'))];
    expect(parked.map(({ status }) => status)).toEqual([200, 409]);
    for (const { text } of parked) {
      expect(text).toContain('Something of this subscription has to be checked by us first.');
      expect(text).not.toContain('a price could not be read');
    }
  });

  it('opens by a link of the vendor for it', async () => {
    const link: string = await vendor.api.made('/v1/c/customer/authenticate', { id: customer, flow: 'change', contract });
    const entered = await fetch(link, { method: 'POST', redirect: 'manual' });
    expect(entered.headers.get('location')).toBe(page('/change'));
  });

  it('takes the wallet first: with 5.00 in it, 9.23 of 14.23 are charged', async () => {
    await vendor.api.made(`/v1/c/customer/${customer}/wallet/transaction`, { currency: 'eur', amount: '5.00', description: 'a present' });
    const estimate = await review(await pricingOf(pro), '1');
    for (const part of ['Total EUR 14.23', 'Paid from your wallet −EUR 5.00', 'Confirm and pay EUR 9.23'])
      expect(estimate.text).toContain(part);
    await portal.send(estimate, page('/change'));
    const { hits } = await vendor.api.read(`/v1/c/invoice?customer=${customer}&limit=100`);
    expect([hits[1].invoice.total, hits[1].amount_due]).toEqual(['14.23', '9.23']);
  });
});
