import type { AnyJson } from '../support/api.ts';
import { clockOf } from '../support/clock.ts';
import { eventually } from '../support/eventually.ts';
import { type PortalCalls, portalCalls } from '../support/portal-calls.ts';
import { newVendor, type TestVendor } from '../support/vendor.ts';
import { givesMethod, sellsPlan } from './pay-support.ts';

describe('a contract behind a payment gate whose bank asks the customer', () => {
  let vendor: TestVendor;
  let plan: string;

  beforeAll(async () => {
    vendor = await newVendor('Paid behind a gate');
    plan = await sellsPlan(vendor);
  });

  interface Waiting {
    customer: string;
    contract: string;
    page: string;
    portal: PortalCalls;
  }

  /** A signing of 30.00 eur that waits for the customer. */
  async function waits(at: object = {}): Promise<Waiting> {
    const customer: string = await vendor.api.made('/v1/c/customer', { name: 'Ada', ...at });
    await vendor.api.made(`/v1/c/customer/${customer}/activate`, {});
    await givesMethod(vendor, customer, 'sandbox_needs_action');
    const terms = { customer, plan, currency: 'eur', cycle: 'month', payment_gate: { expires_in_hours: 3 } };
    const contract: string = await vendor.api.made('/v1/c/contract', terms);
    return { customer, contract, page: `/portal/payment/${contract}`, portal: await portalCalls(vendor, customer) };
  }

  const statusOf = async ({ contract }: Waiting): Promise<string> =>
    (await vendor.api.read(`/v1/c/contract/${contract}`)).contract_summary.status;

  const paymentsOf = async ({ contract }: Waiting): Promise<string[]> => {
    const { hits } = await vendor.api.read(`/v1/c/invoice?contract=${contract}`);
    const details: AnyJson[] = await Promise.all(hits.map(({ invoice }: AnyJson) => vendor.api.read(`/v1/c/invoice/${invoice.id}`)));
    return details.flatMap(({ payments }) => payments.map(({ status, amount }: AnyJson) => `${status} ${amount}`));
  };

  it('offers neither a change nor a cancellation on its page, but the way to its payment', async () => {
    const { portal, contract, page } = await waits();
    const shown = await portal.get(`/portal/contract/${contract}`);
    expect(shown.text).toContain('A change or a new plan waits for your payment.');
    expect(shown.source).toContain(`href="${page}"`);
    expect(shown.source).not.toMatch(/href="[^"]*\/(change|cancel)"/);
  });

  it('begins when the customer has confirmed there and come back; the address alone proves nothing', async () => {
    const waiting = await waits();
    const { portal, page } = waiting;
    expect((await portal.get('/portal')).text).toContain('waits for your payment');
    const shown = await portal.get(page);
    expect(shown.text).toContain('Your bank asks you to confirm the payment of EUR 30.00');
    expect((await portal.follow(await portal.get(`${page}/return`))).text).toContain('Your bank asks you to confirm');
    expect(await statusOf(waiting)).toBe('pending');
    const toBank = await portal.get(`${page}/step`);
    expect(toBank.location).toMatch(/^\/portal\/sandbox\/charge\/Pay_/);
    const back = await portal.post(toBank.location, { decision: 'approve' });
    expect(back.location).toBe(`${page}/return`);
    const after = await portal.follow(await portal.follow(await portal.follow(back)));
    expect(after.text).toContain('Paid EUR 30.00. Thank you.');
    expect(await statusOf(waiting)).toBe('active');
    expect(await paymentsOf(waiting)).toEqual(['succeeded 30.00']);
  });

  it('is made once though the bank’s page is confirmed in two tabs at once', async () => {
    const waiting = await waits();
    const { portal, page } = waiting;
    const toBank = await portal.get(`${page}/step`);
    await Promise.all([1, 2].map(() => portal.post(toBank.location, { decision: 'approve' })));
    await Promise.all([1, 2, 3].map(() => portal.get(`${page}/return`)));
    expect(await statusOf(waiting)).toBe('active');
    expect(await paymentsOf(waiting)).toEqual(['succeeded 30.00']);
  });

  it('is dropped when the customer declines there', async () => {
    const waiting = await waits();
    const { portal, page } = waiting;
    const toBank = await portal.get(`${page}/step`);
    const declined = await portal.follow(await portal.follow(await portal.post(toBank.location, { decision: 'decline' })));
    expect(declined.text).toContain('There is nothing to pay here any more');
    expect(await statusOf(waiting)).toBe('canceled');
    expect((await portal.get('/portal/payments')).text).toContain('no invoice was made');
  });

  it('is paid by another method that a payment session has made the default, and not by both', async () => {
    const waiting = await waits();
    const { portal, page, customer } = waiting;
    const toBank = await portal.get(`${page}/step`);
    const method = await givesMethod(vendor, customer, 'sandbox_ok');
    await vendor.api.made(`/v1/c/customer/${customer}/payment/method_selection`, { payment_method: method });
    await eventually(async () => expect(await statusOf(waiting)).toBe('active'));
    await portal.post(toBank.location, { decision: 'approve' });
    await portal.get(`${page}/return`);
    expect(await paymentsOf(waiting)).toEqual(['succeeded 30.00']);
    const { balances } = await vendor.api.read(`/v1/c/customer/${customer}/wallet`);
    expect(balances).toEqual([]);
  });

  it('waits for the customer longer than an hour, until the gate expires; then it can’t be confirmed any more', async () => {
    const clock = await clockOf(vendor, '2025-01-01T00:00:00Z');
    const waiting = await waits({ test_clock: clock.id });
    const { portal, page } = waiting;
    const toBank = await portal.get(`${page}/step`);
    await clock.advanceTo('2025-01-01T02:30:00Z');
    expect(await statusOf(waiting)).toBe('pending');
    await clock.advanceTo('2025-01-01T03:00:00Z');
    expect(await statusOf(waiting)).toBe('canceled');
    await portal.post(toBank.location, { decision: 'approve' });
    await portal.get(`${page}/return`);
    expect(await statusOf(waiting)).toBe('canceled');
    expect(await paymentsOf(waiting)).toEqual([]);
  });

  it('is nobody else’s', async () => {
    const waiting = await waits();
    const stranger = await waits();
    expect((await stranger.portal.get(waiting.page)).status).toBe(404);
    expect((await stranger.portal.get(`${waiting.page}/step`)).status).toBe(404);
  });
});
