import { flat, plan, story } from '../support/story.ts';

const pro = plan('pro', '30');
const max = plan('max', '60');

describe('after a freeze the billing day stays put', () => {
  story('a month from 14 June, frozen 10 July to 9 August: 13 August, then the 13th for good', async ({ on, acme }) => {
    await on('2025-06-14', () => acme.signs(pro));
    expect((await acme.contract.read()).contract_summary.cycle_start_offset).toBe(13);
    await on('2025-07-10', () => acme.freezes());
    expect((await acme.contract.read()).contract_summary.cycle_start_offset).toBe(13);
    await on('2025-08-09', () => acme.unfreezes());
    await acme.contract.expectsPeriod('2025-06-14', '2025-08-13', 1);
    expect((await acme.contract.read()).contract_summary.cycle_start_offset).toBe(12);
    await on('2026-03-13');
    const days = ['2025-08-13', '2025-09-13', '2025-10-13', '2025-11-13', '2025-12-13', '2026-01-13', '2026-02-13', '2026-03-13'];
    await acme.expectsInvoices('2025-06-14 30.00', ...days.map((day) => `${day} 30.00`));
    await acme.contract.expectsNextCycle('2026-04-13');
  });

  story('aligned to the 14th day of the month, the same', async ({ on, acme }) => {
    await on('2025-06-14', () => acme.signs(pro, { cycle_start_offset: 13 }));
    await on('2025-07-10', () => acme.freezes());
    await on('2025-08-09', () => acme.unfreezes());
    expect((await acme.contract.read()).contract_summary.cycle_start_offset).toBe(12);
    await on('2025-11-13');
    await acme.expectsInvoices(
      '2025-06-14 30.00',
      ...['2025-08-13', '2025-09-13', '2025-10-13', '2025-11-13'].map((day) => `${day} 30.00`),
    );
  });

  story('frozen in a stub to the 1st, 20 June to 20 July: 31 July, 31 August, 30 September', async ({ on, acme }) => {
    await on('2025-06-16', () => acme.signs(pro, { cycle_start_offset: 0 }));
    await on('2025-06-20', () => acme.freezes());
    await on('2025-07-20', () => acme.unfreezes());
    await on('2025-09-30');
    await acme.expectsInvoices('2025-06-16 15.00', '2025-07-31 30.00', '2025-08-31 30.00', '2025-09-30 30.00');
  });

  story('a year with prices by the month and the quarter: each moves its own next occasion and counts on from it', async ({ on, acme }) => {
    const support = plan('yearly', '1200', {
      cycle: 'year',
      features: { support: { price: flat('10'), trigger: 'month' }, review: { price: flat('90'), trigger: 'quarter' } },
    });
    await on('2025-06-14', () => acme.signs(support));
    await on('2025-07-10', () => acme.freezes());
    await on('2025-08-09', () => acme.unfreezes());
    await on('2026-01-14');
    await acme.expectsInvoices(
      '2025-06-14 1300.00',
      ...['2025-08-13', '2025-09-13', '2025-10-13', '2025-11-13', '2025-12-13', '2026-01-13'].map((day) => `${day} 10.00`),
      '2025-10-14 90.00',
      '2026-01-14 90.00',
    );
    await acme.contract.expectsNextCycle('2026-07-14');
  });

  story('two freezes in two periods, the second over two boundaries: 3 March, then 3 May', async ({ on, acme }) => {
    await on('2025-01-31', () => acme.signs(pro));
    await on('2025-02-10', () => acme.freezes());
    await on('2025-02-13', () => acme.unfreezes());
    await on('2025-03-20', () => acme.freezes());
    await on('2025-04-19', () => acme.unfreezes());
    await on('2025-06-03');
    await acme.expectsInvoices('2025-01-31 30.00', '2025-03-03 30.00', '2025-05-03 30.00', '2025-06-03 30.00');
  });

  story(
    'a freeze in the trial moves its end, from which the cycles are counted: 20 January, 20 February, 20 March',
    async ({ on, acme }) => {
      await on('2025-01-01', () => acme.signs(plan('pro', '30', { trialDays: 14 })));
      await on('2025-01-05', () => acme.freezes());
      await on('2025-01-10', () => acme.unfreezes());
      await on('2025-03-20', () => acme.expectsInvoices('2025-01-20 30.00', '2025-02-20 30.00', '2025-03-20 30.00'));
      expect((await acme.contract.read()).contract_summary.cycle_start_offset).toBe(19);
    },
  );
});

describe('what waited for a day moves by the frozen time', () => {
  story('a downgrade put off to 14 July comes on 13 August and keeps the day', async ({ on, acme }) => {
    await on('2025-06-14', () => acme.signs(max));
    await on('2025-06-20', () => acme.changesTo(pro));
    await on('2025-07-10', () => acme.freezes());
    await on('2025-08-09', () => acme.unfreezes());
    await on('2025-10-13');
    await acme.expectsInvoices('2025-06-14 60.00', '2025-08-13 30.00', '2025-09-13 30.00', '2025-10-13 30.00');
    acme.contract.follows();
    await acme.contract.expectsPeriod('2025-10-13', '2025-11-13', 3);
  });

  story('a change dated 20 July comes on 19 August, 25 of 31 days before the 13th: -24.19 and +48.39', async ({ on, acme }) => {
    await on('2025-06-14', () => acme.signs(pro));
    await on('2025-07-01', () => acme.changesTo(max, { activation: { type: 'date', date: '2025-07-20T00:00:00Z' } }));
    await on('2025-07-10', () => acme.freezes());
    await on('2025-08-09', () => acme.unfreezes());
    await on('2025-09-13');
    await acme.expectsLines('2025-08-19', 'Pro -24.19', 'Max 48.39');
    await acme.expectsInvoices('2025-06-14 30.00', '2025-08-13 30.00', '2025-08-19 24.20', '2025-09-13 60.00');
  });

  story('canceled for the end of the cycle: 13 August instead of 14 July', async ({ on, acme }) => {
    await on('2025-06-14', () => acme.signs(pro));
    await on('2025-06-20', () => acme.cancels('end_of_cycle'));
    await on('2025-07-10', () => acme.freezes());
    await on('2025-08-09', () => acme.unfreezes());
    await on('2025-08-12', () => acme.contract.expectsStatus('active'));
    await on('2025-08-13', () => acme.contract.expectsStatus('canceled'));
    await acme.expectsInvoices('30.00');
  });

  story('an upgrade after the freeze, half of the month from 13 August: -15.00 and +30.00, and the day stays', async ({ on, acme }) => {
    await on('2025-06-14', () => acme.signs(pro));
    await on('2025-07-10', () => acme.freezes());
    await on('2025-08-09', () => acme.unfreezes());
    await on('2025-09-13');
    await on('2025-09-28', () => acme.changesTo(max));
    await acme.expectsLines('2025-09-28', 'Pro -15.00', 'Max 30.00');
    await on('2025-11-13');
    await acme.expectsInvoices(
      '2025-06-14 30.00',
      ...['2025-08-13 30.00', '2025-09-13 30.00', '2025-09-28 15.00', '2025-10-13 60.00', '2025-11-13 60.00'],
    );
  });
});
