import type { Perennial } from '../../client/src/index.ts';

const flat = { pricing_strategy: 'flat' } as const;

/** Three plans: a flat price after a trial, seats, and API calls in packs with a higher price above a limit. */
export async function makeCatalogue(api: Perennial, run: string) {
  const starter = await api.savePlan({
    slug: `starter-${run}`,
    internal_name: 'Starter 2027',
    external_name: 'Starter',
    strategy: 'plan',
    free_trial_days: 14,
    features: [{ slug: 'reports', name: 'Reports' }],
    pricings: [{ currency: 'usd', cycle: 'month', price: { amount: '29', strategy_details: flat } }],
  });
  const team = await api.savePlan({
    slug: `team-${run}`,
    internal_name: 'Team 2027',
    external_name: 'Team',
    strategy: 'feature',
    features: [
      { slug: 'seats', name: 'Seats' },
      { slug: 'support', name: 'Support' },
      { slug: 'onboarding', name: 'Onboarding', charge_trigger: 'first_cycle' },
    ],
    pricings: [
      {
        currency: 'usd',
        cycle: 'month',
        features: {
          seats: {
            amount: '12',
            strategy_details: { pricing_strategy: 'per_unit', unit_name: 'seat', unit_count: '5', minimum_units: '1' },
          },
          support: { amount: '19.50', strategy_details: flat },
          onboarding: { amount: '150', strategy_details: flat },
        },
      },
    ],
  });
  const metered = await api.savePlan({
    slug: `metered-${run}`,
    internal_name: 'Metered 2027',
    external_name: 'Metered',
    strategy: 'plan',
    features: [{ slug: 'calls', name: 'API calls' }],
    pricings: [
      {
        currency: 'usd',
        cycle: 'month',
        price: { amount: '49', strategy_details: flat },
        features: {
          calls: {
            amount: '0.0015',
            strategy_details: {
              pricing_strategy: 'usage',
              unit_name: 'call',
              batch_size: 1000,
              maximum_units: '50000',
              over_usage_price: '0.004',
              over_usage_charge_strategy: 'extra_usage_overcharge',
            },
          },
        },
      },
    ],
  });
  const launch = await api.saveDiscount({ slug: `launch-${run}`, name: 'Launch', discount_type: 'percentage', amount: '10', duration: 3 });
  return { starter, team, metered, launch };
}

export type Catalogue = Awaited<ReturnType<typeof makeCatalogue>>;
