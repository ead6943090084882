import type { Api } from '../../test/support/api.ts';

export type Seed = {
  customers: string[];
  contracts: string[];
  bigger: string;
  limited: string[];
  alerted: string[];
  early: string[];
} & Record<'capped' | 'spending' | 'prepaid', string[]>;

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
 * Customers with a contract of five features each, as many with a limit, with an alert, with an invoice threshold, with
 * a limit of money, with an alert on what they spend, and with prepaid credits that are watched besides, and a bigger
 * plan to ask about.
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
  const watched = (set: (customer: string) => Promise<string>, more: object = {}): Promise<string[]> =>
    watchedCustomers(api, { terms: { plan, ...more }, count, set });
  const limit = { feature_slug: 'calls', units: '1000000000', window: 'period', action: 'refuse' };
  const alert = { on: 'usage', feature_slug: 'calls', at: ['1', '1000000000'] };
  const limited = await watched((customer) => api.made(`/v1/c/customer/${customer}/limit`, limit));
  const alerted = await watched((customer) => api.made(`/v1/c/customer/${customer}/alert`, alert));
  const early = await watched(async () => '', { invoice_threshold: '1000000000.00' });
  const capped = await watched((customer) =>
    api.made(`/v1/c/customer/${customer}/limit`, { feature_slug: null, amount: '1000000000', window: 'period', action: 'refuse' }),
  );
  const spending = await watched((customer) => api.made(`/v1/c/customer/${customer}/alert`, { on: 'spend', at: ['1', '1000000000'] }));
  const prepaid = await watched((customer) => prepay(api, customer));
  return { customers, contracts, bigger, limited, alerted, early, capped, spending, prepaid };
}

/** Credits with an alert on what is left of them, and a top-up that has nothing to do. */
async function prepay(api: Api, customer: string): Promise<string> {
  await api.made('/v1/c/credit_grant', { customer, currency: 'usd', kind: 'promotional', amount: '1000000000.00' });
  await api.made(`/v1/c/customer/${customer}/top_up`, {
    ...{ currency: 'usd', below: '10.00', amount: '50.00', price: '50.00', at_most_per_month: '500.00' },
  });
  return api.made(`/v1/c/customer/${customer}/alert`, { on: 'balance', at: ['10', '999999999'] });
}

async function watchedCustomers(
  api: Api,
  { terms, count, set }: { terms: object; count: number; set: (customer: string) => Promise<string> },
): Promise<string[]> {
  const customers: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const customer: string = await api.made('/v1/c/customer', { name: `Watched ${n}` });
    await api.made('/v1/c/contract', { customer, ...terms, currency: 'usd', cycle: 'month' });
    await set(customer);
    customers.push(customer);
  }
  return customers;
}
