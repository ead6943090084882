import { metered, plan, planOfFeatures, refused, story } from '../support/story.ts';

const pro = plan('pro', '100');

describe('cancelling now', () => {
  story('without credit gives nothing back and charges nothing more', async ({ on, acme }) => {
    await on('2025-06-01', () => acme.signs(pro));
    await on('2025-06-16', () => acme.cancels('now'));
    await acme.contract.expectsStatus('canceled');
    await on('2025-08-01', () => acme.expectsInvoices('100.00'));
    await acme.expectsWallet('0.00');
  });

  story('with credit gives the unused half, 50.00, to the wallet', async ({ on, acme }) => {
    await on('2025-06-01', () => acme.signs(pro));
    await acme.pays();
    await on('2025-06-16', () => acme.cancels('now', { credit: true }));
    await acme.expectsLines('2025-06-16', 'Pro -50.00', 'wallet 50.00');
    await acme.expectsInvoices('100.00', '0.00');
    await acme.expectsWallet('50.00');
  });

  story('with credit before paying halves what is open: 50.00 to pay, nothing in the wallet', async ({ on, acme }) => {
    await on('2025-06-01', () => acme.signs(pro));
    await on('2025-06-16', () => acme.cancels('now', { credit: true }));
    await acme.expectsUnpaid('50.00');
    await acme.expectsWallet('0.00');
  });

  story('charges the usage so far, its minimum of 100 calls and fee of 10 halved: 20 calls cost 10.00', async ({ on, acme }) => {
    const calls = planOfFeatures('calls', { calls: { price: metered('0.10', { minimum_units: '100', flat_fee: '10' }) } });
    await on('2025-06-01', () => acme.signs(calls));
    await on('2025-06-10', () => acme.uses('calls', '20'));
    await on('2025-06-16', () => acme.cancels('now'));
    await on('2025-06-17', () => acme.expectsInvoices('2025-06-16 10.00'));
    await refused(409, acme.uses('calls', '1'));
  });

  story('in a trial there is nothing to charge or credit', async ({ on, acme }) => {
    await on('2025-01-01', () => acme.signs(plan('pro', '100', { trialDays: 14 })));
    await on('2025-01-05', () => acme.cancels('now', { credit: true }));
    await acme.contract.expectsStatus('canceled');
    await on('2025-03-01', () => acme.expectsInvoices());
  });

  story('drops a downgrade that waited: its contract is canceled too', async ({ on, acme }) => {
    await on('2025-06-01', () => acme.signs(pro));
    await on('2025-06-05', () => acme.changesTo(plan('basic', '40')));
    await on('2025-06-16', () => acme.cancels('now'));
    await acme.contract.expectsStatus('canceled', String(acme.contract.successor));
    await on('2025-07-01', () => acme.expectsInvoices('100.00'));
  });

  story('a canceled contract can not be changed or canceled again, and the plan may be signed again', async ({ on, acme }) => {
    await on('2025-06-01', () => acme.signs(pro));
    await on('2025-06-16', () => acme.cancels('now'));
    await refused(409, acme.changesTo(plan('max', '300')));
    await refused(409, acme.cancels('now'));
    await acme.signs(pro);
    await acme.expectsInvoices('2025-06-01 100.00', '2025-06-16 100.00');
  });
});

describe('cancelling later', () => {
  story('at the end of the cycle it goes on to 1 July, bills 10 calls of June for 1.00 and nothing more', async ({ on, acme }) => {
    const calls = plan('pro', '100', { features: { calls: { price: metered('0.10') } } });
    await on('2025-06-01', () => acme.signs(calls));
    await on('2025-06-10', () => acme.cancels('end_of_cycle'));
    await on('2025-06-20', () => acme.uses('calls', '10'));
    await acme.contract.expectsStatus('active');
    await on('2025-07-01', () => acme.contract.expectsStatus('canceled'));
    await on('2025-09-01', () => acme.expectsInvoices('2025-06-01 100.00', '2025-07-01 1.00'));
  });

  story(
    'the last period closes by its policy: canceled on 1 July, 1.00 billed on 2 July with a call that came late',
    async ({ on, acme }) => {
      const calls = planOfFeatures('calls', { calls: { price: metered('0.10') } });
      await on('2025-06-01', () => acme.signs(calls, { usage_period_closing_policy: '1 day' }));
      await on('2025-06-10', () => acme.uses('calls', '9'));
      await acme.cancels('end_of_cycle');
      await on('2025-07-01 12:00', () => acme.contract.expectsStatus('canceled'));
      await acme.uses('calls', '1', '2025-06-30 23:59');
      await on('2025-07-05', () => acme.expectsInvoices('2025-07-02 1.00'));
    },
  );

  story('undone, it goes on: 100.00 on 1 July', async ({ on, acme }) => {
    await on('2025-06-01', () => acme.signs(pro));
    await on('2025-06-10', () => acme.cancels('end_of_cycle'));
    await on('2025-06-20', () => acme.contract.undoesTheCancellation());
    await on('2025-07-01', () => acme.expectsInvoices('100.00', '100.00'));
    await acme.contract.expectsStatus('active');
  });

  story('undoing what was not asked is a 409', async ({ on, acme }) => {
    await on('2025-06-01', () => acme.signs(pro));
    await refused(409, acme.contract.undoesTheCancellation());
  });

  story('on 20 July, with credit: charged in July, 38.71 of 100.00 back for 12 of 31 days', async ({ on, acme }) => {
    await on('2025-06-01', () => acme.signs(pro));
    await on('2025-06-10', () => acme.cancels('2025-07-20', { credit: true }));
    await on('2025-07-02', () => acme.pays());
    await on('2025-07-20', () => acme.contract.expectsStatus('canceled'));
    await acme.expectsLines('2025-07-20', 'Pro -38.71', 'wallet 38.71');
    await acme.expectsWallet('38.71');
  });
});

describe('expiration', () => {
  story('on 16 February neither pro-rates nor credits: 100.00 on 1 January and 1 February, canceled', async ({ on, acme }) => {
    await on('2025-01-01', () => acme.signs(pro, { expiration: '2025-02-16T00:00:00Z' }));
    await on('2025-02-15', () => acme.contract.expectsStatus('active'));
    await on('2025-02-16', () => acme.contract.expectsStatus('canceled'));
    await on('2025-04-01', () => acme.expectsInvoices('2025-01-01 100.00', '2025-02-01 100.00'));
    await acme.expectsWallet('0.00');
  });

  story('bills the last usage: 12 calls to 16 February cost 1.20', async ({ on, acme }) => {
    const calls = planOfFeatures('calls', { calls: { price: metered('0.10') } });
    await on('2025-01-01', () => acme.signs(calls, { expiration: '2025-02-16T00:00:00Z' }));
    await on('2025-02-10', () => acme.uses('calls', '12'));
    await on('2025-03-01', () => acme.expectsInvoices('2025-02-16 1.20'));
  });

  story('leaves the last period’s minimum of 100 calls and its fee of 10 whole: 20.00 on 16 June', async ({ on, acme }) => {
    const calls = planOfFeatures('calls', { calls: { price: metered('0.10', { minimum_units: '100', flat_fee: '10' }) } });
    await on('2025-06-01', () => acme.signs(calls, { expiration: '2025-06-16T00:00:00Z' }));
    await on('2025-06-10', () => acme.uses('calls', '20'));
    await on('2025-07-02', () => acme.expectsInvoices('2025-06-16 20.00'));
  });
});
