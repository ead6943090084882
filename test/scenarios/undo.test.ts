import { discount, flat, plan, story } from '../support/story.ts';

describe('a change undone at its own instant', () => {
  story('10.005 a month was charged as 10.01: of 5.01 given back 5.01 is charged again', async ({ on, acme }) => {
    const pro = plan('pro', '10.005');
    const back = { downgrade_allowed: true };
    await on('2025-06-01', () => acme.signs(pro));
    await on('2025-06-16', async () => {
      await acme.changesTo(plan('max', '20'));
      await acme.changesTo(pro, back);
      await acme.changesTo(plan('max', '20'));
      await acme.changesTo(pro, back);
    });
    await acme.expectsInvoices('2025-06-01 10.01', '2025-06-16 4.99', '2025-06-16 0.00', '2025-06-16 4.99', '2025-06-16 0.00');
    await acme.expectsUnpaid('10.01');
    await acme.expectsWallet('0.00');
  });

  story('a year line free in its first cycle stays free, in the second too', async ({ on, acme }) => {
    const free = flat('365', { free_cycles: 1 });
    const own = plan('own', '31', { features: { support: { price: free, trigger: 'year' } } });
    await on('2025-01-01', () => acme.signs(own));
    await on('2025-02-15', async () => {
      await acme.changesTo(plan('other', '62', { features: { support: { price: flat('730'), trigger: 'year' } } }));
      await acme.changesTo(own, { downgrade_allowed: true });
    });
    await acme.expectsInvoices('2025-01-01 31.00', '2025-02-01 31.00', '2025-02-15 655.50', '2025-02-15 0.00');
    await acme.expectsUnpaid('62.00');
  });

  story('under a discount of 12.5 %, and once more a day later', async ({ on, acme }) => {
    const pro = plan('pro', '33.33');
    await on('2025-06-01', () => acme.signs(pro, { discount: discount('eighth', 'percentage', '12.5', 3) }));
    for (const day of ['2025-06-12', '2025-06-13']) {
      await on(day, async () => {
        await acme.changesTo(plan('max', '99.99'));
        await acme.changesTo(pro, { downgrade_allowed: true });
      });
    }
    await acme.expectsUnpaid('29.16');
  });
});
