import { readFigures } from '../support/figures.ts';
import { flat, metered, plan, story } from '../support/story.ts';

const germany = { line_1: 'Hauptstr. 1', city: 'Berlin', zip: '10115', country: 'DE' as const };

describe('the books', () => {
  story('hold 60.00 until 20.00 of the wallet and 40.00 of the bank have paid: 0 at every instant', async ({ on, acme, vendor }) => {
    await on('2025-06-01', () => acme.signs(plan('pro', '60')));
    await on('2025-06-05', () => acme.grants('20.00'));
    await on('2025-06-09', () => acme.pays());
    const figures = readFigures(vendor);
    expect(await figures.balances('2025-05-31T23:59:59.999Z')).toEqual({});
    expect(await figures.balances('2025-06-01')).toEqual({ 'receivable usd': '60.00', 'revenue usd': '-60.00' });
    expect(await figures.balances('2025-06-05')).toMatchObject({ 'grants usd': '20.00', 'receivable usd': '40.00', 'wallet usd': '0.00' });
    expect(await figures.balances('2025-06-08T23:59:59.999Z')).toMatchObject({ 'receivable usd': '40.00' });
    expect(await figures.balances('2025-06-09')).toMatchObject({
      'receivable usd': '0.00',
      'clearing usd': '40.00',
      'revenue usd': '-60.00',
    });
    const { hits, total } = await figures.read('/v1/c/ledger?account=receivable');
    expect(hits.map(({ kind, amount }: { kind: string; amount: string }) => `${kind} ${amount}`)).toEqual([
      ...['invoice 60.00', 'wallet_payment -20.00', 'payment -40.00'],
    ]);
    expect(total).toBe(3);
    const { hits: rest } = await figures.read(`/v1/c/ledger?account=receivable&after=${hits[1].transaction_id}`);
    expect(rest).toEqual(hits.slice(2));
  });
});

describe('what is unpaid', () => {
  story('is aged by whole days after the due day; a payment of later doesn’t count before', async ({ on, acme, vendor }) => {
    await on('2025-01-01', () => acme.signs(plan('pro', '10')));
    await on('2025-04-05');
    const figures = readFigures(vendor);
    const none = { not_due: '0.00', d1_30: '0.00', d31_60: '0.00', d61_90: '0.00', over_90: '0.00' };
    expect(await figures.aging('2025-01-01T12:00:00Z')).toEqual([{ currency: 'usd', ...none, not_due: '10.00' }]);
    expect(await figures.aging('2025-01-31')).toEqual([{ currency: 'usd', ...none, d1_30: '10.00' }]);
    const now = { currency: 'usd', not_due: '0.00', d1_30: '10.00', d31_60: '10.00', d61_90: '10.00', over_90: '10.00' };
    expect(await figures.aging('2025-04-05')).toEqual([now]);
    await acme.pays();
    await on('2025-04-06');
    expect(await figures.aging('2025-04-06')).toEqual([]);
    expect(await figures.aging('2025-04-04')).toEqual([now]);
  });
});

describe('revenue', () => {
  story(
    'of 365 a year is earned by the day: 31 in January, 28 in February; a seat on 1 July adds its rest',
    async ({ on, acme, vendor }) => {
      await on('2025-01-01', () => acme.signs(plan('pro', '365', { cycle: 'year' })));
      const figures = readFigures(vendor);
      expect(await figures.revenue('2025-01-01', '2025-04-01')).toEqual([
        ...['2025-01 365.00 31.00 334.00', '2025-02 0.00 28.00 306.00', '2025-03 0.00 31.00 275.00'],
      ]);
      await on('2025-07-02', () => acme.changesTo(plan('max', '730', { cycle: 'year' })));
      expect(await figures.revenue('2025-06-01', '2025-09-01')).toEqual([
        ...['2025-06 0.00 30.00 184.00', '2025-07 183.00 61.00 306.00', '2025-08 0.00 62.00 244.00'],
      ]);
      expect((await figures.revenue('2025-12-31', '2026-01-01')).at(-1)).toBe('2025-12 0.00 62.00 0.00');
    },
  );

  story('is without tax, and usage is earned in its month though invoiced in the next', async ({ on, vendor }) => {
    const buyer = vendor.customer('Berlin', { addresses: { main: germany } });
    await vendor.setsTaxes({ rates: [{ country: 'DE', rate: '0.19' }], policy: 'tax_included' });
    await on('2025-06-01', () =>
      buyer.signs(
        plan('pro', '119', { features: { calls: { price: metered('1.19') }, setup: { price: flat('59.5'), trigger: 'first_cycle' } } }),
      ),
    );
    await on('2025-06-10', () => buyer.uses('calls', '100'));
    await on('2025-07-02');
    expect(await readFigures(vendor).revenue('2025-06-01', '2025-08-01')).toEqual([
      '2025-06 150.00 250.00 -100.00',
      '2025-07 200.00 100.00 0.00',
    ]);
  });

  story('that a credit note gives back is taken back along the line’s span', async ({ on, acme, vendor }) => {
    await on('2025-01-16', () => acme.signs(plan('pro', '31')));
    const [hit] = await acme.invoices();
    const figures = readFigures(vendor);
    expect(await figures.revenue('2025-01-01', '2025-03-01')).toEqual(['2025-01 31.00 16.00 15.00', '2025-02 0.00 15.00 0.00']);
    const items = hit?.invoice_items.map(({ id }) => ({ invoice_item_id: id })) ?? [];
    await on('2025-02-01', () => vendor.api.made(`/v1/c/invoice/${hit?.invoice.id}/credit_note`, { items, to: 'wallet' }));
    expect(await figures.revenue('2025-01-01', '2025-03-01')).toEqual(['2025-01 31.00 0.00 31.00', '2025-02 -31.00 0.00 0.00']);
  });

  story(
    'of a month is not earned while it is frozen: ten days of May go on in June; so does a credit note',
    async ({ on, acme, vendor }) => {
      await on('2025-05-01', () => acme.signs(plan('pro', '31')));
      const [hit] = await acme.invoices();
      const figures = readFigures(vendor);
      await on('2025-05-11', () => acme.freezes());
      await on('2025-05-21', () => acme.unfreezes());
      expect(await figures.revenue('2025-05-01', '2025-07-01')).toEqual(['2025-05 31.00 21.00 10.00', '2025-06 0.00 10.00 0.00']);
      await on('2025-05-25', () => acme.freezes());
      await on('2025-06-05', () => acme.unfreezes());
      expect(await figures.revenue('2025-05-01', '2025-07-01')).toEqual(['2025-05 31.00 14.00 17.00', '2025-06 0.00 17.00 0.00']);
      const items = hit?.invoice_items.map(({ id }) => ({ invoice_item_id: id, amount: '15.50' })) ?? [];
      await on('2025-06-06', () => vendor.api.made(`/v1/c/invoice/${hit?.invoice.id}/credit_note`, { items, to: 'wallet' }));
      expect(await figures.revenue('2025-05-01', '2025-07-01')).toEqual(['2025-05 31.00 7.00 24.00', '2025-06 -15.50 8.50 0.00']);
      await on('2025-06-10', () => acme.freezes());
      await on('2025-07-10', () => acme.unfreezes());
      expect(await figures.revenue('2025-05-01', '2025-08-01')).toEqual([
        ...['2025-05 31.00 7.00 24.00', '2025-06 -15.50 2.50 6.00', '2025-07 0.00 6.00 0.00'],
      ]);
    },
  );

  story('of what a change has charged and a cancellation gives back comes to zero after a freeze', async ({ on, acme, vendor }) => {
    await on('2025-06-01', () => acme.signs(plan('pro', '30')));
    await on('2025-06-11', () => acme.changesTo(plan('max', '60')));
    await on('2025-06-16', () => acme.freezes());
    await on('2025-06-26', () => acme.unfreezes());
    await on('2025-07-01', () => acme.cancels('now', { credit: true }));
    expect(await readFigures(vendor).revenue('2025-06-01', '2025-08-01')).toEqual([
      '2025-06 50.00 30.00 20.00',
      '2025-07 -20.00 0.00 0.00',
    ]);
  });

  story(
    'of a whole span is moved by a freeze too, unless its end runs on: 61 for two months, frozen for ten days',
    async ({ on, acme, vendor }) => {
      const whole = plan('pro', '61', { cycle: 'constant' });
      const ends = { expiration: '2025-08-01T00:00:00Z' };
      const beta = vendor.customer('beta');
      await on('2025-06-01', () => acme.signs(whole, ends));
      await vendor.sets('pause', { expiration: 'run_on' });
      await beta.signs(whole, ends);
      await on('2025-06-11', () => acme.freezes());
      await beta.freezes();
      const figures = readFigures(vendor);
      await on('2025-06-21', () => beta.unfreezes());
      expect(await figures.revenue('2025-06-01', '2025-08-01')).toEqual(['2025-06 122.00 60.00 62.00', '2025-07 0.00 62.00 0.00']);
      await acme.unfreezes();
      expect(await figures.revenue('2025-06-01', '2025-09-01')).toEqual([
        ...['2025-06 122.00 50.00 72.00', '2025-07 0.00 62.00 10.00', '2025-08 0.00 10.00 0.00'],
      ]);
    },
  );

  story('of what is invoiced behind a freeze is earned behind it too, from a draft or not', async ({ on, acme, vendor }) => {
    const beta = vendor.customer('beta');
    for (const one of [acme, beta]) await on('2025-05-01', () => one.signs(plan('pro', '31'), { invoice_trigger: 'manual' }));
    const drafts = (one: typeof acme): Promise<string[]> => vendor.api.made('/v1/c/invoice', { contract_id: one.contract.id });
    const validates = ([id]: string[]) => vendor.api.made(`/v1/c/invoice/${id}/validate`, {});
    const draft = await drafts(acme);
    await on('2025-05-11', () => acme.freezes());
    await beta.freezes();
    await on('2025-05-21', () => acme.unfreezes());
    await beta.unfreezes();
    await on('2025-05-25', () => validates(draft));
    const figures = readFigures(vendor);
    expect(await figures.revenue('2025-05-01', '2025-07-01')).toEqual(['2025-05 31.00 21.00 10.00', '2025-06 0.00 10.00 0.00']);
    await on('2025-05-26', async () => validates(await drafts(beta)));
    expect(await figures.revenue('2025-05-01', '2025-07-01')).toEqual(['2025-05 62.00 42.00 20.00', '2025-06 0.00 20.00 0.00']);
    await on('2025-05-28', () => beta.freezes());
    await on('2025-06-02', () => beta.unfreezes());
    expect(await figures.revenue('2025-05-01', '2025-07-01')).toEqual(['2025-05 62.00 38.00 24.00', '2025-06 0.00 24.00 0.00']);
  });

  story('of what waits for the next invoice, and of what that gives back, comes to zero after a freeze', async ({ on, acme, vendor }) => {
    const rules = { upgrade: { when: 'now', proration: 'time', collect: 'next_invoice' } } as const;
    await on('2025-06-01', () => acme.signs(plan('pro', '30'), { change_rules: rules }));
    await on('2025-06-11', () => acme.changesTo(plan('max', '60')));
    await on('2025-06-16', () => acme.freezes());
    await on('2025-06-26', () => acme.unfreezes());
    const figures = readFigures(vendor);
    expect(await figures.revenue('2025-06-01', '2025-08-01')).toEqual(['2025-06 30.00 20.00 10.00', '2025-07 0.00 10.00 0.00']);
    await on('2025-07-01', () => acme.cancels('now', { credit: true }));
    expect(await figures.revenue('2025-06-01', '2025-08-01')).toEqual(['2025-06 30.00 30.00 0.00', '2025-07 0.00 0.00 0.00']);
  });
});
