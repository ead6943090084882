import {
  metered,
  type PlanSpec,
  plan,
  planOfFeatures,
  type Scene,
  story,
  type TierSpec,
  tieredUnits,
  tieredUsage,
} from '../support/story.ts';

const TIERS: TierSpec[] = [
  { up_to: '5', unit_price: '7' },
  { up_to: '10', unit_price: '6.5' },
  { up_to: null, unit_price: '6' },
];

const sold = (price: ReturnType<typeof metered>): PlanSpec => planOfFeatures('pay', { units: { price } });

/** One customer a case, all signing on one day. */
async function signEach({ on, vendor }: Scene, plan: PlanSpec, expected: Record<string, string>): Promise<void> {
  await on('2025-01-01');
  for (const [units, total] of Object.entries(expected)) {
    const buyer = vendor.customer(`Buyer of ${units}`);
    await buyer.signs(plan, { unit_count_configuration: { units } });
    await buyer.expectsInvoices(total);
  }
}

/** One customer with the given usage of each month, billed at the month's end. */
async function useEach({ on, acme }: Scene, plan: PlanSpec, expected: readonly (readonly [string, string])[]): Promise<void> {
  const month = (n: number, day: string): string => `2025-${String(n + 1).padStart(2, '0')}-${day}`;
  await on(month(0, '01'), () => acme.signs(plan));
  for (const [n, [units]] of expected.entries()) {
    if (units !== '0') await on(month(n, '10'), () => acme.uses('units', units));
  }
  await on(month(expected.length, '01'));
  await acme.expectsInvoices(...expected.map(([, total], n) => `${month(n + 1, '01')} ${total}`));
}

describe('tiers', () => {
  story('volume, 1–5 at 7, 6–10 at 6.5, 11 and more at 6: 1, 5, 6, 20, 25 units cost 7, 35, 39, 120, 150', (scene) =>
    signEach(scene, sold(tieredUnits('volume', TIERS)), { 1: '7.00', 5: '35.00', 6: '39.00', 20: '120.00', 25: '150.00' }),
  );

  story('5 units to 6 at half of June in volume tiers: -17.50 and +19.50', async ({ on, acme }) => {
    await on('2025-06-01', () => acme.signs(sold(tieredUnits('volume', TIERS)), { unit_count_configuration: { units: '5' } }));
    await on('2025-06-16', () => acme.changesUnits({ units: '6' }));
    await acme.expectsLines('2025-06-16', 'Units -17.50', 'Units 19.50');
  });

  story('the same graduated: 5, 6, 20 units cost 35.00, 41.50, 127.50', (scene) =>
    signEach(scene, sold(tieredUnits('graduated', TIERS)), { 5: '35.00', 6: '41.50', 20: '127.50' }),
  );

  story('volume tiers of usage with flat parts: 0, 1, 100, 100.5, 101, 200, 300 units cost 10, 12, 210, 100.50, 101, 200, 200', (scene) =>
    useEach(
      scene,
      sold(
        tieredUsage('volume', [
          { up_to: '100', unit_price: '2', flat_fee: '10' },
          { up_to: '200', unit_price: '1' },
          { up_to: null, unit_price: '0.5', flat_fee: '50' },
        ]),
      ),
      [
        ['0', '10.00'],
        ['1', '12.00'],
        ['100', '210.00'],
        ['100.5', '100.50'],
        ['101', '101.00'],
        ['200', '200.00'],
        ['300', '200.00'],
      ],
    ),
  );

  story('graduated tiers of usage: 20 units cost 127.50 at the end of the month', (scene) =>
    useEach(scene, sold(tieredUsage('graduated', TIERS)), [['20', '127.50']]),
  );
});

describe('packs and limits of usage', () => {
  story('packs of 100 at 0.0295 a unit: 199, 350, 50 units cost 5.90, 11.80, 2.95', (scene) =>
    useEach(scene, sold(metered('0.0295', { batch_size: 100 })), [
      ['199', '5.90'],
      ['350', '11.80'],
      ['50', '2.95'],
    ]),
  );

  story('at least 100 units at 0.10 and a fee of 2.50: 0, 40, 150 units cost 12.50, 12.50, 17.50', (scene) =>
    useEach(scene, sold(metered('0.10', { minimum_units: '100', flat_fee: '2.50' })), [
      ['0', '12.50'],
      ['40', '12.50'],
      ['150', '17.50'],
    ]),
  );

  story('above 100 units the extra ones at 0.30: 100 units cost 10.00, 150 cost 25.00', (scene) =>
    useEach(scene, sold(metered('0.10', { maximum_units: '100', over_usage_price: '0.30' })), [
      ['100', '10.00'],
      ['150', '25.00'],
    ]),
  );

  story('above 100 units all of them at 0.30: 100 units cost 10.00, 101 cost 30.30', (scene) =>
    useEach(
      scene,
      sold(metered('0.10', { maximum_units: '100', over_usage_price: '0.30', over_usage_charge_strategy: 'all_usage_overcharge' })),
      [
        ['100', '10.00'],
        ['101', '30.30'],
      ],
    ),
  );

  story('packs come before the limit: 120 units in packs of 50 are 150, 100 at 0.10 and 50 at 0.30, 25.00', (scene) =>
    useEach(scene, sold(metered('0.10', { batch_size: 50, maximum_units: '100', over_usage_price: '0.30' })), [['120', '25.00']]),
  );

  story(
    'a million million units at 0.000000000001 are 1.00, and 12345678901234567890.12 is charged to the cent',
    async ({ on, acme, vendor }) => {
      await on('2025-01-01', () => acme.signs(sold(metered('0.000000000001'))));
      const rich = vendor.customer('Rich');
      await rich.signs(plan('huge', '12345678901234567890.12'));
      await on('2025-01-10', () => acme.uses('units', '1000000000000'));
      await on('2025-02-01', () => acme.expectsInvoices('1.00'));
      await rich.expectsInvoices('12345678901234567890.12', '12345678901234567890.12');
    },
  );

  story('a price of 0.0006 is never rounded before the sum: 12,345 units cost 7.41', (scene) =>
    useEach(scene, sold(metered('0.0006')), [['12345', '7.41']]),
  );
});
