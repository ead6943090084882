import { type ClockHandle, clockOf } from '../support/clock.ts';
import { eventually } from '../support/eventually.ts';
import { CustomerInPortal, hiddenFields, type VisitedPage } from '../support/portal-visitor.ts';
import { newVendor, type TestVendor } from '../support/vendor.ts';

const planBody = (slug: string, price: string) => ({
  ...{ slug, internal_name: slug, external_name: slug.toUpperCase(), strategy: 'plan', features: [] },
  pricings: [{ currency: 'eur', cycle: 'month', price: { amount: price, strategy_details: { pricing_strategy: 'flat' } } }],
});

describe('a change in the portal that the wallet pays a part of', () => {
  let vendor: TestVendor;
  let clock: ClockHandle;
  let customer: string;
  let contract: string;
  let large: string;
  let pricing: string;
  let portal: CustomerInPortal;

  /** From 30.00 to 60.00 on 16 June, when 15 of 30 days are left: 15.00. */
  async function signs(method: string): Promise<void> {
    vendor = await newVendor('Bricks & Co');
    clock = await clockOf(vendor, '2025-06-01T00:00:00Z');
    customer = await vendor.api.made('/v1/c/customer', { name: 'Ada', test_clock: clock.id });
    await vendor.api.made(`/v1/c/customer/${customer}/activate`, {});
    const { token } = await vendor.api.made<{ token: string }>(`/v1/c/customer/${customer}/payment/session`, {});
    await vendor.api.made(`/v1/c/payment/session/${token}/confirm`, { payment_method: method });
    const plan: string = await vendor.api.made('/v1/c/plan', planBody('small', '30.00'));
    large = await vendor.api.made('/v1/c/plan', planBody('large', '60.00'));
    pricing = (await vendor.api.read(`/v1/c/plan/${large}`)).pricings[0].pricing_id;
    contract = await vendor.api.made('/v1/c/contract', { customer, plan, currency: 'eur', cycle: 'month' });
    portal = await CustomerInPortal.enter(vendor, customer);
  }

  const gives = (amount: string): Promise<string> =>
    vendor.api.made(`/v1/c/customer/${customer}/wallet/transaction`, { currency: 'eur', amount, description: 'thanks' });
  const review = (): Promise<VisitedPage> => portal.get(`/portal/contract/${contract}/change/review?to=${pricing}`);
  const page = () => `/portal/contract/${contract}/change`;
  const totals = async (): Promise<string[]> =>
    (await vendor.api.read(`/v1/c/invoice?customer=${customer}&limit=100`)).hits.map(
      ({ invoice }: { invoice: { total: string } }) => invoice.total,
    );

  it('asks again when the wallet has less than the page has shown, and never charges more than its button says', async () => {
    await signs('sandbox_ok');
    await clock.advanceTo('2025-06-16T00:00:00Z');
    await gives('10.00');
    const seen = await review();
    expect(seen.text).toContain('Paid from your wallet −EUR 10.00');
    expect(seen.text).toContain('Confirm and pay EUR 5.00');
    await gives('-10.00');
    const refused = await portal.send(seen, page());
    expect(refused.status).toBe(409);
    expect(refused.text).toContain('You would have paid EUR 5.00 before, now it is EUR 15.00.');
    expect(await totals()).toEqual(['30.00']);
    expect((await portal.send(refused, page())).status).toBe(303);
    expect(await totals()).toEqual(['30.00', '15.00']);
  });

  it('takes more from a wallet that has more by then, and no form without what was shown', async () => {
    await signs('sandbox_ok');
    await clock.advanceTo('2025-06-16T00:00:00Z');
    const seen = await review();
    expect((await portal.post(page(), { ...hiddenFields(seen, page()), shown: '' })).status).toBe(400);
    await gives('10.00');
    expect((await portal.send(seen, page())).status).toBe(303);
    expect(await totals()).toEqual(['30.00', '15.00']);
  });

  it('leaves an invoice out that is being charged: the wallet pays nothing of it', async () => {
    await signs('sandbox_slow');
    await clock.advanceTo('2025-06-01T00:00:30Z');
    await gives('10.00');
    const { text } = await review();
    expect(text).toContain('Total EUR 30.00');
    expect(text).toContain('Paid from your wallet −EUR 10.00');
  });

  it('counts what an open payment gate of this contract holds, which the change frees', async () => {
    await signs('sandbox_slow');
    await clock.advanceTo('2025-06-16T00:00:00Z');
    await gives('10.00');
    const upgrade_configuration = { upgrade_strategy: 'new_plan', plan_id: large };
    await vendor.api.made(`/v1/c/contract/${contract}/upgrade`, { upgrade_configuration, payment_gate: { expires_in_hours: 24 } });
    const seen = await review();
    expect(seen.text).toContain('Paid from your wallet −EUR 10.00');
    expect(seen.text).toContain('Confirm and pay EUR 5.00');
    await eventually(async () => expect((await portal.send(seen, page())).status).toBe(303));
    expect(await totals()).toEqual(['30.00', '15.00']);
    const { balances } = await vendor.api.read(`/v1/c/customer/${customer}/wallet`);
    expect(balances.map(({ balance, held }: { balance: string; held: string }) => [balance, held])).toEqual([['0.00', '0.00']]);
  });
});
