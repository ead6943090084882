import { eventsOfContract } from '../../db/sql/usage/events-of-contract.ts';
import type { AnyJson } from '../support/api.ts';
import { withTestDatabase } from '../support/database.ts';
import { metered, type PriceSpec, perUnit, plan, planOfFeatures, refused, story, tieredUsage } from '../support/story.ts';

const seats = { price: perUnit('5') };
const pro = (calls: PriceSpec, slug = 'pro', amount = '30') => plan(slug, amount, { features: { seats, calls: { price: calls } } });
const free = metered('0', { maximum_units: '1000', over_usage_price: '0.02' });

describe('a usage period that goes on in a new contract', () => {
  story('through three changes of seats and one of plan it is one sum: 1,000 free, 600 at 0.02', async ({ on, acme }) => {
    await on('2025-06-01', () => acme.signs(pro(free)));
    await on('2025-06-05', () => acme.uses('calls', '400'));
    await acme.changesUnits({ seats: '2' });
    await acme.changesUnits({ seats: '3' });
    await on('2025-06-10', () => acme.uses('calls', '400'));
    await on('2025-06-16', () => acme.changesTo(pro(free, 'max', '60')));
    await on('2025-06-18', () => acme.uses('calls', '400'));
    await on('2025-06-20', () => acme.changesUnits({ seats: '4' }));
    await on('2025-06-30', () => acme.uses('calls', '400'));
    await acme.expectsUsed('calls', '1600');
    await on('2025-07-01', () => acme.expectsLines('2025-07-01', 'Calls 12.00', 'Max 60.00', 'Seats 20.00'));
  });

  story(
    'takes a late event into the part of its time, under automatic too; the old contract shows none of it',
    async ({ on, acme, vendor }) => {
      await on('2025-06-01', () => acme.signs(pro(metered('1'))));
      const old = acme.contract.id;
      await on('2025-06-10', () => acme.uses('calls', '3'));
      await on('2025-06-16', () => acme.changesUnits({ seats: '2' }));
      await on('2025-06-20', () => acme.uses('calls', '4', '2025-06-15'));
      await acme.uses('calls', '5');
      await acme.expectsUsed('calls', '12');
      const [before] = await acme.contract.usagePeriods(old);
      expect(before).toMatchObject({ idx: 1, status: 'closed', features: [] });
      const { hits } = await vendor.api.read(`/v1/c/usage?contract=${old}`);
      expect(hits.map(({ units }: AnyJson) => units)).toEqual(['3', '4']);
      const listed = (contract: string, feature?: string, vendorId = vendor.vendorId) =>
        withTestDatabase((db) => eventsOfContract(db, vendorId, { contract, feature }));
      expect(await listed(old)).toMatchObject({ customerId: await acme.id(), own: 2, others: 1 });
      expect(await listed(acme.contract.id, 'calls')).toMatchObject({ own: 1, others: 2 });
      expect(await listed(acme.contract.id, 'seats')).toMatchObject({ own: 0, others: 3 });
      expect(await listed(old, undefined, 'Wbc_other')).toBeNull();
      await on('2025-07-01', () => acme.expectsLines('2025-07-01', 'Calls 12.00', 'Pro 30.00', 'Seats 10.00'));
      await refused(409, acme.uses('calls', '1', '2025-06-15'), 'period_closed');
    },
  );

  story('a marker after the change discards what came before it, on either contract: 30 and 2 more', async ({ on, acme, vendor }) => {
    await on('2025-06-01', () => acme.signs(pro(metered('1'))));
    await on('2025-06-10', () => acme.uses('calls', '100'));
    await on('2025-06-16', () => acme.changesUnits({ seats: '2' }));
    await on('2025-06-20', () => acme.uses('calls', '30', undefined, { is_absolute: true }));
    await acme.uses('calls', '9', '2025-06-15');
    await on('2025-06-21', () => acme.uses('calls', '2'));
    await acme.expectsUsed('calls', '32');
    const { hits } = await vendor.api.read(`/v1/c/usage?customer=${await acme.id()}`);
    expect(hits.map(({ units, discarded }: AnyJson) => [units, !discarded])).toEqual([
      ['100', false],
      ['9', false],
      ['30', true],
      ['2', true],
    ]);
    await on('2025-07-01', () => acme.expectsLines('2025-07-01', 'Calls 32.00', 'Pro 30.00', 'Seats 10.00'));
  });

  story(
    'is corrected as one: 100 and 100 calls in packs of 100, an event of the old contract amended to 101 is a pack more',
    async ({ on, acme }) => {
      await on('2025-06-01', () => acme.signs(pro(metered('0.01', { batch_size: 100 }))));
      const first = await on('2025-06-10', () => acme.uses('calls', '50'));
      await on('2025-06-16', () => acme.changesUnits({ seats: '2' }));
      await acme.amends(first, '100');
      await on('2025-06-20', () => acme.uses('calls', '100'));
      await acme.expectsUsed('calls', '200');
      await on('2025-07-01', () => acme.expectsLines('2025-07-01', 'Calls 2.00', 'Pro 30.00', 'Seats 10.00'));
      await on('2025-07-10', () => acme.amends(first, '101'));
      await on('2025-07-11', () => acme.uses('calls', '99', '2025-06-15', { allow_correction: true }));
      await on('2025-08-01', () => acme.expectsLines('2025-08-01', 'Calls 0.00', 'Calls 1.00', 'Pro 30.00', 'Seats 10.00'));
      await on('2025-08-10', () => acme.discards(first));
      await on('2025-09-01', () => acme.expectsLines('2025-09-01', 'Calls 0.00', 'Calls -1.00', 'Pro 30.00', 'Seats 10.00'));
    },
  );

  story('frozen for ten days after the change and canceled: one line, minimum and fee for 15 of 30 days', async ({ on, acme }) => {
    await on('2025-06-01', () => acme.signs(pro(metered('1', { minimum_units: '30', flat_fee: '10' }))));
    await on('2025-06-05', () => acme.uses('calls', '2'));
    await on('2025-06-06', () => acme.changesUnits({ seats: '2' }));
    await on('2025-06-10', () => acme.freezes());
    await on('2025-06-20', () => acme.unfreezes());
    await on('2025-06-26', () => acme.cancels('now'));
    await acme.expectsLines('2025-06-26', 'Calls 20.00');
  });

  story('seats reported before a change of seats are shown on: 3 of 5', async ({ on, acme }) => {
    await on('2025-06-01', () => acme.signs(planOfFeatures('team', { seats })));
    await on('2025-06-10', () => acme.uses('seats', '2'));
    await on('2025-06-16', () => acme.changesUnits({ seats: '5' }));
    await on('2025-06-20', () => acme.uses('seats', '1'));
    const details = (await acme.mayUse()).plan?.features[0]?.entitlement_details;
    expect(details).toMatchObject({ contracted_unit_count: '5', used_unit_count: '3' });
  });
});

describe('a billing period divided by prices', () => {
  const graduated = tieredUsage('graduated', [
    { up_to: '100', unit_price: '1', flat_fee: '7' },
    { up_to: null, unit_price: '0.5', flat_fee: '3' },
  ]);
  const volume = (fee: string) => tieredUsage('volume', [{ up_to: null, unit_price: '1', flat_fee: fee }]);

  story(
    'each part explains the count it began at: 60 at 1, then 40 at 1 and 10 at 0.50 with the second fee',
    async ({ on, acme, vendor }) => {
      await on('2025-06-01', () => acme.signs(pro(metered('1'))));
      await on('2025-06-10', () => acme.uses('calls', '60'));
      await on('2025-06-16', () => acme.changesTo(pro(graduated, 'max', '60')));
      await on('2025-06-20', () => acme.uses('calls', '50'));
      const [period] = await acme.contract.usagePeriods();
      expect(period?.features).toMatchObject([{ feature_slug: 'calls', units_used: '110', units_charged: '50', amount: '48.00' }]);
      await on('2025-07-01');
      await acme.expectsLines('2025-07-01', 'Calls 48.00', 'Max 60.00', 'Seats 5.00');
      const [hit] = await acme.invoicesOf('2025-07-01');
      const { lines } = await vendor.api.read(`/v1/c/invoice/${hit?.invoice.id}/explain`);
      const line = lines.find(({ name }: AnyJson) => name === 'Calls');
      expect(line.recomputed).toMatchObject({ subtotal: '48.00', total_including_tax: line.total_including_tax });
      expect(line.derivation).toMatchObject({ units: '50', events: 1, began: { units: '60', tier_fees: '0' } });
      expect(line.sentences).toContain('60 were counted in the billing period before: 110 in all.');
    },
  );

  story('volume fees of 10, 50 and 30: 15.00, 45.00 and 5.00 for 5 calls each', async ({ on, acme }) => {
    await on('2025-06-01', () => acme.signs(pro(volume('10'))));
    await on('2025-06-05', () => acme.uses('calls', '5'));
    await on('2025-06-06', () => acme.changesTo(pro(volume('50'), 'max', '60')));
    await acme.expectsLines('2025-06-06', 'Calls 15.00', 'Pro -25.00', 'Max 50.00', 'Seats -4.17', 'Seats 4.17');
    await on('2025-06-10', () => acme.uses('calls', '5'));
    await on('2025-06-11', () => acme.changesTo(pro(volume('30'), 'top', '90')));
    await acme.expectsLines('2025-06-11', 'Calls 45.00', 'Max -40.00', 'Top 60.00', 'Seats -3.34', 'Seats 3.34');
    await on('2025-06-20', () => acme.uses('calls', '5'));
    await on('2025-07-01', () => acme.expectsLines('2025-07-01', 'Calls 5.00', 'Top 90.00', 'Seats 5.00'));
  });

  story('a correction of the first part prices that part alone: 10 more calls are 10.00, the second part stays', async ({ on, acme }) => {
    await on('2025-06-01', () => acme.signs(pro(metered('1'))));
    const event = await on('2025-06-10', () => acme.uses('calls', '995'));
    await on('2025-06-16', () => acme.changesTo(pro(free, 'max', '60')));
    await on('2025-06-20', () => acme.uses('calls', '10'));
    await on('2025-07-01', () => acme.expectsLines('2025-07-01', 'Calls 0.10', 'Max 60.00', 'Seats 5.00'));
    await on('2025-07-02', () => acme.amends(event, '1005'));
    await on('2025-07-03', () => acme.uses('calls', '10', '2025-06-20', { allow_correction: true }));
    await on('2025-08-01', () => acme.expectsLines('2025-08-01', 'Calls 10.00', 'Calls 0.20', 'Calls 0.00', 'Max 60.00', 'Seats 5.00'));
  });

  story('a marker of 30 after 100 gives nothing back, and 4 after it count', async ({ on, acme }) => {
    await on('2025-06-01', () => acme.signs(pro(metered('1'))));
    await on('2025-06-10', () => acme.uses('calls', '100'));
    await on('2025-06-16', () => acme.changesTo(pro(metered('2'), 'max', '60')));
    await on('2025-06-20', () => acme.uses('calls', '50'));
    await on('2025-06-20 06:00', () => acme.uses('calls', '30', undefined, { is_absolute: true }));
    await on('2025-06-21', () => acme.uses('calls', '4'));
    await acme.expectsUsed('calls', '104');
    await on('2025-07-01', () => acme.expectsLines('2025-07-01', 'Calls 8.00', 'Max 60.00', 'Seats 5.00'));
  });
});

describe('usage that a cancellation ends', () => {
  for (const { policy, closes } of [
    { policy: '1 hour', closes: '2025-06-16 01:00' },
    { policy: '1 day', closes: '2025-06-17' },
  ] as const) {
    story(`${policy}: 4 calls of the day before, reported after it, are charged at ${closes}`, async ({ on, acme }) => {
      await on('2025-06-01', () => acme.signs(pro(metered('1')), { usage_period_closing_policy: policy }));
      await on('2025-06-16', () => acme.cancels('now'));
      await on('2025-06-16 00:30', () => acme.uses('calls', '4', '2025-06-15'));
      await on(closes, () => acme.expectsLines(closes, 'Calls 4.00'));
      await refused(409, acme.uses('calls', '1', '2025-06-15'), 'period_closed');
    });
  }

  story('manual: it waits until it is closed by hand', async ({ on, acme }) => {
    await on('2025-06-01', () => acme.signs(pro(metered('1')), { usage_period_closing_policy: 'manual' }));
    await on('2025-06-16', () => acme.cancels('now'));
    await on('2025-06-25', () => acme.uses('calls', '4', '2025-06-15'));
    await acme.contract.closesUsage(1);
    await acme.expectsLines('2025-06-25', 'Calls 4.00');
  });

  story('expired on 16 June under 1 day: 4 calls of the 15th, reported on the 16th, are charged on the 17th', async ({ on, acme }) => {
    const expiration = '2025-06-16T00:00:00Z';
    await on('2025-06-01', () => acme.signs(pro(metered('1')), { usage_period_closing_policy: '1 day', expiration }));
    await on('2025-06-16 12:00', () => acme.uses('calls', '4', '2025-06-15'));
    await on('2025-06-17', () => acme.expectsLines('2025-06-17', 'Calls 4.00'));
  });
});

story('in a free trial the counter of calls goes on over a change of plan: 50 and 20 are 70, free', async ({ on, acme }) => {
  await on('2025-06-01', () => acme.signs(pro(metered('1')), { free_trial_days: 20 }));
  await on('2025-06-10', () => acme.uses('calls', '50'));
  await on('2025-06-11', () => acme.changesTo(pro(metered('2'), 'max', '60')));
  await acme.uses('calls', '20');
  await acme.expectsUsed('calls', '70');
  await on('2025-06-21', () => acme.expectsUsed('calls', '0'));
  await acme.expectsLines('2025-06-21', 'Max 60.00', 'Seats 5.00');
});
