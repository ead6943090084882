import { metered, plan, planOfFeatures, story } from '../support/story.ts';

const calls = planOfFeatures('calls', { calls: { price: metered('0.10') } });

describe('usage reported ahead for a period that hasn’t begun', () => {
  story(
    '3 calls for 00:10 of February, frozen at 23:40 for 38 days: charged once, 0.30 at the end of the month that begins on 11 March',
    async ({ on, acme }) => {
      await on('2025-01-01', () => acme.signs(calls));
      await on('2025-01-31 23:30', () => acme.uses('calls', '3', '2025-02-01 00:10'));
      await on('2025-01-31 23:40', () => acme.freezes());
      await on('2025-03-05', () => acme.expectsInvoices());
      await on('2025-03-10 23:40', () => acme.unfreezes());
      await on('2025-03-11', () => acme.expectsInvoices('2025-03-11 0.00'));
      await on('2025-04-08', () => acme.expectsInvoices('2025-03-11 0.00', '2025-04-08 0.30'));
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
      await on('2025-03-11', () => acme.expectsInvoices('2025-03-10 23:50 0.00', '2025-03-11 0.60'));
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
    await on('2025-02-01', () => acme.expectsInvoices('2025-01-10 0.30', '2025-02-01 0.00'));
  });
});
