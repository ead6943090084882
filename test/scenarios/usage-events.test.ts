import type { AnyJson } from '../support/api.ts';
import { metered, plan, planOfFeatures, refused, story } from '../support/story.ts';

const calls = planOfFeatures('calls', { calls: { price: metered('0.10') } });

describe('usage events', () => {
  story('are readable at once: 3 and 4.5 calls are 7.5 used, 0.75 in the open period and 0.75 on 1 February', async ({ on, acme }) => {
    await on('2025-01-01', () => acme.signs(calls));
    await on('2025-01-10', () => acme.uses('calls', '3'));
    await acme.uses('calls', '4.5');
    await acme.expectsUsed('calls', '7.5');
    const [period] = await acme.contract.usagePeriods();
    expect(period).toMatchObject({ idx: 1, status: 'open', features: [{ feature_slug: 'calls', units_used: '7.5', amount: '0.75' }] });
    expect((await acme.mayUse()).plan?.features[0]?.entitlement_details).toMatchObject({
      pricing_strategy: 'usage',
      used_unit_count: '7.5',
    });
    await on('2025-02-01', () => acme.expectsInvoices('0.75'));
    await acme.expectsUsed('calls', '0');
  });

  story('at the very boundary belong to the next period: 1 call before, 2 at midnight, 0.10 and 0.20', async ({ on, acme }) => {
    await on('2025-01-01', () => acme.signs(calls));
    await on('2025-01-31 23:59', () => acme.uses('calls', '1'));
    await acme.uses('calls', '2', '2025-02-01');
    await on('2025-03-01', () => acme.expectsInvoices('2025-02-01 0.10', '2025-03-01 0.20'));
  });

  story(
    'an absolute 20 discards the 5 before it and starts again: with 3 after it 23, whatever comes late for before',
    async ({ on, acme }) => {
      await on('2025-01-01', () => acme.signs(calls));
      await on('2025-01-05', () => acme.uses('calls', '5'));
      await on('2025-01-10', () => acme.uses('calls', '20', undefined, { is_absolute: true }));
      await on('2025-01-12', () => acme.uses('calls', '3'));
      await acme.uses('calls', '4', '2025-01-09');
      await acme.expectsUsed('calls', '23');
      await on('2025-02-01', () => acme.expectsInvoices('2.30'));
    },
  );

  story('an absolute marker never reaches into a closed period: 1.00 for January stays, February counts from 7', async ({ on, acme }) => {
    await on('2025-01-01', () => acme.signs(calls));
    await on('2025-01-20', () => acme.uses('calls', '10'));
    await on('2025-02-10', () => acme.uses('calls', '7', undefined, { is_absolute: true }));
    await on('2025-03-01', () => acme.expectsInvoices('1.00', '0.70'));
  });

  story(
    'of two markers at one instant the later arrival holds, other events of that instant count on top: 8 and 2 are 10',
    async ({ on, acme }) => {
      await on('2025-01-01', () => acme.signs(calls));
      await on('2025-01-10');
      await acme.uses('calls', '2', '2025-01-09');
      await acme.uses('calls', '50', '2025-01-09', { is_absolute: true });
      await acme.uses('calls', '8', '2025-01-09', { is_absolute: true });
      await acme.expectsUsed('calls', '10');
    },
  );

  story('an absolute 20 reported ahead goes along with a change: 5 that come late for before it do not count', async ({ on, acme }) => {
    await on('2025-01-01', () => acme.signs(calls));
    await on('2025-01-10 12:00', () => acme.uses('calls', '20', '2025-01-10 12:30', { is_absolute: true }));
    await acme.contract.changesTo(planOfFeatures('more-calls', { calls: { price: metered('0.20') } }));
    await on('2025-01-10 12:40', () => acme.uses('calls', '5', '2025-01-10 12:10'));
    await acme.expectsUsed('calls', '20');
  });

  story('amended from 10 to 6 and discarded they count in the open period: 6, then 0', async ({ on, acme }) => {
    await on('2025-01-01', () => acme.signs(calls));
    const event = await on('2025-01-10', () => acme.uses('calls', '10'));
    await acme.amends(String(event), '6');
    await acme.expectsUsed('calls', '6');
    await acme.discards(String(event));
    await acme.expectsUsed('calls', '0');
    await on('2025-02-01', () => acme.expectsInvoices());
  });

  story('reported twice under one key count once, in bulk the good ones are kept: 5 and 2 calls', async ({ on, acme, vendor }) => {
    await on('2025-01-01', () => acme.signs(calls));
    await on('2025-01-10');
    const customer_id = await acme.id();
    const entry = { customer_id, feature_slug: 'calls', units: '5', idempotency_key: 'batch-1' };
    const entries = [
      entry,
      { ...entry, units: '-1', idempotency_key: 'batch-2' },
      { ...entry, feature_slug: 'unknown', idempotency_key: 'batch-3' },
    ];
    const failed = await vendor.api.made<AnyJson>('/v1/c/usage/bulk', [...entries, { ...entry, units: '2', idempotency_key: 'batch-4' }]);
    expect(failed.map(({ index, status }: { index: number; status: number }) => [index, status])).toEqual([
      [1, 400],
      [2, 404],
    ]);
    expect(await vendor.api.made('/v1/c/usage/bulk', [entry])).toEqual([]);
    await acme.expectsUsed('calls', '7');
  });

  story(
    'are refused with a reason: unknown feature 404, negative 400, flat feature 400, too early 409, two hours ahead 409',
    async ({ on, acme }) => {
      const pro = plan('pro', '29', { features: { calls: { price: metered('0.10') }, chat: {} } });
      await on('2025-01-01', () => acme.signs(pro));
      await on('2025-01-10');
      await refused(404, acme.uses('phone', '1'));
      await refused(400, acme.uses('calls', '-1'));
      await refused(400, acme.uses('chat', '1'));
      await refused(409, acme.uses('calls', '1', '2024-12-31'));
      await refused(409, acme.uses('calls', '1', '2025-01-10 02:00'));
      await acme.uses('calls', '1', '2025-01-10 00:59');
      await on('2025-02-01', () => acme.expectsInvoices('29.00', '29.10'));
    },
  );
});
