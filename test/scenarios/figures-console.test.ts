import { addUpFigures } from '../../db/sql/figure/add-up.ts';
import { checkLedger } from '../../db/sql/ledger/check.ts';
import { figuresByMonth } from '../../services/console/figures.ts';
import { paysAllTheSame } from '../payments/gate-support.ts';
import { addsMethod, invoiceOf } from '../payments/support.ts';
import { withTestDatabase } from '../support/database.ts';
import { instantOf, metered, plan, story } from '../support/story.ts';
import type { StoryVendor } from '../support/story-vendor.ts';

/** What the console's plots show up to a day: by month, as "2025-01 failed 100.00". */
const figuresOf = ({ vendorId, clock }: StoryVendor, day: string, ...kinds: ('usage' | 'failed' | 'recovered')[]): Promise<string[]> =>
  withTestDatabase(async (db) => {
    const read = async (): Promise<string[]> => {
      const [usd] = await figuresByMonth(db, { vendorId, clockId: clock.id }, Date.parse(instantOf(day)));
      const rows = (usd?.months ?? []).flatMap((month) => kinds.map((kind) => [month.month, kind, month[kind]] as const));
      return rows.flatMap(([month, kind, sum]) =>
        Number(sum) === 0 ? [] : [`${new Date(month).toISOString().slice(0, 7)} ${kind} ${sum}`],
      );
    };
    const noted = await read();
    while ((await addUpFigures(db, 1_000)) === 1_000);
    expect(await read()).toEqual(noted);
    expect(await checkLedger(db, vendorId)).toEqual([]);
    return noted;
  });

describe('the figures of the console', () => {
  story('count an invoice once when its payment fails, and what was paid of it after all', async ({ on, acme, vendor }) => {
    const shown = (day: string) => figuresOf(vendor, day, 'failed', 'recovered');
    await on('2025-01-01', async () => {
      await addsMethod(acme, 'sandbox_insufficient_funds');
      await acme.signs(plan('pro', '100'));
    });
    await on('2025-01-03', () => addsMethod(acme, 'sandbox_ok'));
    await on('2025-02-15', () => addsMethod(acme, 'sandbox_declined'));
    expect(await shown('2025-02-15')).toEqual(['2025-01 failed 100.00', '2025-01 recovered 100.00']);
    await on('2025-04-01', () => acme.pays());
    const until = ['2025-01 failed 100.00', '2025-01 recovered 100.00', '2025-03 failed 100.00', '2025-04 failed 100.00'];
    expect(await shown('2025-04-01')).toEqual([...until, '2025-04 recovered 200.00']);
  });

  story('take a failure back when the bank has taken the money all the same', async ({ on, acme, vendor }) => {
    await on('2025-01-01', async () => {
      await addsMethod(acme, 'sandbox_declined');
      await acme.signs(plan('pro', '100'));
    });
    await on('2025-01-01 12:00');
    expect(await figuresOf(vendor, '2025-01-02', 'failed', 'recovered')).toEqual(['2025-01 failed 100.00']);
    await withTestDatabase(async (db) => {
      const { invoice } = await invoiceOf(acme, '2025-01-01');
      const [attempt] = await db.query<{ id: string }>('select id from payment_attempt where invoice_id = $1', [invoice.id]);
      await paysAllTheSame(attempt?.id ?? '');
    });
    expect(await figuresOf(vendor, '2025-01-02', 'failed', 'recovered')).toEqual([]);
  });

  story('add up what usage and its corrections brought, in the month of the invoice', async ({ on, acme, vendor }) => {
    await on('2025-01-01', () => acme.signs(plan('pro', '100', { features: { calls: { price: metered('0.10') } } })));
    await on('2025-01-10', () => acme.uses('calls', '400'));
    await on('2025-02-10', () => acme.uses('calls', '50'));
    expect(await figuresOf(vendor, '2025-02-10', 'usage')).toEqual(['2025-02 usage 40.00']);
    await acme.uses('calls', '30', '2025-01-20', { allow_correction: true });
    await on('2025-03-02');
    expect(await figuresOf(vendor, '2025-03-02', 'usage')).toEqual(['2025-02 usage 40.00', '2025-03 usage 8.00']);
  });
});
