import type { AnyJson } from '../support/api.ts';
import { type ClockHandle, clockOf } from '../support/clock.ts';
import { CustomerInPortal } from '../support/portal-visitor.ts';
import { newVendor, type TestVendor } from '../support/vendor.ts';

const seats = { pricing_strategy: 'per_unit', unit_name: 'seat', unit_count: '3', minimum_units: '1', maximum_units: '50' };
const calls = { pricing_strategy: 'usage', unit_name: 'calls', over_usage_charge_strategy: 'extra_usage_overcharge' };
const storage = { ...calls, unit_name: 'GB', maximum_units: '10' };

/** On a test clock at 31 January 2025: 29.00 a month, 3 seats at 5.00, calls and storage, 10 % off, 19 % tax. */
async function subscribed(vendor: TestVendor, method: string) {
  const clock = await clockOf(vendor, '2025-01-31T00:00:00Z');
  const addresses = { main: { line_1: '1 Main St', city: 'Berlin', zip: '10115', country: 'DE' } };
  const customer = await vendor.api.made('/v1/c/customer', { name: 'Ada Lovelace', addresses, test_clock: clock.id });
  await vendor.api.made(`/v1/c/customer/${customer}/activate`, {});
  await addMethod(vendor, customer, method);
  const { hits } = await vendor.api.read('/v1/c/plan?slug=pro');
  const { hits: discounts } = await vendor.api.read('/v1/c/discount');
  const terms = { customer, plan: hits[0].id, currency: 'usd', cycle: 'month', discount_id: discounts[0].id };
  const contract = await vendor.api.made('/v1/c/contract', terms);
  return { clock, customer, contract };
}

async function addMethod(vendor: TestVendor, customer: string, method: string): Promise<void> {
  const { token } = await vendor.api.made<AnyJson>(`/v1/c/customer/${customer}/payment/session`, { provider: 'sandbox' });
  await vendor.api.made(`/v1/c/payment/session/${token}/confirm`, { payment_method: method });
}

describe('the overview of the portal', () => {
  let vendor: TestVendor;
  let clock: ClockHandle;
  let customer: string;
  let contract: string;
  let visitor: CustomerInPortal;

  const uses = (feature_slug: string, units: string) => vendor.api.made('/v1/c/usage', { customer_id: customer, feature_slug, units });

  beforeAll(async () => {
    vendor = await newVendor('Bricks & Co');
    await vendor.api.made('/v1/c/preferences/tax', {
      rates: [{ tax_code: null, country: 'DE', state: null, rate: '0.19' }],
      policy: 'tax_excluded',
    });
    await vendor.api.made('/v1/c/discount', { slug: 'welcome', name: 'Welcome', discount_type: 'percentage', amount: '10', duration: 24 });
    await vendor.api.made('/v1/c/plan', {
      slug: 'pro',
      internal_name: 'Pro 2025',
      external_name: 'Pro',
      strategy: 'plan',
      features: [
        { slug: 'seats', name: 'Seats' },
        { slug: 'calls', name: 'API calls' },
        { slug: 'storage', name: 'Storage' },
      ],
      pricings: [
        {
          currency: 'usd',
          cycle: 'month',
          price: { amount: '29.00', strategy_details: { pricing_strategy: 'flat' } },
          features: {
            seats: { amount: '5.00', strategy_details: seats },
            calls: { amount: '0.0006', strategy_details: calls },
            storage: { amount: '1.00', strategy_details: storage },
          },
        },
      ],
    });
    ({ clock, customer, contract } = await subscribed(vendor, 'sandbox_ok'));
    visitor = await CustomerInPortal.enter(vendor, customer);
  });

  it('says the next charge with discount, usage and tax, 60.46, as the invoice of 28 February then is', async () => {
    await clock.advanceTo('2025-01-31T12:00:00Z');
    await uses('calls', '12000');
    await uses('storage', '4');
    const text = await visitor.text('/portal');
    expect(text).toContain('USD 44.00 a month');
    expect(text).toContain('Next charge USD 60.46 on 28 February 2025');
    expect(text).toContain('Nothing is open.');
    await clock.advanceTo('2025-02-28T00:00:00Z');
    const { hits } = await vendor.api.read(`/v1/c/invoice?contract=${contract}`);
    expect(hits.map(({ invoice }: AnyJson) => invoice.total).toSorted()).toEqual(['47.13', '60.46']);
    expect(await visitor.text('/portal')).toMatch(
      /Latest documents .* Invoice 2 PDF 28 Feb 2025 USD 60\.46 Paid Invoice 1 PDF 31 Jan 2025 USD 47\.13 Paid/,
    );
  });

  it('shows the next invoice line by line, and what the wallet pays of it', async () => {
    await uses('storage', '13');
    await vendor.api.made(`/v1/c/customer/${customer}/wallet/transaction`, { currency: 'usd', amount: '20.00', description: 'a credit' });
    const text = await visitor.text(`/portal/contract/${contract}`);
    expect(text).toContain('This is what the invoice of 31 March 2025 will be if nothing changes.');
    expect(text).toContain('Storage: 13 used USD 13.00');
    expect(text).toContain('Pro, 31 March 2025 to 30 April 2025 with discount Welcome: USD 2.90 less USD 26.10');
    expect(text).toContain('3 × Seats, 31 March 2025 to 30 April 2025 USD 5.00 each with discount Welcome: USD 1.50 less USD 13.50');
    // 26.10 + 13.50 + 13.00; tax of 26.10, 13.50 and 13.00 is 4.96, 2.57 and 2.47
    expect(text).toContain('Without tax USD 52.60 Tax (19%) USD 10.00 Total USD 62.60 From your wallet −USD 20.00 To pay USD 42.60');
    expect(await visitor.text('/portal')).toContain('Your wallet USD 20.00');
  });

  it('shows usage in words, as bars, and by period as a plot with the same numbers in a table', async () => {
    const page = await visitor.html(`/portal/contract/${contract}`);
    const text = await visitor.text(`/portal/contract/${contract}`);
    expect(text).toContain('Storage 13 GB, 3 more than 10');
    expect(text).toContain('API calls 0 calls');
    expect(page).toContain(
      '<svg class="plot" width="100%" height="176" role="img" aria-labelledby="plot-storage-title plot-storage-desc">',
    );
    expect(text).toContain(
      '2 periods from 31 January 2025 to 28 February 2025: least 4, most 13 GB. The hatched bar is the current period.',
    );
    expect(text).toMatch(/Period Storage 28 February 2025 – 31 March 2025 \(current\) 13 GB 31 January 2025 – 28 February 2025 4 GB/);
    expect(page.match(/class="plot-bar/g)).toHaveLength(3);
  });

  it('is written in German where the browser asks for it', async () => {
    const text = await (await CustomerInPortal.enter(vendor, customer, 'de')).text(`/portal/contract/${contract}`);
    expect(text).toContain('Storage 13 GB, 3 mehr als 10');
    expect(text).toMatch(/Summe 62,60 USD Aus Ihrem Guthaben −20,00 USD Zu zahlen 42,60 USD/);
  });

  it('shows a scheduled cancellation with its button, and what was asked in the history', async () => {
    await vendor.api.made(`/v1/c/contract/${contract}/cancel`, { when: { type: 'end_of_cycle' } });
    const page = await visitor.html('/portal');
    expect(await visitor.text('/portal')).toContain('Your subscription ends on 31 March 2025 . You can use it until then.');
    expect(page).toContain(`<form method="post" action="/portal/contract/${contract}/cancel_undo"><input type="hidden" name="csrf"`);
    expect(await visitor.text(`/portal/contract/${contract}`)).toMatch(
      /History 28 February 2025 Cancellation requested 31 January 2025 Subscribed to Pro/,
    );
    await vendor.api.made(`/v1/c/contract/${contract}/cancel_undo`, {});
    expect(await visitor.text('/portal')).not.toContain('Your subscription ends');
  });

  it('leads from a contract to the one it was changed into, and shows another customer none', async () => {
    const units = { upgrade_strategy: 'change_unit_count', unit_count_configuration: { seats: '5' } };
    const next = await vendor.api.made(`/v1/c/contract/${contract}/upgrade`, { upgrade_configuration: units });
    const moved = await visitor.get(`/portal/contract/${contract}`);
    expect([moved.status, moved.headers.get('location')]).toEqual([303, `/portal/contract/${next}`]);
    expect(await visitor.text(`/portal/contract/${next}`)).toContain('28 February 2025 Seats: 5 instead of 3');
    const other = await CustomerInPortal.enter(vendor, await vendor.api.made('/v1/c/customer', { name: 'Other' }));
    expect((await other.get(`/portal/contract/${next}`)).status).toBe(404);
    expect((await visitor.get('/portal/contract/Cont_1')).status).toBe(404);
  });

  it('has words for a customer who has nothing yet', async () => {
    const text = await (await CustomerInPortal.enter(vendor, await vendor.api.made('/v1/c/customer', { name: 'New' }))).text('/portal');
    for (const words of ['There is no running subscription at the moment.', 'Nothing is open.', 'There are no invoices yet.']) {
      expect(text).toContain(words);
    }
    expect(text).toContain('No payment method is used automatically.');
  });

  it('shows a failed payment with its reason, as overdue from the day after, and no way to pay while the account is paused', async () => {
    const late = await subscribed(vendor, 'sandbox_insufficient_funds');
    const own = await CustomerInPortal.enter(vendor, late.customer);
    await late.clock.advanceTo('2025-01-31T12:00:00Z');
    const first = await own.text('/portal');
    expect(first).toContain('failed. There was not enough money in the account.');
    expect(first).toMatch(
      /Open invoices .*Payment failed There was not enough money in the account\. We will try again on 1 February 2025\. Pay/,
    );
    expect(first).not.toContain('Overdue since');
    await late.clock.advanceTo('2025-02-01T00:00:00Z');
    expect(await own.text('/portal/invoices?show=open')).toMatch(/Payment failed Overdue since 31 Jan 2025/);
    const page = await own.html('/portal');
    expect(page).toMatch(/href="\/portal\/invoice\/Inv_[0-9a-f-]+\/pay" aria-label="Pay invoice \d+"/);
    await vendor.api.made(`/v1/c/customer/${late.customer}/inactivate`, {});
    const frozen = await own.html('/portal');
    expect(frozen).toContain('This account is paused.');
    expect(frozen).not.toMatch(/\/pay"|\/change"|_undo"/);
    expect(await own.text(`/portal/contract/${late.contract}`)).toContain('While your account is paused no invoice is made.');
    await vendor.api.made(`/v1/c/customer/${late.customer}/inactivate`, { resume_at: '2025-02-11T00:00:00Z' });
    expect(await own.text('/portal')).toContain('It is active again from 11 February 2025 on.');
    const subscription = await own.text(`/portal/contract/${late.contract}`);
    expect(subscription).not.toContain('While your account is paused no invoice is made.');
    expect(subscription).toContain('Next charge USD 47.13 on 10 March 2025');
  });

  it('says when the next charge is due: 30 days after it is made, on 30 March', async () => {
    const net = await subscribed(vendor, 'sandbox_ok');
    await vendor.api.made(`/v1/c/contract/${net.contract}/cancel`, { when: { type: 'now' } });
    const { hits } = await vendor.api.read('/v1/c/plan?slug=pro');
    await vendor.api.made('/v1/c/contract', { customer: net.customer, plan: hits[0].id, currency: 'usd', cycle: 'month', net_days: 30 });
    const own = await CustomerInPortal.enter(vendor, net.customer);
    expect(await own.text('/portal')).toContain('on 28 February 2025, due 30 March 2025');
  });

  it.each([
    ['en', 'Your prepaid credits EUR 30.00 EUR 10.00 until 1 March 2025 They are used'],
    ['de', 'Ihr vorausbezahltes Guthaben 30,00 EUR 10,00 EUR bis 1. März 2025 Es bezahlt'],
  ])('says in %s what is left of prepaid credits, and until when: 30.00, of which 10.00 end on 1 March', async (language, shown) => {
    const rich = await subscribed(vendor, 'sandbox_ok');
    const given = { customer: rich.customer, currency: 'eur', kind: 'promotional' };
    await vendor.api.made('/v1/c/credit_grant', { ...given, amount: '10', expires_at: '2025-03-01T00:00:00Z' });
    await vendor.api.made('/v1/c/credit_grant', { ...given, amount: '20' });
    const own = await CustomerInPortal.enter(vendor, rich.customer, language);
    expect(await own.text('/portal')).toContain(shown);
  });

  it('says while a freeze without an end lasts that the subscription ends, and that its day is not known yet', async () => {
    const own = await subscribed(vendor, 'sandbox_ok');
    await vendor.api.made(`/v1/c/contract/${own.contract}/cancel`, { when: { type: 'end_of_cycle' } });
    await vendor.api.made(`/v1/c/customer/${own.customer}/inactivate`, {});
    const portal = await CustomerInPortal.enter(vendor, own.customer);
    for (const page of ['/portal', `/portal/contract/${own.contract}`]) {
      expect(await portal.text(page)).toContain('Your subscription ends The day is known once your account is active again.');
    }
  });

  it('says when a later contract begins: when the freeze ended in which it should have begun', async () => {
    const { clock: own, customer: later, contract: first } = await subscribed(vendor, 'sandbox_ok');
    await vendor.api.made(`/v1/c/contract/${first}/cancel`, { when: { type: 'now' } });
    const { hits } = await vendor.api.read('/v1/c/plan?slug=pro');
    const terms = { customer: later, plan: hits[0].id, currency: 'usd', cycle: 'month', activation: '2025-02-05T00:00:00Z' };
    const scheduled = await vendor.api.made('/v1/c/contract', terms);
    const page = await CustomerInPortal.enter(vendor, later);
    expect(await page.text(`/portal/contract/${scheduled}`)).toContain('Begins 5 February 2025');
    await vendor.api.made(`/v1/c/customer/${later}/inactivate`, {});
    await own.advanceTo('2025-02-07T00:00:00Z');
    expect(await page.text(`/portal/contract/${scheduled}`)).not.toContain('Begins 5 February 2025');
  });

  it('shows nothing about usage of a contract that ended in its first period', async () => {
    const own = await subscribed(vendor, 'sandbox_ok');
    await vendor.api.made(`/v1/c/contract/${own.contract}/cancel`, { when: { type: 'now' } });
    const page = await (await CustomerInPortal.enter(vendor, own.customer)).html(`/portal/contract/${own.contract}`);
    expect(page).toContain('What you have');
    expect(page).not.toContain('id="usage"');
  });

  it('counts the invoices that need the customer; of more than it shows it says that they are at least so many', async () => {
    const { clock: own, customer: late, contract: first } = await subscribed(vendor, 'sandbox_ok');
    const ends = (id: string) => vendor.api.made(`/v1/c/contract/${id}/cancel`, { when: { type: 'now' } });
    await ends(first);
    const { hits } = await vendor.api.read('/v1/c/plan?slug=pro');
    const terms = { customer: late, plan: hits[0].id, currency: 'usd', cycle: 'month', automatic_payment: false };
    for (let count = 0; count < 10; count += 1) await ends(await vendor.api.made('/v1/c/contract', terms));
    await own.advanceTo('2025-02-02T00:00:00Z');
    const portal = await CustomerInPortal.enter(vendor, late);
    expect(await portal.text('/portal')).toContain(' 10 invoices need your attention.');
    await vendor.api.made('/v1/c/contract', terms);
    await own.advanceTo('2025-02-03T00:00:00Z');
    expect(await portal.text('/portal')).toContain('At least 10 invoices need your attention.');
  });
});
