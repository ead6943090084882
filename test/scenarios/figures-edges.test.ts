import type { AnyJson } from '../support/api.ts';
import { readFigures } from '../support/figures.ts';
import { discount, perUnit, plan, story } from '../support/story.ts';

describe('the MRR', () => {
  story('of a chain that goes to 0 and up again is churn and reactivation; a new chain is new', async ({ on, acme, vendor }) => {
    const [paid, free] = [plan('paid', '30'), plan('free', '0')];
    await on('2025-06-01', () => acme.signs(free));
    await on('2025-06-02', () => acme.changesTo(paid));
    await on('2025-06-10', () => acme.changesTo(free, { downgrade_allowed: true }));
    await on('2025-06-20', () => acme.changesTo(paid));
    await on('2025-06-25', () => acme.cancels('now'));
    await on('2025-06-26', () => acme.signs(paid));
    const moves = await readFigures(vendor).moves();
    expect(moves).toEqual([
      ...['2025-06-02 new 30.00', '2025-06-10 churn -30.00', '2025-06-20 reactivation 30.00'],
      ...['2025-06-25 churn -30.00', '2025-06-26 new 30.00'],
    ]);
  });

  story(
    'of what is scheduled and taken back never moves; a cancellation at the end of the cycle moves it then',
    async ({ on, acme, vendor }) => {
      await on('2025-06-01', () => acme.signs(plan('pro', '60')));
      await on('2025-06-05', () => acme.changesTo(plan('mini', '20')));
      await on('2025-06-06', () => acme.undoesTheChange());
      await on('2025-06-07', () => acme.cancels('end_of_cycle'));
      await on('2025-06-08', () => acme.contract.undoesTheCancellation());
      await on('2025-07-15', () => acme.cancels('end_of_cycle'));
      await on('2025-09-01');
      expect(await readFigures(vendor).moves()).toEqual(['2025-06-01 new 60.00', '2025-08-01 churn -60.00']);
    },
  );

  story('moves within a day belong to the span that has their instant, half-open', async ({ on, acme, vendor }) => {
    await on('2025-06-01T10:30:00Z', () => acme.signs(plan('pro', '10')));
    await on('2025-06-01T18:00:00.001Z', () => acme.changesTo(plan('max', '40')));
    const figures = readFigures(vendor);
    expect(await figures.mrr('2025-06-01', '2025-06-01T10:30:00Z')).toEqual({});
    expect(await figures.mrr('2025-06-01', '2025-06-01T10:30:00.001Z')).toEqual({ new: '10.00', end: '10.00' });
    expect(await figures.mrr('2025-06-01T10:30:00Z', '2025-06-01T18:00:00.001Z')).toEqual({ new: '10.00', end: '10.00' });
    expect(await figures.mrr('2025-06-01T18:00:00.001Z', '2025-06-02')).toEqual({ start: '10.00', expansion: '30.00', end: '40.00' });
  });

  story(
    'of a flat discount, seats and a freeze that ends by itself: each at its own instant, in one step of the clock',
    async ({ on, acme, vendor }) => {
      const team = plan('team', '100', { features: { seats: { price: perUnit('10', { unit_count: '5' }) } } });
      await on('2025-06-01', () => acme.signs(team, { discount: discount('off', 'flat', '30', 2) }));
      await on('2025-06-11', () => acme.changesUnits({ seats: '7' }));
      await on('2025-06-16', () => acme.freezes({ resume_at: '2025-06-26T00:00:00Z' }));
      await on('2025-12-01');
      expect(await readFigures(vendor).moves()).toEqual([
        ...['2025-06-01 new 120.00', '2025-06-11 expansion 20.00', '2025-06-16 churn -140.00', '2025-06-26 reactivation 140.00'],
        '2025-08-11 expansion 30.00',
      ]);
    },
  );
});

describe('revenue', () => {
  story(
    'of 100 yen a quarter and 1.000 dinars a year has the digits of its currency, and its months add up to the line',
    async ({ on, vendor }) => {
      await on('2025-01-01', () => vendor.customer('Tokyo').signs(plan('jp', '100', { currency: 'jpy', cycle: 'quarter' })));
      await vendor.customer('Kuwait').signs(plan('kw', '1', { currency: 'kwd', cycle: 'quarter' }));
      expect(await readFigures(vendor).revenue('2025-01-01', '2025-04-01')).toEqual([
        ...['2025-01 100 34 66', '2025-02 0 32 34', '2025-03 0 34 0'],
        ...['2025-01 1.000 0.344 0.656', '2025-02 0.000 0.312 0.344', '2025-03 0.000 0.344 0.000'],
      ]);
    },
  );

  story(
    'that is given back by a note and credited by an end in mid-cycle comes to what is invoiced in the end',
    async ({ on, acme, vendor }) => {
      await on('2025-01-10T09:00:00Z', () => acme.signs(plan('pro', '99.99', { cycle: 'quarter' })));
      const [hit] = await acme.invoices();
      const item = hit?.invoice_items[0]?.id;
      await on('2025-01-20', () =>
        vendor.api.made(`/v1/c/invoice/${hit?.invoice.id}/credit_note`, {
          items: [{ invoice_item_id: item, amount: '10.01' }],
          to: 'wallet',
        }),
      );
      await on('2025-03-03T03:00:00Z', () => acme.cancels('now', { credit: true }));
      const figures = readFigures(vendor);
      const { currencies } = await figures.read('/v1/c/report/revenue?from=2025-01-01&to=2025-06-01');
      const { months } = currencies[0];
      const sumOf = (field: string): number =>
        months.reduce((sum: number, month: AnyJson) => sum + Math.round(Number(month[field]) * 100), 0);
      expect(sumOf('recognised')).toBe(sumOf('invoiced'));
      expect(months.map(({ deferred_end }: AnyJson) => deferred_end).slice(-2)).toEqual(['0.00', '0.00']);
    },
  );
});
