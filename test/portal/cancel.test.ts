import { type ClockHandle, clockOf } from '../support/clock.ts';
import { withTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { waitingFor } from '../support/locks.ts';
import { CustomerInPortal } from '../support/portal-visitor.ts';
import { newVendor, type TestVendor } from '../support/vendor.ts';

const planBody = (slug: string, name: string, more: object = {}) => ({
  slug,
  internal_name: `${name} 2025`,
  external_name: name,
  strategy: 'plan',
  features: [{ slug: `${slug}_calls`, name: 'API calls', charge_trigger: 'every_cycle' }],
  pricings: [
    {
      currency: 'eur',
      cycle: 'month',
      price: { amount: '10.00', strategy_details: { pricing_strategy: 'flat' } },
      features: {
        [`${slug}_calls`]: {
          amount: '0.10',
          strategy_details: { pricing_strategy: 'usage', unit_name: 'call', over_usage_charge_strategy: 'extra_usage_overcharge' },
        },
      },
    },
  ],
  ...more,
});

describe('a cancellation in the portal', () => {
  let vendor: TestVendor;
  let clock: ClockHandle;
  let customer: string;
  let contract: string;
  let portal: CustomerInPortal;

  /** Basic for 10.00 a month and 0.10 a call, signed on 1 July; today is 11 July. */
  beforeEach(async () => {
    vendor = await newVendor('Bricks & Co');
    clock = await clockOf(vendor, '2025-07-01T00:00:00Z');
    customer = await vendor.api.made('/v1/c/customer', { name: 'Ada', test_clock: clock.id });
    await vendor.api.made(`/v1/c/customer/${customer}/activate`, {});
    contract = await signs(planBody('basic', 'Basic'));
    await clock.advanceTo('2025-07-11T00:00:00Z');
    portal = await CustomerInPortal.enter(vendor, customer);
  });

  const signs = async (body: object, terms: object = {}): Promise<string> => {
    const plan: string = await vendor.api.made('/v1/c/plan', body);
    const { pricings } = await vendor.api.read(`/v1/c/plan/${plan}`);
    return vendor.api.made('/v1/c/contract', { customer, plan, currency: 'eur', cycle: pricings[0].cycle, ...terms });
  };
  const page = (below = '', id = contract): string => `/portal/contract/${id}${below}`;
  const status = async (id = contract): Promise<string> => (await vendor.api.read(`/v1/c/contract/${id}`)).contract_summary.status;
  const totals = async (): Promise<string[]> =>
    (await vendor.api.read(`/v1/c/invoice?customer=${customer}&limit=100`)).hits.map(
      ({ invoice }: { invoice: { total: string } }) => invoice.total,
    );

  it('says what it means, ends the contract on 1 August with its last usage of 1.20 billed, and stores reason and words', async () => {
    await vendor.api.made('/v1/c/usage', { customer_id: customer, feature_slug: 'basic_calls', units: '12' });
    const look = await portal.get(page('/cancel'));
    for (const part of [
      'You can use Basic until 1 August 2025 . Then it ends.',
      'What you have paid for the time until then is not paid back.',
      'Your usage until then is charged on a last invoice. Up to now it comes to EUR 1.20.',
      'You can take the cancellation back here until then.',
      'Confirm cancellation on 1 August 2025',
    ]) {
      expect(look.text).toContain(part);
    }
    const done = await portal.send(look, page('/cancel'), { reason: 'too_expensive', words: 'Ten euros <b>a month</b>' });
    expect([done.status, done.location]).toEqual([303, page()]);
    expect(await status()).toBe('active');
    const { past, next } = await vendor.api.read(`/v1/c/contract/${contract}/timeline`);
    expect(past).toContainEqual(
      expect.objectContaining({
        what: 'cancel',
        actor: { type: 'portal', id: customer },
        data: expect.objectContaining({ notes: 'It is too expensive: Ten euros <b>a month</b>' }),
      }),
    );
    expect(JSON.stringify(next)).toContain('2025-08-01T00:00:00.000Z');
    await clock.advanceTo('2025-08-02T00:00:00Z');
    expect(await status()).toBe('canceled');
    expect(await totals()).toEqual(['10.00', '1.20']);
    expect((await vendor.api.read(`/v1/c/customer/${customer}/history`)).hits).toContainEqual(
      expect.objectContaining({ action: 'contract_canceled', object: contract, actor: { type: 'portal', id: customer } }),
    );
  });

  it('is shown with a button that takes it back; then the contract goes on and is charged on 1 August', async () => {
    await portal.send(await portal.get(page('/cancel')), page('/cancel'));
    const shown = await portal.get(page('/cancel'));
    expect(shown.text).toContain('Your subscription ends on 1 August 2025 .');
    expect(shown.text).not.toContain('Confirm cancellation');
    expect((await portal.send(shown, page('/cancel_undo'))).location).toBe(page());
    expect((await portal.get(page('/cancel'))).text).toContain('Confirm cancellation on 1 August 2025');
    await clock.advanceTo('2025-08-02T00:00:00Z');
    expect([await status(), await totals()]).toEqual(['active', ['10.00', '10.00']]);
  });

  it('confirmed twice is one cancellation; taken back twice is taken back once', async () => {
    const look = await portal.get(page('/cancel'));
    const both = await Promise.all([portal.send(look, page('/cancel')), portal.send(look, page('/cancel'))]);
    expect(both.map(({ location }) => location)).toEqual([page(), page()]);
    const shown = await portal.get(page('/cancel'));
    expect((await portal.send(shown, page('/cancel_undo'))).status).toBe(303);
    expect((await portal.send(shown, page('/cancel_undo'))).status).toBe(303);
    expect((await vendor.api.read(`/v1/c/customer/${customer}/history`)).hits.map(({ action }: { action: string }) => action)).toEqual(
      expect.arrayContaining(['contract_canceled', 'cancellation_undone']),
    );
  });

  it('that was shown for 1 August ends nothing once a new period runs to 1 September: the page says so', async () => {
    const look = await portal.get(page('/cancel'));
    await clock.advanceTo('2025-08-05T00:00:00Z');
    const moved = await portal.send(look, page('/cancel'));
    expect(moved.status).toBe(409);
    expect(moved.text).toContain('A new period has begun in the meantime');
    expect(moved.text).toContain('Confirm cancellation on 1 September 2025');
    await clock.advanceTo('2025-09-02T00:00:00Z');
    expect([await status(), await totals()]).toEqual(['active', ['10.00', '10.00', '10.00']]);
  });

  it('in a free trial may be at its end or at once, and costs nothing', async () => {
    contract = await signs(planBody('trial', 'Trial', { free_trial_days: 10 }));
    const look = await portal.get(page('/cancel'));
    for (const part of ['On 21 July 2025, at the end of the free trial', 'At once', 'Your free trial costs nothing'])
      expect(look.text).toContain(part);
    expect((await portal.send(look, page('/cancel'))).status).toBe(422);
    await portal.send(look, page('/cancel'), { when: 'end_of_cycle' });
    const ending = await portal.get(page('/cancel'));
    expect(ending.text).toContain('Your subscription ends on 21 July 2025 .');
    await portal.send(ending, page('/cancel_undo'));
    const done = await portal.send(look, page('/cancel'), { when: 'now' });
    expect([done.location, await status(), await totals()]).toEqual([page(), 'canceled', ['10.00']]);
  });

  it('at once of a trial that ends while the button is pressed cancels nothing: the page shows the period that has begun', async () => {
    contract = await signs(planBody('trial', 'Trial', { free_trial_days: 10 }));
    const look = await portal.get(page('/cancel'));
    const { pressed } = await withTestDatabase((db) =>
      db.transaction(async (tx) => {
        await tx.query('select id from contract where id = $1 for update', [contract]);
        const sent = portal.send(look, page('/cancel'), { when: 'now' });
        await eventually(async () => expect(await waitingFor(tx, db)).toBe(1));
        await db.query(`update test_clock set now = '2025-07-21T00:00:00Z' where id = $1`, [clock.id]);
        return { pressed: sent };
      }),
    );
    const refused = await pressed;
    expect([refused.status, await status(), await totals()]).toEqual([409, 'active', ['10.00']]);
    expect(refused.text).toContain('A new period has begun in the meantime');
    expect(refused.text).toContain('Confirm cancellation on 21 August 2025');
    await clock.advanceTo('2025-07-22T00:00:00Z');
    expect([await status(), await totals()]).toEqual(['active', ['10.00', '10.00']]);
  });

  it('before the beginning is at once, and the plan does not begin', async () => {
    contract = await signs(planBody('later', 'Later'), { activation: '2025-08-01T00:00:00Z' });
    const look = await portal.get(page('/cancel'));
    expect(look.text).toContain('Later has not begun. It will not begin, and nothing is charged.');
    await portal.send(look, page('/cancel'));
    expect(await status()).toBe('canceled');
    await clock.advanceTo('2025-08-02T00:00:00Z');
    expect(await totals()).toEqual(['10.00', '10.00']);
  });

  it('at once of a period that runs is not the customer’s to choose; a plan paid once and one that expires have nothing to cancel', async () => {
    const look = await portal.get(page('/cancel'));
    expect((await portal.send(look, page('/cancel'), { when: 'now' })).status).toBe(422);
    expect(await status()).toBe('active');
    const [pricing] = planBody('single', 'Single').pricings;
    const once = await signs(planBody('single', 'Single', { features: [], pricings: [{ ...pricing, features: {}, cycle: 'once' }] }));
    expect((await portal.get(page('/cancel', once))).text).toContain('This plan was paid once');
    const ends = await signs(planBody('short', 'Short'), { expiration: '2025-08-01T00:00:00Z' });
    expect((await portal.get(page('/cancel', ends))).text).toContain('This subscription ends by itself on 1 August 2025.');
  });

  it('keeps what was written where it is too long, and says so; without the session’s secret nothing is done', async () => {
    const look = await portal.get(page('/cancel'));
    const long = await portal.send(look, page('/cancel'), { reason: 'support', words: 'x'.repeat(1_001) });
    expect(long.status).toBe(422);
    expect(long.text).toContain('Write at most 1,000 characters.');
    expect(long.html).toContain('<option value="support" selected>');
    expect((await portal.post(page('/cancel'), { when: 'end_of_cycle' })).status).toBe(403);
    expect((await portal.send(look, page('/cancel'), { csrf: 'guessed' })).status).toBe(403);
    expect((await portal.get(page('/cancel'))).text).toContain('Confirm cancellation on 1 August 2025');
  });
});
