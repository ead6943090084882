import fc from 'fast-check';
import { planThreshold } from '../../../billing/contract/charge/threshold.ts';
import { explainLine } from '../../../billing/explain/explain-line.ts';
import type { Line, TaxContext } from '../../../billing/invoice/types.ts';
import { dec, sum } from '../../../billing/money/decimal.ts';
import type { Price } from '../../../billing/pricing/price.ts';
import { runs } from '../../support/runs.ts';
import { planOffer, seats } from '../../support-billing/catalogue.ts';
import { changes, changeToPlan, toUnits } from '../../support-billing/changes.ts';
import { NO_TAX } from '../../support-billing/ledger.ts';
import { orNull, risingPrice } from '../../support-billing/random-prices.ts';
import { amounts, cents, type Levy, NONE, shownMoney, usageAmountOf } from '../../support-billing/second-way.ts';
import { type Story, signs } from '../../support-billing/story.ts';

// The same usage with an invoice threshold and without one comes to the same, however its usage is spread.

const diary = fc.record({
  calls: risingPrice,
  data: risingPrice,
  other: risingPrice,
  events: fc.array(
    fc.record({ day: fc.integer({ min: 1, max: 30 }), slug: fc.constantFrom('calls', 'data'), units: fc.nat(70), marks: fc.boolean() }),
    { minLength: 1, maxLength: 12 },
  ),
  change: fc.constantFrom('none' as const, 'seats' as const, 'plan' as const),
  threshold: fc.integer({ min: 1, max: 3_000 }).map((n) => (n / 100).toFixed(2)),
  levy: fc.record({ included: fc.boolean(), rate: orNull(fc.constantFrom('0.19', '0.07', '0.0825')) }),
  dataCode: fc.boolean(),
});
type Diary = typeof diary extends fc.Arbitrary<infer T> ? T : never;

const taxOf = ({ levy, dataCode }: Pick<Diary, 'levy' | 'dataCode'>): TaxContext => ({
  ...NO_TAX,
  policy: levy.included ? 'tax_included' : 'tax_excluded',
  rates: [
    ...(levy.rate === null ? [] : [{ taxCode: null, country: null, state: null, rate: levy.rate }]),
    ...(dataCode ? [{ taxCode: 'data', country: null, state: null, rate: '0.05' }] : []),
  ],
});

const date = (day: number): string => `2025-06-${String(day).padStart(2, '0')}`;

function lived(one: Diary, invoiceThreshold: string | null): Story {
  const features = { seats: seats('5', '1'), calls: one.calls, data: { ...one.data, taxCode: 'data' } };
  const offer = planOffer('pro', { features });
  const story = signs('2025-06-01', offer, { tax: taxOf(one), configuration: { invoiceThreshold } });
  const events = one.events.map((event, index) => ({ ...event, marks: event.marks && index % 4 === 3 })).toSorted((a, b) => a.day - b.day);
  const use = (all: typeof events): void => {
    for (const { day, slug, units, marks } of all) {
      story.advance(date(day));
      story.uses(`${date(day)}T12:00`, slug, String(units), marks);
      story.does(`${date(day)}T12:00`, planThreshold);
    }
  };
  use(events.filter(({ day }) => day < 16));
  if (one.change === 'seats') changes(story, date(16), toUnits({ seats: '2' }));
  if (one.change === 'plan')
    changes(story, date(16), changeToPlan(planOffer('max', { price: '90', features: { ...features, calls: one.other } })));
  use(events.filter(({ day }) => day >= 16));
  story.advance('2025-07-01');
  return story;
}

const FIELDS = ['subtotal', 'totalExcludingTax', 'taxAmount', 'totalIncludingTax', 'unitCount'] as const;

/** What usage comes to, by contract, source and tax rate. */
function sums({ ledger }: Story): Record<string, string> {
  const lines = [...ledger.lines.values()].filter(({ kind }) => kind === 'usage');
  const of = (some: Line[]): string => FIELDS.map((field) => sum(some.map((line) => dec(line[field]))).toFixed()).join(' ');
  return Object.fromEntries([...Map.groupBy(lines, ({ source, taxRate }) => `${source} ${taxRate}`)].map(([key, some]) => [key, of(some)]));
}

test('parts add up to the single invoice to the cent: net, tax and units, for each price and tax rate, through changes', () => {
  fc.assert(
    fc.property(diary, (one) => {
      const [inParts, whole] = [lived(one, one.threshold), lived(one, null)];
      expect(sums(inParts)).toEqual(sums(whole));
      for (const line of inParts.ledger.lines.values()) {
        const { amounts: written, recomputed } = explainLine(line);
        expect(recomputed).toEqual(written);
      }
    }),
    runs(),
  );
});

test('each invoice is worked out a second way: what the units come to by then, less what was charged, once that reaches it', () => {
  fc.assert(
    fc.property(diary, ({ ...one }) => {
      const { calls, levy, threshold } = one;
      const events = one.events.map((event) => ({ ...event, slug: 'calls' as const, marks: false })).toSorted((a, b) => a.day - b.day);
      const story = lived({ ...one, change: 'none', events, dataCode: false }, threshold);
      const made = [...story.ledger.lines.values()].filter(
        ({ source, derivation }) => source === 'feature:calls' && derivation.soFar === true,
      );
      expect(made.map(({ totalExcludingTax, taxAmount }) => [totalExcludingTax, taxAmount])).toEqual(
        expectedParts(calls, events, threshold, levy),
      );
    }),
    runs(),
  );
});

function expectedParts(calls: Price, events: readonly { units: number }[], threshold: string, levy: Levy): string[][] {
  const sold = { ...calls, strategy: { ...calls.strategy, flatFee: null, minimumUnits: null } };
  const least = BigInt(threshold.replace('.', ''));
  const parts: string[][] = [];
  let [units, billed] = [0, 0n];
  for (const event of events) {
    units += event.units;
    const owed = cents(usageAmountOf(sold, String(units), NONE, null).amount);
    if (owed - billed < least) continue;
    const [after, before] = [amounts(owed, owed, levy), amounts(billed, billed, levy)];
    const less = (field: 'totalExcludingTax' | 'taxAmount'): string =>
      shownMoney(BigInt(after[field].replace('.', '')) - BigInt(before[field].replace('.', '')));
    parts.push([less('totalExcludingTax'), less('taxAmount')]);
    billed = owed;
  }
  return parts;
}

const levies = fc.array(fc.record({ included: fc.boolean(), rate: orNull(fc.constantFrom('0.19', '0.07', '0.0825')) }), {
  minLength: 1,
  maxLength: 4,
});

test('taxes that change meanwhile: no more comes back than was charged, and all of it where nothing is used in the end', () => {
  fc.assert(
    fc.property(diary, levies, fc.boolean(), ({ calls, events, threshold }, taxes, isNothing) => {
      const story = signs('2025-06-01', planOffer('pro', { features: { calls } }), { configuration: { invoiceThreshold: threshold } });
      const use = (date: string, units: number, levy: Diary['levy'] | undefined): void => {
        story.ledger.tax = levy === undefined ? NO_TAX : taxOf({ levy, dataCode: false });
        story.uses(date, 'calls', String(units), true);
        story.does(date, planThreshold);
      };
      events
        .toSorted((a, b) => a.day - b.day)
        .forEach(({ day, units }, index) => {
          use(`${date(day)}T${String(index + 1).padStart(2, '0')}:00`, units, taxes[index % taxes.length]);
        });
      if (isNothing) use(`${date(30)}T23:00`, 0, taxes[0]);
      story.advance('2025-07-01');
      const lines = [...story.ledger.lines.values()].filter(({ kind }) => kind === 'usage');
      for (const line of lines) {
        const { amounts: written, recomputed } = explainLine(line);
        expect(recomputed).toEqual(written);
      }
      const [net, tax] = (['totalExcludingTax', 'taxAmount'] as const).map((field) => sum(lines.map((line) => dec(line[field]))));
      expect([net?.gte(0), tax?.gte(0)]).toEqual([true, true]);
      if (net?.isZero()) expect(tax?.toFixed()).toBe('0');
      const owed = usageAmountOf(calls, '0', [1n, 1n], null).amount;
      if (isNothing && cents(owed) === 0n) expect(net?.toFixed()).toBe('0');
    }),
    runs(),
  );
});
