import { signsBehindGate } from '../payments/gate-support.ts';
import { addsMethod } from '../payments/support.ts';
import { discount, metered, plan, refused, story } from '../support/story.ts';

const pro = plan('pro', '100');
const trial = plan('pro', '100', { trialDays: 14 });
const calls = plan('calls', '10', { features: { calls: { price: metered('0.10') } } });

describe('a freeze that ends by itself', () => {
  story('frozen on 10 January up to the 20th: the month ends on 11 February, foreseen in the freeze', async ({ on, acme }) => {
    await on('2025-01-01', () => acme.signs(pro));
    await on('2025-01-10', () => acme.freezes({ resume_at: '2025-01-20T00:00:00.000Z' }));
    expect(await acme.read()).toMatchObject({ status: 'inactive', resume_at: '2025-01-20T00:00:00.000Z' });
    expect(await acme.contract.next()).toEqual(['2025-01-20 freeze_end']);
    expect((await acme.contract.upcoming()).at).toBe('2025-02-11T00:00:00.000Z');
    await on('2025-01-19 23:59', async () => expect((await acme.read()).status).toBe('inactive'));
    await on('2025-01-20');
    expect(await acme.read()).toMatchObject({ status: 'active', resume_at: null });
    await acme.contract.expectsPeriod('2025-01-01', '2025-02-11', 1);
    await on('2025-02-11', () => acme.expectsInvoices('2025-01-01 100.00', '2025-02-11 100.00'));
  });

  story('another instant replaces the first, null drops it; activated before it nothing comes at it', async ({ on, acme }) => {
    await on('2025-01-01', () => acme.signs(pro));
    await on('2025-01-10', () => acme.freezes({ resume_at: '2025-01-15T01:00:00+01:00' }));
    await on('2025-01-12', () => acme.freezes({ resume_at: '2025-01-25T00:00:00.000Z' }));
    await acme.freezes();
    await on('2025-01-16', async () => expect((await acme.read()).resume_at).toBe('2025-01-25T00:00:00.000Z'));
    await acme.freezes({ resume_at: null });
    await on('2025-01-26', async () => expect(await acme.read()).toMatchObject({ status: 'inactive', resume_at: null }));
    await acme.freezes({ resume_at: '2025-02-10T00:00:00.000Z' });
    await on('2025-01-30', () => acme.unfreezes());
    await acme.contract.expectsNextCycle('2025-02-21');
    await on('2025-02-15', () => acme.freezes({ resume_at: null }));
    await on('2025-02-16', async () => expect((await acme.read()).status).toBe('inactive'));
    await acme.unfreezes();
    await acme.contract.expectsNextCycle('2025-02-22');
  });

  story('10 days by the vendor’s rule; a call’s own instant beats it, and null says never', async ({ on, acme, vendor }) => {
    await on('2025-01-01', () => vendor.sets('pause', { resume_after_days: 10 }));
    await acme.signs(pro);
    await vendor.sets('pause', { resume_after_days: 3 });
    await on('2025-01-10', () => acme.freezes());
    expect((await acme.read()).resume_at).toBe('2025-01-20T00:00:00.000Z');
    await on('2025-01-20', () => acme.contract.expectsNextCycle('2025-02-11'));
    await acme.freezes({ resume_at: '2025-01-21T00:00:00.000Z' });
    await on('2025-01-21', () => acme.contract.expectsNextCycle('2025-02-12'));
    await acme.freezes({ resume_at: null });
    expect((await acme.read()).resume_at).toBeNull();
  });

  story('a contract that only waits behind a payment gate, and goes with the freeze, has no say in its end', async ({ on, acme }) => {
    await on('2025-01-01', () => acme.signs({ ...pro, pauseRules: { resume_after_days: 10 } }));
    await addsMethod(acme, 'sandbox_slow');
    await signsBehindGate(acme, { ...plan('other', '20'), pauseRules: { resume_after_days: 3 } });
    await acme.freezes();
    expect((await acme.read()).resume_at).toBe('2025-01-11T00:00:00.000Z');
  });

  story('an instant that has passed, or no instant, is a 400 that names resume_at', async ({ on, acme }) => {
    await on('2025-01-10', () => acme.signs(pro));
    for (const resume_at of ['2025-01-10T00:00:00.000Z', '2024-12-31T00:00:00Z', 'tomorrow', '2025-01-20', '2025-13-01T00:00:00Z']) {
      await refused(400, acme.freezes({ resume_at }));
      await expect(acme.freezes({ resume_at })).rejects.toThrow('resume_at');
    }
    expect((await acme.read()).status).toBe('active');
  });
});

describe('usage in a freeze', () => {
  story(
    'held: 20 calls reported in the freeze and 30 later for its time count in the period that goes on after it',
    async ({ on, acme, vendor }) => {
      await on('2025-01-01', () => vendor.sets('pause', { usage: 'hold' }));
      await acme.signs(calls);
      await on('2025-01-05', () => acme.uses('calls', '10'));
      await on('2025-01-10', () => acme.freezes());
      await on('2025-01-15', () => acme.uses('calls', '20'));
      await acme.uses('calls', '40', '2025-01-09');
      await on('2025-01-20', () => acme.unfreezes());
      await acme.uses('calls', '30', '2025-01-16');
      await acme.expectsUsed('calls', '100');
      await on('2025-02-11', () => acme.expectsLines('2025-02-11', 'Calls 10.00', 'Calls 10.00'));
    },
  );

  story(
    'held over the date of a trial that runs on: 20 calls before it are free, 30 after it are billed with the first month',
    async ({ on, acme, vendor }) => {
      await on('2025-01-01', () => vendor.sets('pause', { usage: 'hold', trial: 'run_on' }));
      await acme.signs(plan('calls', '10', { trialDays: 14, features: { calls: { price: metered('0.10') } } }));
      await on('2025-01-10', () => acme.freezes());
      await on('2025-01-14', () => acme.uses('calls', '20'));
      await on('2025-01-16', () => acme.uses('calls', '30'));
      await on('2025-01-20', () => acme.unfreezes());
      await acme.uses('calls', '5', '2025-01-17');
      await refused(409, acme.uses('calls', '40', '2025-01-13'), 'period_closed');
      await on('2025-02-20', () => acme.expectsInvoices('2025-01-20 10.00', '2025-02-20 13.50'));
    },
  );

  story(
    'held after the date of a trial at whose end another plan comes: 30 calls in the freeze and 5 later are in its first month',
    async ({ on, acme, vendor }) => {
      await on('2025-01-01', () => vendor.sets('pause', { usage: 'hold', trial: 'run_on' }));
      const priced = (slug: string, amount: string) =>
        plan(slug, amount, { trialDays: 14, features: { calls: { price: metered('0.10') } } });
      await acme.signs(priced('big', '30'));
      await acme.changesTo(priced('small', '10'), { activation: { type: 'next_cycle' } });
      await on('2025-01-10', () => acme.freezes());
      await on('2025-01-14', () => acme.uses('calls', '20'));
      await on('2025-01-16', () => acme.uses('calls', '30'));
      await on('2025-01-20', () => acme.unfreezes());
      acme.contract.follows();
      await acme.uses('calls', '5', '2025-01-17');
      await on('2025-02-20', () => acme.expectsInvoices('2025-01-20 10.00', '2025-02-20 13.50'));
    },
  );

  story('held in a trial that ends for good in the freeze: no paid period begins, so nothing is charged', async ({ on, acme, vendor }) => {
    await on('2025-01-01', () => vendor.sets('pause', { usage: 'hold', trial: 'run_on', expiration: 'run_on' }));
    const sold = plan('calls', '10', { trialDays: 14, features: { calls: { price: metered('0.10') } } });
    await acme.signs(sold, { expiration: '2025-01-18T00:00:00.000Z' });
    await on('2025-01-10', () => acme.freezes());
    await on('2025-01-14', () => acme.uses('calls', '20'));
    await on('2025-01-16', () => acme.uses('calls', '30'));
    await on('2025-01-20', () => acme.unfreezes());
    await acme.contract.expectsStatus('canceled');
    await on('2025-03-01', () => acme.expectsInvoices());
  });

  story('held in the freeze in which the contract expires: it is billed at the activation', async ({ on, acme, vendor }) => {
    await on('2025-01-01', () => vendor.sets('pause', { usage: 'hold', expiration: 'run_on' }));
    await acme.signs(calls, { expiration: '2025-01-15T00:00:00Z' });
    await on('2025-01-10', () => acme.freezes());
    await on('2025-01-16', () => acme.uses('calls', '20'));
    await on('2025-01-20', () => acme.unfreezes());
    await acme.contract.expectsStatus('canceled');
    await acme.expectsInvoices('2025-01-01 10.00', '2025-01-20 2.00');
  });

  story('refused, as ever, by the plan’s rule that comes before the vendor’s', async ({ on, acme, vendor }) => {
    await on('2025-01-01', () => vendor.sets('pause', { usage: 'hold' }));
    await acme.signs({ ...calls, pauseRules: { usage: 'refuse' } });
    await on('2025-01-10', () => acme.freezes());
    await refused(409, acme.uses('calls', '1'), 'customer_frozen');
    await on('2025-01-20', () => acme.unfreezes());
    await refused(409, acme.uses('calls', '1', '2025-01-15'), 'usage_while_frozen');
  });
});

describe('dates that a freeze does not move', () => {
  story('trial to 15 January frozen 10 to 20 January: charged on the 20th; its reminder never comes', async ({ on, acme, vendor }) => {
    await on('2025-01-01', () => vendor.sets('pause', { trial: 'run_on' }));
    await acme.signs(trial);
    await on('2025-01-10', () => acme.freezes());
    await on('2025-01-20', () => acme.unfreezes());
    await acme.expectsInvoices('2025-01-20 100.00');
    expect(await acme.contract.eventsOf('v1.trial.ending')).toEqual([]);
  });

  story('expiration on 16 February, frozen 10 to 20 January: it ends on the 16th', async ({ on, acme, vendor }) => {
    await on('2025-01-01', () => vendor.sets('pause', { expiration: 'run_on' }));
    await acme.signs(pro, { expiration: '2025-02-16T00:00:00Z' });
    await on('2025-01-10', () => acme.freezes());
    await on('2025-01-20', () => acme.unfreezes());
    await on('2025-02-16', () => acme.contract.expectsStatus('canceled'));
    await acme.expectsInvoices('2025-01-01 100.00', '2025-02-11 100.00');
  });

  story('10 % for 3 months, frozen 10 January to 11 March: of the cycles from 2 April on none has it', async ({ on, acme, vendor }) => {
    await on('2025-01-01', () => vendor.sets('pause', { discount: 'run_on' }));
    await acme.signs(pro, { discount: discount('ten', 'percentage', '10', 3) });
    await on('2025-01-10', () => acme.freezes({ resume_at: '2025-03-11T00:00:00.000Z' }));
    await on('2025-05-02', () => acme.expectsInvoices('2025-01-01 90.00', '2025-04-02 100.00', '2025-05-02 100.00'));
  });
});

describe('the reminder of a trial’s end', () => {
  story('3 days before it, at its beginning where it is shorter, moved by a freeze', async ({ on, acme, vendor }) => {
    await on('2025-01-01', () => acme.signs(trial));
    const short = vendor.customer('Short');
    await short.signs(trial, { free_trial_days: 2 });
    const moved = vendor.customer('Moved');
    await moved.signs(trial);
    await on('2025-01-05', () => moved.freezes({ resume_at: '2025-01-10T00:00:00.000Z' }));
    expect(await acme.contract.next()).toEqual(['2025-01-12 trial_ending', '2025-01-15 trial_end']);
    await on('2025-02-01');
    const reminder = (at: string, end: string) => [
      { timestamp: `${at}T00:00:00.000Z`, data: expect.objectContaining({ at: `${end}T00:00:00.000Z` }) },
    ];
    expect(await acme.contract.eventsOf('v1.trial.ending')).toEqual(reminder('2025-01-12', '2025-01-15'));
    expect(await short.contract.eventsOf('v1.trial.ending')).toEqual(reminder('2025-01-01', '2025-01-03'));
    expect(await moved.contract.eventsOf('v1.trial.ending')).toEqual(reminder('2025-01-17', '2025-01-20'));
  });
});

story('a contract shows its rules and where each comes from; another plan replaces the plan’s part', async ({ on, acme, vendor }) => {
  await on('2025-01-01', () => vendor.sets('pause', { resume_after_days: 30, usage: 'hold' }));
  await acme.signs({ ...pro, pauseRules: { usage: 'refuse', trial: 'run_on' } });
  await vendor.sets('pause', { resume_after_days: null, usage: null, discount: 'run_on' });
  expect(await acme.contract.read()).toMatchObject({
    pause_rules: { resume_after_days: 30, usage: 'refuse', trial: 'run_on', expiration: 'move', discount: 'move' },
    pause_rules_from: { resume_after_days: 'vendor', usage: 'plan', trial: 'plan', expiration: 'default', discount: 'default' },
  });
  await acme.changesTo({ ...plan('max', '300'), pauseRules: { resume_after_days: null } });
  expect(await acme.contract.read()).toMatchObject({
    pause_rules: { resume_after_days: null, usage: 'hold', trial: 'move', expiration: 'move', discount: 'move' },
    pause_rules_from: { resume_after_days: 'plan', usage: 'vendor', trial: 'default', expiration: 'default', discount: 'default' },
  });
  const rules = { resume_after_days: null, usage: 'refuse', trial: 'move', expiration: 'move', discount: 'run_on' };
  expect(await vendor.api.read('/v1/c/preferences/pause')).toEqual({ ...rules, pause_rules: rules });
});
