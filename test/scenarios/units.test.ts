import { flat, perUnit, plan, planOfFeatures, planOfGroups, refused, story } from '../support/story.ts';

const seats = (details: Record<string, unknown> = {}) => planOfFeatures('team', { seats: { price: perUnit('10', details) } });

describe('bought units', () => {
  story('5 seats at 10 to 8 at half of June: -25.00, +40.00, then 80.00 a month', async ({ on, acme }) => {
    await on('2025-06-01', () => acme.signs(seats(), { unit_count_configuration: { seats: '5' } }));
    await on('2025-06-16', () => acme.changesUnits({ seats: '8' }));
    await acme.expectsLines('2025-06-16', 'Seats -25.00', 'Seats 40.00');
    await on('2025-07-01', () => acme.expectsInvoices('50.00', '15.00', '80.00'));
  });

  story(
    'only the changed line is credited and charged: seats 5 to 8 beside a platform fee of 20 stay at -25.00 and +40.00',
    async ({ on, acme }) => {
      const team = plan('team', '20', { features: { seats: { price: perUnit('10') } } });
      await on('2025-06-01', () => acme.signs(team, { unit_count_configuration: { seats: '5' } }));
      await acme.expectsLines('2025-06-01', 'Team 20.00', 'Seats 50.00');
      await on('2025-06-16', () => acme.changesUnits({ seats: '8' }));
      await acme.expectsLines('2025-06-16', 'Seats -25.00', 'Seats 40.00');
      await on('2025-07-01', () => acme.expectsInvoices('70.00', '15.00', '100.00'));
    },
  );

  story('8 seats to 5 wait for 1 July: 80.00, then 50.00', async ({ on, acme }) => {
    await on('2025-06-01', () => acme.signs(seats(), { unit_count_configuration: { seats: '8' } }));
    await on('2025-06-16', () => acme.changesUnits({ seats: '5' }));
    expect(acme.contract.successor).not.toBeNull();
    await on('2025-07-01', () => acme.expectsInvoices('2025-06-01 80.00', '2025-07-01 50.00'));
  });

  story('8 seats to 5, forced, are credited at once: -40.00, +25.00, 15.00 to the wallet', async ({ on, acme }) => {
    await on('2025-06-01', () => acme.signs(seats(), { unit_count_configuration: { seats: '8' } }));
    await acme.pays();
    await on('2025-06-16', () => acme.changesUnits({ seats: '5' }, { downgrade_allowed: true }));
    await acme.expectsLines('2025-06-16', 'Seats -40.00', 'Seats 25.00', 'wallet 15.00');
    await acme.expectsWallet('15.00');
  });

  story('7 seats in packs of 5 are charged as 10: 100.00; a minimum of 10 refuses 2, a maximum of 50 refuses 60', async ({ on, acme }) => {
    const packs = seats({ batch_size: 5, minimum_units: '10', maximum_units: '50', unit_count: '10' });
    await on('2025-06-01');
    await refused(400, acme.signs(packs, { unit_count_configuration: { seats: '2' } }));
    await refused(400, acme.signs(packs, { unit_count_configuration: { seats: '60' } }));
    await acme.signs(packs, { unit_count_configuration: { seats: '7' } });
    await acme.expectsInvoices('100.00');
  });

  story('a flat fee is part of its price: 3 seats at 10 and 5.50 are one line of 35.50', async ({ on, acme }) => {
    await on('2025-06-01', () => acme.signs(seats({ flat_fee: '5.50' }), { unit_count_configuration: { seats: '3' } }));
    await acme.expectsLines('2025-06-01', 'Seats 35.50');
  });

  story(
    'a unit change keeps the prices of the contract, a new_plan to the same plan takes the new ones: 50.00, 60.00, 72.00',
    async ({ on, acme, vendor }) => {
      await on('2025-06-01', () => acme.signs(seats(), { unit_count_configuration: { seats: '5' } }));
      const id = await vendor.planId(seats());
      const { pricings, features } = await vendor.api.read(`/v1/c/plan/${id}`);
      await vendor.api.made('/v1/c/plan', {
        id,
        slug: 'team',
        internal_name: 'Team internal',
        external_name: 'Team',
        strategy: 'feature',
        features: features.map(({ slug, name, charge_trigger }: Record<string, unknown>) => ({ slug, name, charge_trigger })),
        pricings: [{ pricing_id: pricings[0].pricing_id, currency: 'usd', cycle: 'month', features: { seats: perUnit('12') } }],
      });
      await on('2025-07-01', () => acme.changesUnits({ seats: '6' }));
      await acme.expectsLines('2025-07-01', 'Seats 50.00', 'Seats -50.00', 'Seats 60.00');
      await on('2025-08-01', () => acme.changesTo(seats()));
      await acme.expectsLines('2025-08-01', 'Seats 60.00', 'Seats -60.00', 'Seats 72.00');
    },
  );

  story('a unit change keeps a plan change that waits: 8 seats go on at 6.00 each, 48.00 on 1 July', async ({ on, acme }) => {
    const light = planOfFeatures('light', { seats: { price: perUnit('6') } });
    await on('2025-06-01', () => acme.signs(seats(), { unit_count_configuration: { seats: '5' } }));
    await on('2025-06-11', () => acme.changesTo(light));
    await on('2025-06-16', () => acme.changesUnits({ seats: '8' }));
    await acme.expectsLines('2025-06-16', 'Seats -25.00', 'Seats 40.00');
    await on('2025-07-01', () => acme.expectsLines('2025-07-01', 'Seats 48.00'));
  });

  story('a new plan keeps the bought units of an equal slug: 5 seats from 10 to 16 each, -25.00 and +40.00', async ({ on, acme }) => {
    const better = planOfFeatures('better', { seats: { price: perUnit('16') } });
    await on('2025-06-01', () => acme.signs(seats(), { unit_count_configuration: { seats: '5' } }));
    await on('2025-06-16', () => acme.changesTo(better));
    await acme.expectsLines('2025-06-16', 'Seats -25.00', 'Seats 40.00');
  });

  story('seats, price and fee can be set for one contract: 4 seats at 9 and 2.00 are 38.00', async ({ on, acme }) => {
    await on('2025-06-01', () => acme.signs(seats(), { feature_configuration: { seats: { units: '4', price: '9', flat_fee: '2' } } }));
    await acme.expectsLines('2025-06-01', 'Seats 38.00');
  });

  story('units and price can be set with a change: 4 seats at 9 instead of 16 are 18.00 for half of June', async ({ on, acme }) => {
    const better = planOfFeatures('better', { seats: { price: perUnit('16') } });
    await on('2025-06-01', () => acme.signs(seats(), { unit_count_configuration: { seats: '3' } }));
    await on('2025-06-16', () => acme.changesTo(better, { unit_configuration: { seats: { units: '4', price: '9' } } }));
    await acme.expectsLines('2025-06-16', 'Seats -15.00', 'Seats 18.00');
    await on('2025-07-01', () => acme.expectsLines('2025-07-01', 'Seats 36.00'));
  });

  story('a plan sold in groups has one line a group: support 30.00 and data 15.00', async ({ on, acme }) => {
    const suite = planOfGroups(
      'suite',
      { support: flat('30'), data: flat('15') },
      {
        chat: { group: 'support' },
        phone: { group: 'support' },
        exports: { group: 'data' },
      },
    );
    await on('2025-06-01', () => acme.signs(suite));
    await acme.expectsLines('2025-06-01', 'support 30.00', 'data 15.00');
    expect((await acme.contract.read()).contract_summary.amount).toBe('45.00');
  });
});
