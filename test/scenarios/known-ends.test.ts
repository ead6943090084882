import { discount, flat, metered, perUnit, plan, story } from '../support/story.ts';

const basic = plan('basic', '30');
const big = plan('big', '300');
const yearly = plan('yearly', '365', { cycle: 'year' });

describe('a change before a known end', () => {
  story('30.00 → 300.00 on 11 June, expiration 21 June: −10.00 and +100.00', async ({ on, acme }) => {
    await on('2025-06-01', () => acme.signs(basic, { expiration: '2025-06-21T00:00:00Z' }));
    await on('2025-06-11', async () => {
      const { upgrade_cost_breakdown: cost } = await acme.contract.estimatesChangeTo(big);
      expect(cost).toMatchObject({ total: '90.00', new_contract_cost_pro_rated: '100.00', time_on_new_contract: { value: 240 } });
      await acme.changesTo(big);
    });
    await acme.expectsLines('2025-06-11', 'Unused time: Basic -10.00', 'Big 100.00');
    await on('2025-08-01', () => acme.expectsInvoices('2025-06-01 30.00', '2025-06-11 90.00'));
  });

  story('canceled for 21 June, a seat more on 11 June: ten days of it; canceled with credit on 16 June', async ({ on, acme }) => {
    const team = plan('team', '60', { features: { seats: { price: perUnit('30', { unit_count: '1' }) } } });
    await on('2025-06-01', () => acme.signs(team));
    await on('2025-06-02', () => acme.cancels('2025-06-21'));
    await on('2025-06-11', () => acme.changesUnits({ seats: '3' }));
    await acme.expectsLines('2025-06-11', 'Unused time: Seats -10.00', 'Seats 30.00');
    await on('2025-06-16', () => acme.cancels('now', { credit: true }));
    await acme.expectsInvoices('2025-06-01 90.00', '2025-06-11 20.00', '2025-06-16 0.00');
    // half a month of the plan, five days of three seats, and the ten days that the first seat was paid for beyond the
    // end
    await acme.expectsUnpaid('55.00');
  });

  story('canceled for 21 June, changed, the cancellation taken back: the rest of the month is charged on', async ({ on, acme }) => {
    await on('2025-06-01', () => acme.signs(basic));
    await on('2025-06-02', () => acme.cancels('2025-06-21'));
    await on('2025-06-11', () => acme.changesTo(big));
    await on('2025-06-15', () => acme.contract.undoesTheCancellation());
    await acme.expectsLines('2025-06-15', 'Unused time: Basic -10.00', 'Big 100.00');
    await on('2025-06-16', () => acme.changesTo(plan('huge', '600')));
    await acme.expectsLines('2025-06-16', 'Unused time: Big -50.00', 'Unused time: Big -100.00', 'Huge 300.00');
    await on('2025-07-01', () =>
      acme.expectsInvoices('2025-06-01 30.00', '2025-06-11 90.00', '2025-06-15 90.00', '2025-06-16 150.00', '2025-07-01 600.00'),
    );
  });

  story('1.00 → 2.00, the end moved twice and taken back: 1.00 comes back and 2.00 is charged, in thirds', async ({ on, acme }) => {
    await on('2025-06-01', () => acme.signs(plan('one', '1')));
    await on('2025-06-01', () => acme.cancels('2025-06-11'));
    await on('2025-06-01', () => acme.changesTo(plan('two', '2')));
    await on('2025-06-02', () => acme.cancels('2025-06-21'));
    await acme.expectsLines('2025-06-02', 'Unused time: One -0.34', 'Two 0.66');
    await on('2025-06-03', () => acme.contract.undoesTheCancellation());
    await acme.expectsLines('2025-06-03', 'Unused time: One -0.33', 'Two 0.67');
    await on('2025-06-30', () => acme.expectsInvoices('2025-06-01 1.00', '2025-06-01 0.34', '2025-06-02 0.32', '2025-06-03 0.34'));
  });

  story(
    '365.00 → 730.00 for the whole span, charged in parts, there and back on 1 January: 302.00 for 151 days again',
    async ({ on, acme }) => {
      const whole = plan('whole', '365', { cycle: 'constant' });
      const dear = plan('dear', '730', { cycle: 'constant' });
      await on('2025-06-01', () => acme.signs(whole, { expiration: '2026-06-01T00:00:00Z' }));
      await on('2025-11-01', () => acme.cancels('2026-03-01'));
      await on('2025-12-01', () => acme.changesTo(dear));
      await on('2025-12-15', () => acme.contract.undoesTheCancellation());
      await on('2026-01-01', () => acme.changesTo(basic, { downgrade_allowed: true }));
      await acme.expectsLines(
        '2026-01-01',
        'Unused time: Dear -118.00',
        'Unused time: Dear -184.00',
        'Basic 30.00',
        'Moved to your wallet 272.00',
      );
      await on('2026-01-01', () => acme.changesTo(dear));
      await acme.expectsInvoices('2025-06-01 365.00', '2025-12-01 90.00', '2025-12-15 92.00', '2026-01-01 0.00', '2026-01-01 272.00');
      await acme.expectsUnpaid('547.00');
    },
  );

  story('seats that a difference let go on are charged on when the cancellation is taken back', async ({ on, acme }) => {
    const team = plan('team', '30', { features: { seats: { price: perUnit('30', { unit_count: '1' }) } } });
    await on('2025-06-01', () => acme.signs(basic, { change_rules: { units_up: { proration: 'difference' } } }));
    await on('2025-06-02', () => acme.cancels('2025-06-21'));
    await on('2025-06-05', () => acme.changesTo(team));
    await acme.expectsLines('2025-06-05', 'Unused time: Basic -16.00', 'Seats 16.00', 'Team 16.00');
    await on('2025-06-10', () => acme.changesUnits({ seats: '2' }));
    await acme.expectsLines('2025-06-10', 'Seats 30.00');
    await on('2025-06-15', () => acme.contract.undoesTheCancellation());
    await acme.expectsLines('2025-06-15', 'Seats 10.00', 'Team 10.00', 'Unused time: Basic -10.00');
    await on('2025-07-01', () => acme.expectsInvoices('30.00', '16.00', '30.00', '10.00', '90.00'));
  });

  story('frozen for three days the end moves, and what is left until then stays the same', async ({ on, acme }) => {
    await on('2025-06-01', () => acme.signs(basic, { expiration: '2025-06-21T00:00:00Z' }));
    await on('2025-06-11', () => acme.changesTo(big));
    await on('2025-06-12', () => acme.freezes());
    await on('2025-06-15', () => acme.unfreezes());
    await on('2025-06-19', () => acme.changesTo(plan('huge', '600')));
    await acme.expectsLines('2025-06-19', 'Unused time: Big -50.00', 'Huge 100.00');
    await on('2025-06-24', () => acme.contract.expectsStatus('canceled'));
  });

  story('a downgrade put off to a boundary is charged to the known end', async ({ on, acme }) => {
    await on('2025-06-01', () => acme.signs(big, { expiration: '2025-07-11T00:00:00Z' }));
    await on('2025-06-10', () => acme.changesTo(plan('small', '31')));
    await on('2025-08-01', () => acme.expectsInvoices('2025-06-01 300.00', '2025-07-01 10.00'));
  });

  story('a `constant` contract of 1200.00 for a year, changed on 1 December: 598.36 come back', async ({ on, acme }) => {
    await on('2025-06-01', () => acme.signs(plan('term', '1200', { cycle: 'constant' }), { expiration: '2026-06-01T00:00:00Z' }));
    await on('2025-12-01', () => acme.changesTo(plan('better', '2400', { cycle: 'constant' })));
    await acme.expectsLines('2025-12-01', 'Unused time: Term -598.36', 'Better 1196.71');
    await on('2026-07-01', () => acme.expectsInvoices('2025-06-01 1200.00', '2025-12-01 598.35'));
  });
});

describe('a fee of usage, 300.00 a cycle, where the contract expires', () => {
  const pro = (slug: string, amount: string, calls: string, cycle: 'month' | 'year' = 'month') =>
    plan(slug, amount, { cycle, features: { calls: { price: metered(calls, { flat_fee: '300' }) } } });

  story('by the year from 11 June to 21 June it is 8.22, shown before as it is charged', async ({ on, acme }) => {
    await on('2025-06-01', () => acme.signs(pro('one', '10', '1'), { expiration: '2025-06-21T00:00:00Z' }));
    await on('2025-06-11', () => acme.changesTo(pro('two', '100', '0.50', 'year'), { downgrade_allowed: true }));
    await acme.expectsLines('2025-06-11', 'Calls 100.00', 'Unused time: One -3.33', 'Two 2.74', '0.59');
    const [period] = await acme.contract.usagePeriods();
    expect(period?.features).toMatchObject([{ amount: '8.22' }]);
    expect((await acme.contract.upcoming()).invoice?.total).toBe('8.22');
    await on('2025-08-01', () => acme.expectsInvoices('2025-06-01 10.00', '2025-06-11 0.00', '2025-06-11 100.00', '2025-06-21 8.22'));
  });

  story('from a boundary on, 1 to 11 July, it is 96.77; nothing more after it', async ({ on, acme }) => {
    await on('2025-06-01', () => acme.signs(pro('one', '10', '1'), { expiration: '2025-07-11T00:00:00Z' }));
    await acme.changesTo(pro('two', '100', '0.50'), { activation: { type: 'next_cycle' } });
    await on('2025-07-01', () => acme.expectsLines('2025-07-01', 'Calls 300.00', 'Two 32.26'));
    await on('2025-08-01', () => acme.expectsInvoices('2025-06-01 10.00', '2025-07-01 300.00', '2025-07-01 32.26', '2025-07-11 96.77'));
  });
});

describe('a cancellation for the end of the cycle goes along with a change', () => {
  story('to yearly it means the end of the year that is paid', async ({ on, acme }) => {
    await on('2025-06-01', () => acme.signs(basic));
    await on('2025-06-02', () => acme.cancels('end_of_cycle'));
    await on('2025-06-16', () => acme.changesTo(yearly));
    await acme.expectsLines('2025-06-16', 'Unused time: Basic -15.00', 'Yearly 365.00');
    await on('2026-06-15', () => acme.contract.expectsStatus('active'));
    await on('2026-06-16', () => acme.contract.expectsStatus('canceled'));
    await acme.expectsInvoices('2025-06-01 30.00', '2025-06-16 350.00');
  });

  story('one with a date keeps its date: ten days of the year are charged', async ({ on, acme }) => {
    await on('2025-06-01', () => acme.signs(basic));
    await on('2025-06-02', () => acme.cancels('2025-06-21'));
    await on('2025-06-11', () => acme.changesTo(yearly));
    await acme.expectsLines('2025-06-11', 'Unused time: Basic -10.00', 'Yearly 10.00');
    await on('2025-06-21', () => acme.contract.expectsStatus('canceled'));
  });

  story('a year of support on a monthly plan is charged to the end too', async ({ on, acme }) => {
    const supported = (slug: string, amount: string) =>
      plan(slug, amount, { features: { support: { price: flat(amount), trigger: 'year' } } });
    await on('2025-06-01', () => acme.signs(supported('one', '365')));
    await on('2025-06-02', () => acme.cancels('end_of_cycle'));
    await on('2025-06-16', () => acme.changesTo(supported('two', '730')));
    await acme.expectsLines('2025-06-16', 'Unused time: One -182.50', 'Unused time: Support -15.00', 'Two 365.00', 'Support 30.00');
  });
});

describe('free and discount cycles that are left go over as time', () => {
  const year = plan('year', '1200', { cycle: 'year' });
  const back = { downgrade_allowed: true };

  story('3 free months, changed to yearly at the start of the second: 2/12 of the first year are free', async ({ on, acme }) => {
    await on('2025-01-01', () => acme.signs(plan('pro', '100'), { free_cycles: 3 }));
    await on('2025-02-01', () => acme.changesTo(year, back));
    await acme.expectsLines('2025-02-01', 'Pro 0.00', 'Year 1000.00');
    await on('2026-02-01', () => acme.expectsInvoices('2025-01-01 0.00', '2025-02-01 0.00', '2025-02-01 1000.00', '2026-02-01 1200.00'));
  });

  story('5.00 off a month for 2 months more is 10.00 off the first year', async ({ on, acme }) => {
    await on('2025-01-01', () => acme.signs(plan('pro', '100'), { discount: discount('five', 'flat', '5', 3) }));
    await on('2025-02-01', async () => {
      await acme.changesTo(year, back);
      const { discount: shown } = await acme.contract.read();
      expect(shown).toMatchObject({ amount: '10.00', duration: 1 });
    });
    await acme.expectsLines('2025-02-01', 'Pro 95.00', 'Unused time: Pro -95.00', 'Year 1190.00');
    await on('2026-02-01', () => acme.expectsInvoices('2025-01-01 95.00', '2025-02-01 95.00', '2025-02-01 1095.00', '2026-02-01 1200.00'));
  });

  story('half a free year is six free months, and after a change in the fourth two more', async ({ on, acme }) => {
    await on('2025-01-01', () => acme.signs(year, { free_cycles: 1 }));
    await on('2025-07-02T12:00:00Z', () => acme.changesTo(plan('pro', '110'), back));
    await on('2025-10-10T12:00:00Z', () => acme.changesTo(plan('max', '200')));
    await on('2026-01-02T12:00:00Z', () => acme.expectsUnpaid('200.00'));
  });
});
