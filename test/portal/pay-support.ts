import type { AnyJson } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import type { TestVendor } from '../support/vendor.ts';

/** A plan of 30.00 eur a month, for customers who pay in the portal. */
export const sellsPlan = (vendor: TestVendor): Promise<string> =>
  vendor.api.made('/v1/c/plan', {
    slug: 'pro',
    internal_name: 'Pro',
    external_name: 'Pro',
    strategy: 'plan',
    features: [],
    pricings: [{ currency: 'eur', cycle: 'month', price: { amount: '30', strategy_details: { pricing_strategy: 'flat' } }, features: {} }],
  });

/** An active customer with a contract, whose invoice nobody pays automatically. */
export async function owingCustomer(vendor: TestVendor, plan: string, at: object = {}): Promise<{ customer: string; invoice: string }> {
  const customer: string = await vendor.api.made('/v1/c/customer', { name: 'Ada', emails: { main: 'ada@example.com' }, ...at });
  await vendor.api.made(`/v1/c/customer/${customer}/activate`, {});
  const terms = { customer, plan, currency: 'eur', cycle: 'month', automatic_payment: false };
  const contract: string = await vendor.api.made('/v1/c/contract', terms);
  const [{ invoice }] = (await vendor.api.read(`/v1/c/invoice?contract=${contract}`)).hits;
  return { customer, invoice: invoice.id };
}

/** A sandbox method of the customer, set up through the API. */
export async function givesMethod(vendor: TestVendor, customer: string, name: string): Promise<string> {
  const before = new Set((await methodsAt(vendor, customer)).map(({ id }) => id));
  const { token } = await vendor.api.made<AnyJson>(`/v1/c/customer/${customer}/payment/session`, { provider: 'sandbox' });
  const confirm = () => vendor.api.made<AnyJson>(`/v1/c/payment/session/${token}/confirm`, { payment_method: name });
  if ((await confirm()).status === 'pending') await confirm();
  return (await methodsAt(vendor, customer)).find(({ id }) => !before.has(id))?.id ?? '';
}

export const methodsAt = (vendor: TestVendor, customer: string): Promise<AnyJson[]> =>
  vendor.api.read(`/v1/c/customer/${customer}/payment/method`);

/** Each attempt to pay an invoice, as "failed declined 30.00". */
export async function expectsAttempts(vendor: TestVendor, invoice: string, ...expected: string[]): Promise<void> {
  await eventually(async () => {
    const { payments } = await vendor.api.read(`/v1/c/invoice/${invoice}`);
    const seen = payments.map(({ status, reason, amount }: AnyJson) => [status, reason, amount].filter(Boolean).join(' '));
    expect(seen).toEqual(expected);
  });
}
