/** A plan as the documents show it. */
export const planExample = {
  slug: 'pro',
  internal_name: 'Pro 2026',
  external_name: 'Pro',
  strategy: 'plan',
  free_trial_days: 14,
  features: [{ slug: 'seats', name: 'Seats', charge_trigger: 'every_cycle' }],
  pricings: [
    {
      currency: 'usd',
      cycle: 'month',
      price: { amount: '49.00', strategy_details: { pricing_strategy: 'flat' } },
      features: { seats: { amount: '10.00', strategy_details: { pricing_strategy: 'per_unit', unit_name: 'seat', unit_count: '5' } } },
    },
  ],
};
