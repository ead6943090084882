import type { Api, AnyJson } from '../../test/support/api.ts';
import { clockOf } from '../../test/support/clock.ts';

/**
 * Ids of real things by prefix, slugs of features that can be used, and things for calls that spoil what they touch.
 */
export type Seeds = Record<string, string[]>;

const flat = (amount: string) => ({ amount, strategy_details: { pricing_strategy: 'flat' } });

const planRequest = (slug: string, amount: string) => ({
  slug,
  internal_name: slug,
  strategy: 'plan',
  features: [
    { slug: `${slug}-calls`, name: 'Calls' },
    { slug: `${slug}-seats`, name: 'Seats' },
    { slug: `${slug}-training`, name: 'Training', charge_trigger: 'on_demand' },
  ],
  pricings: [
    {
      currency: 'usd',
      cycle: 'month',
      price: flat(amount),
      features: {
        [`${slug}-calls`]: { amount: '0.01', strategy_details: { pricing_strategy: 'usage', unit_name: 'call' } },
        [`${slug}-seats`]: { amount: '5', strategy_details: { pricing_strategy: 'per_unit', unit_name: 'seat', unit_count: '3' } },
        [`${slug}-training`]: flat('40'),
      },
    },
  ],
});

/**
 * A small vendor: plans, a discount, customers on and off a clock, contracts in every state, usage, invoices, sessions
 * and methods.
 */
export async function makeSeeds(api: Api): Promise<Seeds> {
  const seeds: Seeds = { feature_slug: ['small-calls', 'small-seats', 'small-training', 'big-calls'] };
  const keep = (id: string): string => {
    const prefix = id.split('_')[0] ?? '';
    seeds[prefix] = [...(seeds[prefix] ?? []), id];
    return id;
  };
  const [small, big] = [keep(await api.made('/v1/c/plan', planRequest('small', '10'))), keep(await api.made('/v1/c/plan', planRequest('big', '30')))];
  for (const plan of [small, big]) keep((await api.read(`/v1/c/plan/${plan}`)).pricings[0].pricing_id);
  keep(await api.made('/v1/c/discount', { slug: 'ten', name: 'Ten', discount_type: 'percentage', amount: '10', duration: 3 }));
  const clock = await clockOf({ api }, '2025-01-01T00:00:00Z');
  keep(clock.id);
  seeds.advancing = [(await clockOf({ api }, '2025-01-01T00:00:00Z')).id];
  seeds.frozen = [await api.made('/v1/c/customer', { name: 'Frozen' })];
  for (let n = 0; n < 24; n += 1) {
    const customer = keep(await api.made('/v1/c/customer', { name: `C${n}`, emails: { main: `c${n}@example.com` }, ...(n % 2 === 0 ? {} : { test_clock: clock.id }) }));
    await api.made(`/v1/c/customer/${customer}/activate`, {});
    const terms = { currency: 'usd', cycle: 'month', ...(n % 4 === 2 ? { is_pending: true } : {}), ...(n % 4 === 3 ? { invoice_trigger: 'manual' } : {}) };
    keep(await api.made('/v1/c/contract', { customer, plan: n % 3 === 0 ? big : small, ...terms }));
    if (n % 4 !== 2) keep(await api.made('/v1/c/usage', { customer_id: customer, feature_slug: `${n % 3 === 0 ? 'big' : 'small'}-calls`, units: '7' }));
    const session: AnyJson = await api.made(`/v1/c/customer/${customer}/payment/session`, { provider: 'sandbox' });
    keep(session.token);
    await api.made(`/v1/c/payment/session/${session.token}/confirm`, { payment_method: 'sandbox_ok' });
    for (const method of await api.read(`/v1/c/customer/${customer}/payment/method`)) keep(method.id);
  }
  for (const { invoice, invoice_items } of (await api.read('/v1/c/invoice?limit=100')).hits) {
    keep(invoice.id);
    for (const item of invoice_items) keep(item.id);
  }
  for (let n = 0; n < 8; n += 1) keep((await api.made<AnyJson>('/v1/c/api_key', { name: `spare ${n}`, scope: 'read' })).id);
  for (const event of (await api.read('/v1/c/event?limit=20')).hits) keep(event.id);
  return seeds;
}
