import { readFigures } from '../support/figures.ts';
import { discount, metered, plan, story } from '../support/story.ts';

describe('the MRR', () => {
  story('of 30 → 60 → 20: new 30, expansion 30 at the upgrade, contraction 40 when the downgrade happens', async ({ on, acme, vendor }) => {
    await on('2025-06-01', () => acme.signs(plan('basic', '30')));
    await on('2025-06-16', () => acme.changesTo(plan('pro', '60')));
    await on('2025-06-20', () => acme.changesTo(plan('mini', '20')));
    const figures = readFigures(vendor);
    await on('2025-06-21');
    expect(await figures.moves()).toEqual(['2025-06-01 new 30.00', '2025-06-16 expansion 30.00']);
    await on('2025-08-01', async () => acme.contract.follows());
    expect(await figures.moves()).toEqual(['2025-06-01 new 30.00', '2025-06-16 expansion 30.00', '2025-07-01 contraction -40.00']);
    expect(await figures.mrr('2025-06-01', '2025-06-16')).toEqual({ new: '30.00', end: '30.00' });
    expect(await figures.mrr('2025-06-16', '2025-07-01')).toEqual({ start: '30.00', expansion: '30.00', end: '60.00' });
    expect(await figures.mrr('2025-06-10', '2025-07-02')).toEqual({
      ...{ start: '30.00', expansion: '30.00', contraction: '-40.00', end: '20.00' },
    });
    expect(await figures.mrr('2025-07-02', '2025-08-01')).toEqual({ start: '20.00', end: '20.00' });
  });

  story('of a trial of 14 days begins at its end; usage isn’t in it', async ({ on, acme, vendor }) => {
    const trial = plan('pro', '100', { trialDays: 14, features: { calls: { price: metered('1') } } });
    await on('2025-06-01', () => acme.signs(trial));
    await acme.uses('calls', '50');
    await on('2025-06-20', () => acme.uses('calls', '70'));
    await on('2025-08-20');
    expect(await readFigures(vendor).moves()).toEqual(['2025-06-15 new 100.00']);
  });

  story('of 100 with half off for two cycles: new 50, expansion 50 with the third', async ({ on, acme, vendor }) => {
    await on('2025-06-01', () => acme.signs(plan('pro', '100'), { discount: discount('half', 'percentage', '50', 2) }));
    await on('2025-12-01');
    expect(await readFigures(vendor).moves()).toEqual(['2025-06-01 new 50.00', '2025-08-01 expansion 50.00']);
  });

  story('of a free cycle is nothing: new with the second', async ({ on, acme, vendor }) => {
    await on('2025-06-01', () => acme.signs(plan('pro', '100'), { free_cycles: 1 }));
    await on('2025-12-01');
    expect(await readFigures(vendor).moves()).toEqual(['2025-07-01 new 100.00']);
  });

  story('of a freeze is nothing: churn when it begins, reactivation when it ends, churn with the end', async ({ on, acme, vendor }) => {
    await on('2025-06-01', () => acme.signs(plan('pro', '100')));
    await on('2025-06-10', () => acme.freezes());
    await on('2025-06-20', () => acme.unfreezes());
    await on('2025-09-05', () => acme.cancels('now'));
    const figures = readFigures(vendor);
    expect(await figures.moves()).toEqual([
      ...['2025-06-01 new 100.00', '2025-06-10 churn -100.00', '2025-06-20 reactivation 100.00', '2025-09-05 churn -100.00'],
    ]);
    expect(await figures.mrr('2025-01-01', '2026-01-01')).toEqual({ new: '100.00', churn: '-200.00', reactivation: '100.00' });
  });

  story('is a twelfth of the year: 1,200 a year is 100.00, 100 a year 8.33, 7 a week 30.42; once is nothing', async ({ on, vendor }) => {
    const year = vendor.customer('Year');
    await on('2025-06-01', () => year.signs(plan('year', '1200', { cycle: 'year' })));
    await vendor.customer('Small').signs(plan('small', '100', { cycle: 'year' }));
    await vendor.customer('Week').signs(plan('week', '7', { cycle: 'week' }));
    await vendor.customer('Once').signs(plan('once', '500', { cycle: 'once' }));
    const moves = (await readFigures(vendor).moves()).sort();
    expect(moves).toEqual(['2025-06-01 new 100.00', '2025-06-01 new 30.42', '2025-06-01 new 8.33']);
  });

  story('is by currency: usd 30 goes on as eur 25 at the end of the cycle', async ({ on, acme, vendor }) => {
    const both = plan('pro', '30', { also: [{ cycle: 'month', currency: 'eur', price: '25' }] });
    await on('2025-06-01', () => acme.signs(both));
    await on('2025-06-10', () => acme.changesTo(both, { currency: 'eur', activation: { type: 'next_cycle' } }));
    await on('2025-07-15');
    const figures = readFigures(vendor);
    expect(await figures.mrr('2025-06-01', '2025-08-01')).toEqual({ new: '30.00', churn: '-30.00' });
    expect(await figures.mrr('2025-06-01', '2025-08-01', 'eur')).toEqual({ reactivation: '25.00', end: '25.00' });
  });

  story('of a contract that ends by itself is gone then, and of one that waits comes with its activation', async ({ on, acme, vendor }) => {
    const later = vendor.customer('Later');
    await on('2025-06-01', () => acme.signs(plan('pro', '100'), { expiration: '2025-06-20T00:00:00Z' }));
    await later.signs(plan('late', '40'), { activation: '2025-06-10T00:00:00Z' });
    await on('2025-07-01');
    expect(await readFigures(vendor).moves()).toEqual(['2025-06-01 new 100.00', '2025-06-10 new 40.00', '2025-06-20 churn -100.00']);
  });
});
