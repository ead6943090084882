import { flat, perUnit, plan, refused, story } from '../support/story.ts';

const from = (amount: string) => plan('basic', amount);
const to = (amount: string) => plan('max', amount);

describe('an immediate change keeps the period and pays by the exact remaining time', () => {
  story('10 to 20 a month at exactly half of the period: -5.00 and +10.00, net 5.00', async ({ on, acme }) => {
    await on('2025-06-01', () => acme.signs(from('10')));
    await on('2025-06-16', () => acme.changesTo(to('20')));
    await acme.expectsLines('2025-06-16', 'Basic -5.00', 'Max 10.00');
    await acme.expectsInvoices('2025-06-01 10.00', '2025-06-16 5.00');
    await acme.contract.expectsPeriod('2025-06-01', '2025-07-01', 1);
  });

  story('50 to 100 with 20 of 30 days left: -33.33 and +66.67, 33.34 as the sum of rounded lines', async ({ on, acme }) => {
    await on('2025-06-01', () => acme.signs(from('50')));
    await on('2025-06-11', () => acme.changesTo(to('100')));
    await acme.expectsLines('2025-06-11', 'Basic -33.33', 'Max 66.67');
    await acme.expectsInvoices('50.00', '33.34');
  });

  story('100 to 300 on 16 June: -50.00 and +150.00, then 300.00 on 1 July', async ({ on, acme }) => {
    await on('2025-06-01', () => acme.signs(from('100')));
    await on('2025-06-16', () => acme.changesTo(to('300')));
    await acme.expectsLines('2025-06-16', 'Basic -50.00', 'Max 150.00');
    await on('2025-07-01', () => acme.expectsInvoices('2025-06-01 100.00', '2025-06-16 100.00', '2025-07-01 300.00'));
  });

  story('100 to 300 on 11 June: -66.67 and +200.00', async ({ on, acme }) => {
    await on('2025-06-01', () => acme.signs(from('100')));
    await on('2025-06-11', () => acme.changesTo(to('300')));
    await acme.expectsLines('2025-06-11', 'Basic -66.67', 'Max 200.00');
    await acme.expectsInvoices('100.00', '133.33');
  });

  story('49 to 99 on 16 January: +25.81 of -25.29 and +51.10, no rate rounded on the way', async ({ on, acme }) => {
    await on('2025-01-01', () => acme.signs(from('49')));
    await on('2025-01-16', () => acme.changesTo(to('99')));
    await acme.expectsLines('2025-01-16', 'Basic -25.29', 'Max 51.10');
    await acme.expectsInvoices('49.00', '25.81');
  });

  story('29 with a feature of 10 to 99 with one of 25, 16 of 31 days left: -14.97, -5.16, +51.10, +12.90', async ({ on, acme }) => {
    const starter = plan('starter', '29', { features: { support: { price: flat('10') } } });
    const scale = plan('scale', '99', { features: { analytics: { price: flat('25') } } });
    await on('2024-01-01', () => acme.signs(starter));
    await acme.expectsLines('2024-01-01', 'Starter 29.00', 'Support 10.00');
    await on('2024-01-16', () => acme.changesTo(scale));
    await acme.expectsLines('2024-01-16', 'Starter -14.97', 'Support -5.16', 'Scale 51.10', 'Analytics 12.90');
    await acme.expectsInvoices('39.00', '43.87');
  });

  story('the old contract is moved, the new one active with index 1 in the same period', async ({ on, acme }) => {
    await on('2025-06-01', () => acme.signs(from('100')));
    const old = acme.contract.id;
    await on('2025-06-16', () => acme.changesTo(to('300')));
    expect(acme.contract.id).not.toBe(old);
    await acme.contract.expectsStatus('moved', old);
    await acme.contract.expectsStatus('active');
    await acme.contract.expectsPeriod('2025-06-01', '2025-07-01', 1);
    await on('2025-07-01', () => acme.contract.expectsPeriod('2025-07-01', '2025-08-01', 2));
  });

  story('a change to the millisecond of a boundary comes after it: 100.00, then -100.00 and +300.00', async ({ on, acme }) => {
    await on('2025-06-01', () => acme.signs(from('100')));
    await on('2025-07-01', () => acme.changesTo(to('300')));
    await acme.expectsLines('2025-07-01', 'Basic 100.00', 'Basic -100.00', 'Max 300.00');
    await acme.expectsInvoices('2025-06-01 100.00', '2025-07-01 100.00', '2025-07-01 200.00');
  });

  story('a change to the same plan at the same prices is refused with 409', async ({ on, acme }) => {
    await on('2025-06-01', () => acme.signs(from('100')));
    await on('2025-06-16', () => refused(409, acme.changesTo(from('100'))));
    await acme.expectsInvoices('100.00');
  });
});

describe('each line is credited over its own span', () => {
  story('a yearly 1200 and a monthly 10 on 16 June 2025: -654.25 of 199 days, -5.00 of 15 days, +1308.49, +10.00', async ({ on, acme }) => {
    const yearly = (slug: string, amount: string, support: string) =>
      plan(slug, amount, { cycle: 'year', features: { support: { price: flat(support), trigger: 'month' } } });
    await on('2025-01-01', () => acme.signs(yearly('basic', '1200', '10')));
    await on('2025-06-16', () => acme.changesTo(yearly('max', '2400', '20')));
    await acme.expectsLines('2025-06-16', 'Basic -654.25', 'Support -5.00', 'Max 1308.49', 'Support 10.00');
    await on('2025-07-01', () => acme.expectsLines('2025-07-01', 'Support 20.00'));
  });

  story('in a stub of 15 days that cost 50.00 a week is 23.33 of it, and of 300 a month 70.00', async ({ on, acme }) => {
    await on('2025-06-16', () => acme.signs(from('100'), { cycle_start_offset: 0 }));
    await on('2025-06-24', () => acme.changesTo(to('300')));
    await acme.expectsLines('2025-06-24', 'Basic -23.33', 'Max 70.00');
    await on('2025-07-01', () => acme.expectsInvoices('50.00', '46.67', '300.00'));
  });

  story('half cents go away from zero both ways: 0.33 to 0.35 at half of June is -0.17 and +0.18', async ({ on, acme }) => {
    await on('2025-06-01', () => acme.signs(from('0.33')));
    await on('2025-06-16', () => acme.changesTo(to('0.35')));
    await acme.expectsLines('2025-06-16', '-0.17', '0.18');
  });

  story('change lines follow the due date policy: made 16 June, due 1 July under end_of_period', async ({ on, acme }) => {
    await on('2025-06-01', () => acme.signs(from('100'), { due_date_policy: 'end_of_period' }));
    await on('2025-06-16', () => acme.changesTo(to('300')));
    expect((await acme.invoicesOf('2025-06-16')).map(({ invoice }) => invoice.due_date)).toEqual(['2025-07-01T00:00:00.000Z']);
  });
});

describe('the whole breakdown of an estimate', () => {
  story('100 to 300 at 16 June: 50.00 for 360 hours of the old, 150.00 for 360 hours of the new, 100.00 to pay', async ({ on, acme }) => {
    const [june, half, july] = ['2025-06-01T00:00:00.000Z', '2025-06-16T00:00:00.000Z', '2025-07-01T00:00:00.000Z'];
    await on('2025-06-01', () => acme.signs(from('100')));
    const estimate = await on('2025-06-16', () => acme.contract.estimatesChangeTo(to('300')));
    expect(estimate).toMatchObject({
      is_downgrade: false,
      activation: half,
      new_contract_period: { start: june, end: july },
      pro_rate_old_contract: '0.5',
      pro_rate_new_contract: '0.5',
      usage_old_contract: '0.00',
      remains_to_pay_current_contract: [],
      upgrade_cost_breakdown: {
        old_contract: {
          cost_pro_rated: '50.00',
          full_cost: '100.00',
          pro_rate: '0.5',
          usage: '0.00',
          cycle: 'month',
          time_on_contract: { period: { start: june, end: half }, time_used: { unit: 'hour', unit_count: 360 } },
        },
        new_contract: {
          cost_pro_rated: '150.00',
          full_cost: '300.00',
          pro_rate: '0.5',
          usage: '0.00',
          cycle: 'month',
          time_on_contract: { period: { start: half, end: july }, time_used: { unit: 'hour', unit_count: 360 } },
        },
        new_contract_cost_pro_rated: '150.00',
        pro_rate_old_contract: '0.5',
        pro_rate_new_contract: '0.5',
        time_on_old_contract: { unit: 'hour', value: 360 },
        time_on_new_contract: { unit: 'hour', value: 360 },
        usage_old_contract: '0.00',
        total: '100.00',
      },
    });
    expect(estimate.price_on_new_contract).toHaveLength(1);
    const [promised] = estimate.price_on_new_contract;
    expect(promised?.invoice).toMatchObject({
      total: '100.00',
      currency: 'usd',
      invoice_number: { number: '' },
      deposit_transaction_status: 'not_processed',
    });
    expect(promised?.invoice_items.map((item) => item.total_including_tax).sort()).toEqual(['-50.00', '150.00']);
    await acme.expectsInvoices('100.00');
  });

  story('asking changes nothing, however often', async ({ on, acme }) => {
    await on('2025-06-01', () => acme.signs(from('100')));
    await on('2025-06-16');
    const first = await acme.contract.estimatesChangeTo(to('300'));
    const second = await acme.contract.estimatesChangeTo(to('300'));
    expect(second.upgrade_cost_breakdown).toEqual(first.upgrade_cost_breakdown);
    await acme.contract.expectsStatus('active');
    await acme.expectsInvoices('100.00');
  });
});

describe('a change of the cycle starts a new period now', () => {
  const yearly = (year: string) => plan('basic', '100', { also: [{ cycle: 'year', price: year }] });

  story('100 a month to 1000 a year at half of the month, forced: -50.00, +1000.00, a year from 16 June', async ({ on, acme }) => {
    await on('2025-06-01', () => acme.signs(yearly('1000')));
    await on('2025-06-16', () => acme.changesTo(yearly('1000'), { cycle: 'year', downgrade_allowed: true }));
    await acme.expectsLines('2025-06-16', 'Basic -50.00', 'Basic 1000.00');
    await acme.expectsInvoices('100.00', '950.00');
    await acme.contract.expectsPeriod('2025-06-16', '2026-06-16', 1);
    await on('2026-06-16', () => acme.expectsInvoices('100.00', '950.00', '1000.00'));
  });

  story('100 a month to 1000 a year unforced is a downgrade and waits for 1 July: 1000.00', async ({ on, acme }) => {
    await on('2025-06-01', () => acme.signs(yearly('1000')));
    await on('2025-06-16', () => acme.changesTo(yearly('1000'), { cycle: 'year' }));
    await acme.expectsInvoices('100.00');
    await on('2025-07-01', () => acme.expectsInvoices('2025-06-01 100.00', '2025-07-01 1000.00'));
    acme.contract.follows();
    await acme.contract.expectsPeriod('2025-07-01', '2026-07-01', 1);
  });

  story('100 a month to 2400 a year is an upgrade at once: -50.00, +2400.00', async ({ on, acme }) => {
    await on('2025-06-01', () => acme.signs(yearly('2400')));
    await on('2025-06-16', () => acme.changesTo(yearly('2400'), { cycle: 'year' }));
    await acme.expectsLines('2025-06-16', '-50.00', '2400.00');
    await acme.contract.expectsPeriod('2025-06-16', '2026-06-16', 1);
  });

  story('10 a month to 10 a week that ends with it: -2.33 and -1.17, +10.00 and +5.00', async ({ on, acme }) => {
    const pro = plan('pro', '10', {
      features: { seats: { price: perUnit('5', { unit_count: '1' }) } },
      also: [{ cycle: 'week', price: '10' }],
    });
    await on('2025-06-01', () => acme.signs(pro));
    await on('2025-06-24', () => acme.changesTo(pro, { cycle: 'week' }));
    await acme.expectsLines('2025-06-24', 'Unused time: Pro -2.33', 'Unused time: Seats -1.17', 'Pro 10.00', 'Seats 5.00');
    await on('2025-07-01', () => acme.expectsInvoices('2025-06-01 15.00', '2025-06-24 11.50', '2025-07-01 15.00'));
  });

  story('to another currency only at the end of the cycle: 400 now, eur 90.00 on 1 July', async ({ on, acme }) => {
    const global = plan('basic', '100', { also: [{ cycle: 'month', currency: 'eur', price: '90' }] });
    await on('2025-06-01', () => acme.signs(global));
    await on('2025-06-16', () =>
      refused(400, acme.contract.estimatesChangeTo(global, { currency: 'eur', activation: { type: 'immediate' } })),
    );
    await acme.changesTo(global, { currency: 'eur', activation: { type: 'next_cycle' } });
    await on('2025-07-01', () => acme.expectsInvoices('2025-06-01 100.00', '2025-07-01 90.00'));
    expect((await acme.invoices()).map(({ invoice }) => invoice.currency)).toEqual(['usd', 'eur']);
  });
});

describe('once and constant contracts', () => {
  story('a one-time purchase of 500 charges once and has no end; changing to 800 costs 800.00 in full, no credit', async ({ on, acme }) => {
    await on('2025-06-01', () => acme.signs(plan('course', '500', { cycle: 'once' })));
    await acme.contract.expectsPeriod('2025-06-01', null, 1);
    await on('2025-09-01', () => acme.changesTo(plan('masterclass', '800', { cycle: 'once' })));
    await acme.expectsLines('2025-09-01', 'Masterclass 800.00');
    await on('2026-09-01', () => acme.expectsInvoices('500.00', '800.00'));
  });

  story('a constant contract of 120 is charged at its start and ends at its expiration without more', async ({ on, acme }) => {
    await on('2025-06-01', () => acme.signs(plan('licence', '120', { cycle: 'constant' }), { expiration: '2025-12-01T00:00:00Z' }));
    await refused(400, acme.cancels('end_of_cycle'));
    await on('2025-12-01', () => acme.contract.expectsStatus('canceled'));
    await acme.expectsInvoices('120.00');
  });
});
