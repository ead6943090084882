import { flat, metered, plan, planOfFeatures, refused, story } from '../support/story.ts';

const monthly = (amount: string) => plan('pro', amount);

describe('months from an anchor', () => {
  story('anchored on 31 January 2025: 28 February, 31 March, 30 April', async ({ on, acme }) => {
    await on('2025-01-31', () => acme.signs(monthly('29')));
    await acme.contract.expectsPeriod('2025-01-31', '2025-02-28', 1);
    await on('2025-04-30');
    await acme.expectsInvoices('2025-01-31 29.00', '2025-02-28 29.00', '2025-03-31 29.00', '2025-04-30 29.00');
    await acme.contract.expectsPeriod('2025-04-30', '2025-05-31', 4);
  });

  story('24 months from 31 January 2023: 25 invoices of 29.00, one on 29 February 2024, in one step of the clock', async ({ on, acme }) => {
    await on('2023-01-31', () => acme.signs(monthly('29')));
    await on('2025-01-31');
    const days = (await acme.invoices()).map(({ invoice }) => invoice.date.slice(0, 10));
    expect(days).toEqual([
      ...['2023-01-31', '2023-02-28', '2023-03-31', '2023-04-30', '2023-05-31', '2023-06-30', '2023-07-31', '2023-08-31', '2023-09-30'],
      ...['2023-10-31', '2023-11-30', '2023-12-31', '2024-01-31', '2024-02-29', '2024-03-31', '2024-04-30', '2024-05-31', '2024-06-30'],
      ...['2024-07-31', '2024-08-31', '2024-09-30', '2024-10-31', '2024-11-30', '2024-12-31', '2025-01-31'],
    ]);
    await acme.expectsInvoices(...days.map(() => '29.00'));
    await acme.contract.expectsPeriod('2025-01-31', '2025-02-28', 25);
  });

  story('the time of day is kept: signed 15 March 09:30, charged 15 April 09:30', async ({ on, acme }) => {
    await on('2025-03-15 09:30', () => acme.signs(monthly('29')));
    await on('2025-04-15 09:29', () => acme.expectsInvoices('29.00'));
    await on('2025-04-15 09:30', () => acme.expectsInvoices('2025-03-15 09:30 29.00', '2025-04-15 09:30 29.00'));
  });
});

describe('short and long cycles', () => {
  story('an hourly plan at 0.25 over a day: 25 invoices, and 3 calls at 0.10 in the sixth hour', async ({ on, acme }) => {
    await on('2025-03-30', () => acme.signs(plan('box', '0.25', { cycle: 'hour', features: { calls: { price: metered('0.10') } } })));
    await on('2025-03-30 05:20', () => acme.uses('calls', '3'));
    await on('2025-03-31');
    const invoices = await acme.invoices();
    expect(invoices.map(({ invoice }) => invoice.total)).toEqual(Array.from({ length: 25 }, (_, hour) => (hour === 6 ? '0.55' : '0.25')));
    await acme.expectsLines('2025-03-30 06:00', 'Box 0.25', 'Calls 0.30');
    await acme.contract.expectsPeriod('2025-03-31', '2025-03-31 01:00', 25);
  });

  story('daily at 2.00 through a leap day: 28 and 29 February, 1 March', async ({ on, acme }) => {
    await on('2024-02-28', () => acme.signs(plan('day', '2', { cycle: 'day' })));
    await on('2024-03-01', () => acme.expectsInvoices('2024-02-28 2.00', '2024-02-29 2.00', '2024-03-01 2.00'));
  });

  story('weekly, quarterly and yearly keep their anchor: 13 March, 13 April, 13 April a year later', async ({ on, vendor }) => {
    const [week, quarter, year] = [vendor.customer('Week'), vendor.customer('Quarter'), vendor.customer('Year')];
    await on('2024-02-29');
    await week.signs(plan('weekly', '7', { cycle: 'week' }));
    await quarter.signs(plan('quarterly', '90', { cycle: 'quarter' }));
    await year.signs(plan('yearly', '365', { cycle: 'year' }));
    await on('2025-03-01');
    await year.expectsInvoices('2024-02-29 365.00', '2025-02-28 365.00');
    await quarter.expectsInvoices('2024-02-29 90.00', '2024-05-29 90.00', '2024-08-29 90.00', '2024-11-29 90.00', '2025-02-28 90.00');
    expect((await week.invoices()).length).toBe(53);
    await week.contract.expectsPeriod('2025-02-27', '2025-03-06', 53);
    await year.contract.expectsPeriod('2025-02-28', '2026-02-28', 2);
  });
});

describe('a free trial', () => {
  story('of 90 days from 1 January 2024: first charge 31 March, then 30 April, 31 May, 30 June', async ({ on, acme }) => {
    await on('2024-01-01', () => acme.signs(plan('pro', '29', { trialDays: 90 })));
    await on('2024-06-30');
    await acme.expectsInvoices('2024-03-31 29.00', '2024-04-30 29.00', '2024-05-31 29.00', '2024-06-30 29.00');
  });

  story(
    'of 14 days: active without a period, usage of 40 calls free, 29.00 on 15 January, then 1.00 for 10 calls',
    async ({ on, acme }) => {
      const pro = plan('pro', '29', { trialDays: 14, features: { calls: { price: metered('0.10') } } });
      await on('2025-01-01', () => acme.signs(pro));
      const { contract_summary } = await acme.contract.read();
      expect(contract_summary).toMatchObject({
        status: 'active',
        free_trial_end: '2025-01-15T00:00:00.000Z',
        next_cycle_start: '2025-01-15T00:00:00.000Z',
        billing_information: { current_period: null, current_period_idx: null },
      });
      await on('2025-01-10', () => acme.uses('calls', '40'));
      expect(await acme.features()).toEqual(['calls']);
      await on('2025-01-15', () => acme.expectsInvoices('2025-01-15 29.00'));
      await on('2025-01-20', () => acme.uses('calls', '10'));
      await on('2025-02-15', () => acme.expectsInvoices('2025-01-15 29.00', '2025-02-15 30.00'));
    },
  );

  story('the contract may set its own: 3 days instead of 14, and none with 0', async ({ on, vendor }) => {
    const [short, none] = [vendor.customer('Short'), vendor.customer('None')];
    const pro = plan('pro', '29', { trialDays: 14 });
    await on('2025-01-01');
    await short.signs(pro, { free_trial_days: 3 });
    await none.signs(pro, { free_trial_days: 0 });
    await none.expectsInvoices('2025-01-01 29.00');
    await on('2025-01-05', () => short.expectsInvoices('2025-01-04 29.00'));
  });
});

describe('cycles aligned with the calendar', () => {
  story(
    'day 31 after a trial to 2 March 2012: stub 561.24 for 29 of 31 days, then 599.95 to 30 April, 31 May, 30 June, 31 July',
    async ({ on, acme }) => {
      await on('2012-02-01', () => acme.signs(monthly('599.95'), { free_trial_days: 30, cycle_start_offset: 30 }));
      await on('2012-03-02', () => acme.expectsInvoices('2012-03-02 561.24'));
      await acme.contract.expectsPeriod('2012-03-02', '2012-03-31', 1);
      const ends = ['2012-03-31', '2012-04-30', '2012-05-31', '2012-06-30', '2012-07-31'];
      await on('2012-07-31', () => acme.expectsInvoices('2012-03-02 561.24', ...ends.map((day) => `${day} 599.95`)));
      await acme.contract.expectsPeriod('2012-07-31', '2012-08-31', 6);
    },
  );

  story('100 a month from 16 June on the first: 50.00 for 15 of 30 days, 100.00 on 1 July', async ({ on, acme }) => {
    await on('2025-06-16', () => acme.signs(monthly('100'), { cycle_start_offset: 0 }));
    await acme.contract.expectsPeriod('2025-06-16', '2025-07-01', 1);
    await on('2025-07-01', () => acme.expectsInvoices('2025-06-16 50.00', '2025-07-01 100.00'));
    await acme.contract.expectsPeriod('2025-07-01', '2025-08-01', 2);
  });

  story('310 a month from 1 June on the 15th: 140.00 for 14 of the 31 days from 15 May', async ({ on, acme }) => {
    await on('2025-06-01', () => acme.signs(monthly('310'), { cycle_start_offset: 14 }));
    await on('2025-06-15', () => acme.expectsInvoices('2025-06-01 140.00', '2025-06-15 310.00'));
  });

  story(
    'weeks from Monday, quarters from 1 July, years from 1 January: 50.00 of 70, 470.00 of 920, 184.00 of 365',
    async ({ on, vendor }) => {
      const [week, quarter, year] = [vendor.customer('Week'), vendor.customer('Quarter'), vendor.customer('Year')];
      await on('2025-06-11', () => week.signs(plan('weekly', '70', { cycle: 'week' }), { cycle_start_offset: 0 }));
      await on('2025-06-16', () => week.expectsInvoices('2025-06-11 50.00', '2025-06-16 70.00'));
      await on('2025-07-01', () => year.signs(plan('yearly', '365', { cycle: 'year' }), { cycle_start_offset: 0 }));
      await on('2025-08-15', () => quarter.signs(plan('quarterly', '920', { cycle: 'quarter' }), { cycle_start_offset: 0 }));
      await on('2026-01-01');
      await quarter.expectsInvoices('2025-08-15 470.00', '2025-10-01 920.00', '2026-01-01 920.00');
      await year.expectsInvoices('2025-07-01 184.00', '2026-01-01 365.00');
    },
  );

  story('signed just at an aligned boundary there is no stub: 100.00 on 1 June and on 1 July', async ({ on, acme }) => {
    await on('2025-06-01', () => acme.signs(monthly('100'), { cycle_start_offset: 0 }));
    await on('2025-07-01', () => acme.expectsInvoices('2025-06-01 100.00', '2025-07-01 100.00'));
    await acme.contract.expectsPeriod('2025-07-01', '2025-08-01', 2);
  });

  story(
    'offsets beyond the natural period are a 400: 7 days of a week, 31 of a month, 92 of a quarter, 366 of a year',
    async ({ on, acme }) => {
      await on('2025-06-01');
      await refused(400, acme.signs(plan('weekly', '1', { cycle: 'week' }), { cycle_start_offset: 7 }));
      await refused(400, acme.signs(plan('monthly', '1'), { cycle_start_offset: 31 }));
      await refused(400, acme.signs(plan('quarterly', '1', { cycle: 'quarter' }), { cycle_start_offset: 92 }));
      await refused(400, acme.signs(plan('yearly', '1', { cycle: 'year' }), { cycle_start_offset: 366 }));
    },
  );

  story('signed on 16 June without an offset the contract shows 15 days from the natural start', async ({ on, acme }) => {
    await on('2025-06-16 10:00', () => acme.signs(monthly('100')));
    expect((await acme.contract.read()).contract_summary.cycle_start_offset).toBe(15);
  });
});

describe('rhythms of their own', () => {
  story(
    'a yearly contract of 1200 with 10 a month and 50 a quarter: 1260.00, 10.00, 10.00, 60.00 and so on for a year',
    async ({ on, acme }) => {
      const yearly = plan('yearly', '1200', {
        cycle: 'year',
        features: { support: { price: flat('10'), trigger: 'month' }, audit: { price: flat('50'), trigger: 'quarter' } },
      });
      await on('2025-01-01', () => acme.signs(yearly));
      expect((await acme.contract.read()).contract_summary.cost_estimates).toMatchObject({
        recurring_price: { cycle_start_charges: '1200.00' },
        custom_cycle_charges: { periodic_monthly: { cycle_start_charges: '10.00' }, periodic_quarterly: { cycle_start_charges: '50.00' } },
      });
      await on('2026-01-01');
      const totals = (await acme.invoices()).map(({ invoice }) => invoice.total);
      expect(totals).toEqual([
        '1260.00',
        '10.00',
        '10.00',
        '60.00',
        '10.00',
        '10.00',
        '60.00',
        '10.00',
        '10.00',
        '60.00',
        '10.00',
        '10.00',
        '1260.00',
      ]);
      await acme.expectsLines('2026-01-01', 'Yearly 1200.00', 'Support 10.00', 'Audit 50.00');
    },
  );

  story('a yearly line of 120 on a monthly contract comes with cycles 1 and 13', async ({ on, acme }) => {
    await on('2025-01-15', () => acme.signs(plan('pro', '10', { features: { licence: { price: flat('120'), trigger: 'year' } } })));
    await on('2026-01-15');
    const totals = (await acme.invoices()).map(({ invoice }) => invoice.total);
    expect(totals).toEqual(['130.00', ...Array.from({ length: 11 }, () => '10.00'), '130.00']);
  });

  story('a set-up fee of 75 comes once, a training of 40 when asked for: 175.00, 80.00 for two, 100.00', async ({ on, acme }) => {
    const pro = plan('pro', '100', {
      features: { setup: { price: flat('75'), trigger: 'first_cycle' }, training: { price: flat('40'), trigger: 'on_demand' } },
    });
    await on('2025-01-01', () => acme.signs(pro));
    await acme.expectsLines('2025-01-01', 'Pro 100.00', 'Setup 75.00');
    await on('2025-01-10', () => acme.contract.charges('training'));
    await on('2025-01-11', () => acme.contract.charges('training'));
    await on('2025-02-01', () => acme.expectsInvoices('2025-01-01 175.00', '2025-01-10 40.00', '2025-01-11 40.00', '2025-02-01 100.00'));
  });

  story(
    'one-off lines are never credited: leaving a plan with a 75.00 set-up gives back -50.00 of the 100.00 alone',
    async ({ on, acme }) => {
      const withSetup = (slug: string, amount: string, fee: string) =>
        plan(slug, amount, { features: { setup: { price: flat(fee), trigger: 'first_cycle' } } });
      await on('2025-06-01', () => acme.signs(withSetup('pro', '100', '75')));
      await on('2025-06-16', () => acme.changesTo(withSetup('max', '300', '20')));
      await acme.expectsLines('2025-06-16', 'Pro -50.00', 'Max 150.00', 'Setup 20.00');
    },
  );

  story('a plan of features is the sum of its features: 30.00 and 12.00', async ({ on, acme }) => {
    await on('2025-01-01', () =>
      acme.signs(planOfFeatures('parts', { store: { price: flat('30') }, mail: { price: flat('12') }, chat: {} })),
    );
    await acme.expectsLines('2025-01-01', 'Store 30.00', 'Mail 12.00');
    expect((await acme.contract.read()).contract_summary.amount).toBe('42.00');
  });
});
