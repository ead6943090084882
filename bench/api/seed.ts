import type { Api } from '../../test/support/api.ts';

export type Seed = { customers: string[]; contracts: string[]; bigger: string; limited: string[] };

const per = (unit_name: string, unit_count: string) => ({ pricing_strategy: 'per_unit', unit_name, unit_count, minimum_units: '0' });

export function planOf(slug: string, factor: number): Record<string, unknown> {
  const amount = (price: number) => String(price * factor);
  return {
    slug,
    internal_name: slug,
    strategy: 'plan',
    features: ['seats', 'storage', 'calls', 'chat', 'sso'].map((name) => ({ slug: name, name })),
    pricings: [
      {
        currency: 'usd',
        cycle: 'month',
        price: { amount: amount(100), strategy_details: { pricing_strategy: 'flat' } },
        features: {
          seats: { amount: amount(10), strategy_details: per('seat', '5') },
          storage: { amount: amount(2), strategy_details: per('gigabyte', '20') },
          calls: { amount: '0.01', strategy_details: { pricing_strategy: 'usage', unit_name: 'call' } },
        },
      },
    ],
  };
}

/**
 * Customers with a contract of five features each, as many with a limit besides, and a bigger plan to ask about.
 */
export async function seed(api: Api, count: number): Promise<Seed> {
  const plan: string = await api.made('/v1/c/plan', planOf('pro', 1));
  const bigger: string = await api.made('/v1/c/plan', planOf('max', 3));
  const [customers, contracts]: [string[], string[]] = [[], []];
  for (let n = 0; n < count; n += 1) {
    const customer: string = await api.made('/v1/c/customer', { name: `Customer ${n}` });
    customers.push(customer);
    contracts.push(await api.made('/v1/c/contract', { customer, plan, currency: 'usd', cycle: 'month' }));
  }
  const limited: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const customer: string = await api.made('/v1/c/customer', { name: `Limited ${n}` });
    await api.made('/v1/c/contract', { customer, plan, currency: 'usd', cycle: 'month' });
    const limit = { feature_slug: 'calls', units: '1000000000', window: 'period', action: 'refuse' };
    await api.made(`/v1/c/customer/${customer}/limit`, limit);
    limited.push(customer);
  }
  return { customers, contracts, bigger, limited };
}
