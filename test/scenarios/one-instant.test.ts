import { metered, plan, planOfFeatures, story } from '../support/story.ts';

const pro = plan('pro', '100');
const basic = plan('basic', '40');
const calls = plan('pro', '100', { features: { calls: { price: metered('0.10') } } });

/**
 * Closing of usage, then cancellation and expiration, then a scheduled change, then trial end, then charges, then the
 * wallet.
 */
describe('things due at one instant happen in one order', () => {
  story(
    'cancellation before a scheduled change: a downgrade and a cancellation on 1 July end in nothing more to pay',
    async ({ on, acme }) => {
      await on('2025-06-01', () => acme.signs(pro));
      await on('2025-06-05', () => acme.changesTo(basic));
      await on('2025-06-10', () => acme.cancels('end_of_cycle'));
      await on('2025-07-01', () => acme.expectsInvoices('100.00'));
      await acme.contract.expectsStatus('canceled');
      await acme.contract.expectsStatus('canceled', String(acme.contract.successor));
    },
  );

  story('expiration before a scheduled change: the downgrade for 1 July never comes to be', async ({ on, acme }) => {
    await on('2025-06-01', () => acme.signs(pro, { expiration: '2025-07-01T00:00:00Z' }));
    await on('2025-06-05', () => acme.changesTo(basic));
    await on('2025-07-01', () => acme.expectsInvoices('100.00'));
    await acme.contract.expectsStatus('canceled');
    await acme.contract.expectsStatus('canceled', String(acme.contract.successor));
  });

  story('expiration before the charge of the cycle: nothing for July', async ({ on, acme }) => {
    await on('2025-06-01', () => acme.signs(pro, { expiration: '2025-07-01T00:00:00Z' }));
    await on('2025-08-01', () => acme.expectsInvoices('100.00'));
  });

  story('usage closes before the cancellation: 30 calls are billed 3.00 at the end', async ({ on, acme }) => {
    await on('2025-06-01', () => acme.signs(calls));
    await on('2025-06-10', () => acme.uses('calls', '30'));
    await acme.cancels('end_of_cycle');
    await on('2025-07-01', () => acme.expectsInvoices('2025-06-01 100.00', '2025-07-01 3.00'));
  });

  story('usage of the old plan, then the scheduled change, then its charge: 3.00 and 40.00, no 100.00', async ({ on, acme }) => {
    await on('2025-06-01', () => acme.signs(calls));
    await on('2025-06-10', () => acme.uses('calls', '30'));
    await acme.changesTo(basic);
    await on('2025-07-01', () => acme.expectsLines('2025-07-01', 'Calls 3.00', 'Basic 40.00'));
  });

  story('a cancellation at the end of a trial comes before its first charge', async ({ on, acme }) => {
    await on('2025-01-01', () => acme.signs(plan('pro', '100', { trialDays: 14 })));
    await on('2025-01-05', () => acme.cancels('2025-01-15'));
    await on('2025-02-20', () => acme.expectsInvoices());
    await acme.contract.expectsStatus('canceled');
  });

  story('a change dated at the end of a trial comes before its first charge: 300.00 alone', async ({ on, acme }) => {
    await on('2025-01-01', () => acme.signs(plan('pro', '100', { trialDays: 14 })));
    await on('2025-01-05', () => acme.changesTo(plan('max', '300'), { activation: { type: 'date', date: '2025-01-15T00:00:00Z' } }));
    await on('2025-01-15', () => acme.expectsInvoices('2025-01-15 300.00'));
  });

  story('an expiration at the end of a trial comes before its first charge', async ({ on, acme }) => {
    await on('2025-01-01', () =>
      acme.signs(pro, { activation: '2025-02-01T00:00:00Z', expiration: '2025-02-02T00:00:00Z', free_trial_days: 1 }),
    );
    await on('2025-03-01', () => acme.expectsInvoices());
    await acme.contract.expectsStatus('canceled');
  });

  story('the wallet comes after the charges: 100.00 granted before midnight pays the cycle of that midnight', async ({ on, acme }) => {
    await on('2025-06-01', () => acme.signs(pro));
    await acme.pays();
    await on('2025-06-30 23:59', () => acme.grants('100'));
    await on('2025-07-01', () => acme.expectsWallet('0.00'));
    await acme.expectsUnpaid('0.00');
  });

  story(
    'a call at the instant comes after all of them: cancelled with credit at the boundary gives the whole 100.00 back',
    async ({ on, acme }) => {
      await on('2025-06-01', () => acme.signs(pro));
      await acme.pays();
      await on('2025-07-01', () => acme.cancels('now', { credit: true }));
      await acme.expectsLines('2025-07-01', 'Pro 100.00', 'Pro -100.00', 'wallet 100.00');
      await acme.expectsUnpaid('0.00');
      await acme.expectsWallet('0.00');
    },
  );

  story(
    'what became due while frozen keeps its order: frozen over 1 July the canceled contract ends later, uncharged',
    async ({ on, acme }) => {
      await on('2025-06-01', () => acme.signs(calls));
      await on('2025-06-10', () => acme.uses('calls', '30'));
      await acme.cancels('end_of_cycle');
      await on('2025-06-20', () => acme.freezes());
      await on('2025-07-20', () => acme.unfreezes()); // 30 days
      await acme.contract.expectsStatus('active');
      await on('2025-07-31', () => acme.expectsInvoices('2025-06-01 100.00', '2025-07-31 3.00'));
      await acme.contract.expectsStatus('canceled');
    },
  );

  story(
    'a closing delayed by an hour falls on the next boundary and bills its own period: 0.10 at two, 0.20 at three',
    async ({ on, acme }) => {
      const hourly = planOfFeatures('calls', { calls: { price: metered('0.10') } }, { cycle: 'hour' });
      await on('2025-01-01', () => acme.signs(hourly, { usage_period_closing_policy: '1 hour' }));
      await on('2025-01-01 00:30', () => acme.uses('calls', '1'));
      await on('2025-01-01 01:30', () => acme.uses('calls', '2'));
      await on('2025-01-01 03:00', () => acme.expectsInvoices('2025-01-01 02:00 0.10', '2025-01-01 03:00 0.20'));
    },
  );
});
