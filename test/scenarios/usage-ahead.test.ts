import { alwaysWrong } from '../model/invariants.ts';
import { withTestDatabase } from '../support/database.ts';
import { metered, plan, planOfFeatures, refused, story } from '../support/story.ts';

const calls = planOfFeatures('calls', { calls: { price: metered('0.10') } });

describe('usage reported ahead for a period that hasn’t begun', () => {
  story(
    '3 calls for 00:10 of February, frozen at 23:40 for 38 days: charged once, 0.30 at the end of the month that begins on 11 March',
    async ({ on, acme, vendor }) => {
      const gaps = async () =>
        (await withTestDatabase((db) => alwaysWrong(db, vendor.vendorId))).filter((found) => found.startsWith('usage periods'));
      const bounds = async () =>
        (await acme.contract.usagePeriods()).map(({ start, end }) => [start, end].map((at) => at?.slice(0, 10) ?? null));
      await on('2025-01-01', () => acme.signs(calls));
      await on('2025-01-31 23:30', () => acme.uses('calls', '3', '2025-02-01 00:10'));
      await on('2025-01-31 23:40', () => acme.freezes());
      expect(await bounds()).toEqual([
        ['2025-01-01', null],
        ['2025-02-01', null],
      ]);
      expect(await gaps()).toEqual([]);
      await on('2025-03-05', () => acme.expectsInvoices());
      await on('2025-03-10 23:40', () => acme.unfreezes());
      expect(await gaps()).toEqual([]);
      expect(await bounds()).toEqual([
        ['2025-01-01', '2025-03-11'],
        ['2025-03-11', '2025-04-11'],
      ]);
      await on('2025-03-11', () => acme.expectsInvoices());
      await on('2025-04-11', () => acme.expectsInvoices('2025-04-11 0.30'));
    },
  );

  story(
    'the same, changed between the freeze and the month: the new contract charges them, 0.60 at its first end',
    async ({ on, acme }) => {
      await on('2025-01-01', () => acme.signs(calls));
      await on('2025-01-31 23:30', () => acme.uses('calls', '3', '2025-02-01 00:10'));
      await on('2025-01-31 23:40', () => acme.freezes());
      await on('2025-03-10 23:40', () => acme.unfreezes());
      await on('2025-03-10 23:50', () => acme.changesTo(planOfFeatures('dear', { calls: { price: metered('0.20') } })));
      await on('2025-03-11', () => acme.expectsInvoices('2025-03-11 0.60'));
    },
  );

  story('in a trial for the time after it, then a change of plan: 0.60 for what lies beyond the trial', async ({ on, acme }) => {
    await on('2025-01-01', () => acme.signs(plan('a', '0', { trialDays: 14, features: { calls: { price: metered('0.10') } } })));
    await on('2025-01-14 23:30', () => acme.uses('calls', '3', '2025-01-15 00:10'));
    await on('2025-01-14 23:40', () => acme.changesTo(plan('b', '0', { trialDays: 14, features: { calls: { price: metered('0.20') } } })));
    await on('2025-02-15', () => acme.expectsInvoices('2025-01-15 0.00', '2025-02-15 0.60'));
  });

  story('in a period closed by hand, then a change before its instant: charged once, 0.30', async ({ on, acme }) => {
    await on('2025-01-01', () => acme.signs(calls));
    await on('2025-01-10', async () => {
      await acme.uses('calls', '3', '2025-01-10 00:49');
      await acme.contract.closesUsage(1);
    });
    await on('2025-01-10 00:10', () => acme.changesTo(planOfFeatures('dear', { calls: { price: metered('0.20') } })));
    await on('2025-02-01', () => acme.expectsInvoices('2025-01-10 0.30'));
  });
});

describe('usage reported ahead of the end of its contract', () => {
  story('canceled now with 4 calls for 17 minutes later: 0.40 in the last period, corrected to 1 call −0.30', async ({ on, acme }) => {
    await on('2025-06-01', () => acme.signs(calls));
    const event = await on('2025-06-16', () => acme.uses('calls', '4', '2025-06-16 00:17'));
    await acme.cancels('now');
    await acme.expectsInvoices('2025-06-16 0.40');
    await refused(409, acme.uses('calls', '1', '2025-06-16 00:20'));
    await acme.amends(event, '1');
    await on('2025-07-02', () => acme.expectsLines('2025-06-16', 'Calls 0.40', 'Correction: calls -0.30', 'wallet 0.30'));
    expect((await acme.contract.usagePeriods()).map(({ idx, status, features }) => [idx, status, features[0]?.units_used])).toEqual([
      [1, 'closed', '1'],
    ]);
  });

  story(
    'canceled for the end of June with 4 calls for 00:10 of July, closed a day later: 0.40 without a fee for July',
    async ({ on, acme }) => {
      const fee = planOfFeatures('fee', { calls: { price: metered('0.10', { flat_fee: '10' }) } });
      await on('2025-06-01', () => acme.signs(fee, { usage_period_closing_policy: '1 day' }));
      await on('2025-06-10', () => acme.cancels('end_of_cycle'));
      const event = await on('2025-06-30 23:50', () => acme.uses('calls', '4', '2025-07-01 00:10'));
      await on('2025-07-01 12:00', () => acme.contract.expectsStatus('canceled'));
      await acme.amends(event, '5');
      await on('2025-07-03', () => acme.expectsInvoices('2025-07-02 10.50'));
      await acme.discards(event);
      await acme.expectsInvoices('2025-07-02 10.50', '2025-07-03 0.00');
      await acme.expectsUnpaid('10.00');
    },
  );

  story(
    '4 calls for 00:10 of July, changed at 23:40 of June and canceled at 23:50: the new contract charges them, 0.80',
    async ({ on, acme }) => {
      await on('2025-06-01', () => acme.signs(calls));
      await on('2025-06-30 23:30', () => acme.uses('calls', '4', '2025-07-01 00:10'));
      await on('2025-06-30 23:40', () => acme.changesTo(planOfFeatures('dear', { calls: { price: metered('0.20') } })));
      const idxs = async () =>
        (await acme.contract.usagePeriods()).map(({ idx, status, features }) => [idx, status, features[0]?.units_used]);
      expect(await idxs()).toEqual([
        [1, 'open', '0'],
        [2, 'open', '4'],
      ]);
      await on('2025-06-30 23:50', () => acme.cancels('now'));
      await acme.expectsInvoices('2025-06-30 23:50 0.80');
    },
  );

  story('canceled in a trial with 3 calls for the time after it: free, amended too', async ({ on, acme }) => {
    await on('2025-01-01', () => acme.signs(plan('a', '0', { trialDays: 14, features: { calls: { price: metered('0.10') } } })));
    const event = await on('2025-01-14 23:30', () => acme.uses('calls', '3', '2025-01-15 00:10'));
    await on('2025-01-14 23:40', () => acme.cancels('now'));
    await acme.amends(event, '9');
    expect((await acme.contract.usagePeriods()).map(({ idx, features }) => [idx, features[0]?.amount])).toEqual([
      [0, '0.00'],
      [1, '0.00'],
    ]);
    await on('2025-03-01', () => acme.expectsInvoices());
  });
});
