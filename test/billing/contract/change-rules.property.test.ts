import fc from 'fast-check';
import { at, DAY, type Instant, iso } from '../../../billing/calendar/instant.ts';
import { isLive } from '../../../billing/contract/period/time.ts';
import type { ChangeRule, GivenChangeRules, Proration } from '../../../billing/contract/terms/change-rules.ts';
import { explainLine } from '../../../billing/explain/explain-line.ts';
import type { Line, TaxContext } from '../../../billing/invoice/types.ts';
import { dec, sum, text } from '../../../billing/money/decimal.ts';
import type { Price } from '../../../billing/pricing/price.ts';
import { runs } from '../../support/runs.ts';
import { planOffer, price, seats } from '../../support-billing/catalogue.ts';
import { changes, changeToPlan, toUnits } from '../../support-billing/changes.ts';
import { type Ledger, NO_TAX } from '../../support-billing/ledger.ts';
import {
  ALL,
  type Amounts,
  amounts,
  cents,
  type Item,
  type Levy,
  linesOf,
  num,
  type Off,
  shareOf,
  spread,
} from '../../support-billing/second-way.ts';
import { type Story, signs } from '../../support-billing/story.ts';
import { type Diary, diaries, snapshots } from './random.ts';

const rule: fc.Arbitrary<ChangeRule> = fc.record({
  when: fc.constantFrom('now' as const, 'now' as const, 'next_cycle' as const),
  proration: fc.constantFrom<Proration>('time', 'difference', 'full', 'none'),
  collect: fc.constantFrom('now' as const, 'next_invoice' as const),
  credit: fc.constantFrom('wallet' as const, 'wallet' as const, 'none' as const),
});
const rules: fc.Arbitrary<GivenChangeRules> = fc.record({ upgrade: rule, downgrade: rule, units_up: rule, units_down: rule });

const written = ({ lines }: Ledger): Line[] => [...lines.values()].filter(({ idle }) => idle === undefined);

/** What must hold of all lines and invoices, whatever the rules. */
function booksAreRight({ ledger }: Story): void {
  const lines = written(ledger);
  for (const line of lines) {
    const { amounts: shown, recomputed } = explainLine(line);
    expect(recomputed).toEqual(shown);
    const credits = lines.filter(({ creditOf }) => creditOf === line.id);
    expect(
      dec(line.totalIncludingTax)
        .plus(sum(credits.map((one) => dec(one.totalIncludingTax))))
        .gte(0) || line.kind === 'credit',
    ).toBe(true);
  }
  for (const invoice of ledger.invoices) {
    const own = invoice.lineIds.map((id) => dec(ledger.lines.get(id)?.totalIncludingTax ?? 'none'));
    expect(text(sum(own))).toBe(text(dec(invoice.total)));
    expect(invoice.dueDate).toBeGreaterThanOrEqual(invoice.date);
  }
}

test('under random rules each estimate is what the change writes, every line can be computed again, and nothing is left waiting at the end', () => {
  fc.assert(
    fc.property(diaries(), rules, rules, (diary: Diary, own, vendor) => {
      const words = { ...diary.words, changeRules: own, vendorChangeRules: vendor };
      const story = snapshots({ ...diary, words });
      booksAreRight(story);
      const ended = [...story.ledger.contracts.values()].every((contract) => !isLive(contract));
      const isImmediate = story.contract().configuration.invoiceTrigger === 'immediate';
      if (ended && isImmediate) {
        const waiting = [...story.ledger.lines.values()].filter(({ invoiceId, idle }) => invoiceId === null && idle === undefined);
        expect(waiting).toEqual([]);
      }
    }),
    runs(0.5),
  );
});

const money = fc.integer({ min: 0, max: 50_000 }).map((n) => (n / 100).toFixed(2));
const priced = fc
  .record({ plan: money, seat: money, count: fc.integer({ min: 1, max: 20 }).map(String), extra: money })
  .map(({ plan, seat, count, extra }) => ({ plan: price(plan), seats: seats(seat, count), extra: price(extra), count }));
type Sold = { plan: Price; seats: Price; extra: Price; count: string };

const offerOf = (slug: string, { plan: own, seats: seat, extra }: Sold) =>
  planOffer(slug, { price: own, features: { seats: seat, extra } });

const levies = fc.constantFrom<Levy>({ included: true, rate: null }, { included: true, rate: '0.19' }, { included: false, rate: '0.0825' });
const offs = fc.option(
  fc.record({
    type: fc.constantFrom('percentage' as const, 'flat' as const),
    amount: fc.integer({ min: 1, max: 10_000 }).map((n) => (n / 100).toFixed(2)),
  }),
);
const taxOf = ({ included, rate }: Levy): TaxContext => ({
  ...NO_TAX,
  policy: included ? 'tax_included' : 'tax_excluded',
  rates: rate === null ? [] : [{ taxCode: null, country: null, state: null, rate }],
});

const NAMES = ['plan', 'seats', 'extra'] as const;

/** The prices of a cycle, or of a share of it, from the text of the rules. */
const pricesOf = (sold: Sold, part: Item['part'], off: Off | null, levy: Levy): Amounts[] =>
  linesOf(
    NAMES.map((name) => ({ sold: sold[name], units: name === 'seats' ? sold.count : '1', part, discountable: true, free: false })),
    off,
    levy,
  );

/** What one change on a day of June 2025 charges on its new contract. */
function secondWay(proration: Proration, before: Sold, after: Sold, off: Off | null, levy: Levy, days: number): Amounts[] {
  if (proration === 'none') return [];
  if (proration === 'full') return pricesOf(after, ALL, off, levy);
  if (proration === 'time') return pricesOf(after, shareOf(days, 30), off, levy);
  const net = (lines: Amounts[]): bigint[] =>
    lines.map((line) => cents(num(levy.included ? line.totalIncludingTax : line.totalExcludingTax)));
  const [old, fresh] = [net(pricesOf(before, ALL, off, levy)), net(pricesOf(after, ALL, off, levy))];
  const changed = fresh.map((amount, index) => amount - (old[index] ?? 0n));
  const all = changed.reduce((a, b) => a + b, 0n);
  const rises = changed.map((one) => (one > 0n ? one : 0n));
  return spread(all > 0n ? all : 0n, rises)
    .filter((part) => part > 0n)
    .map((part) => amounts(part, part, levy));
}

test('what a change charges under each proration, without credit, is what the rules come to a second way', () => {
  const prorations = fc.constantFrom<Proration>('time', 'difference', 'full', 'none');
  fc.assert(
    fc.property(priced, priced, prorations, levies, offs, fc.integer({ min: 2, max: 30 }), (before, after, proration, levy, off, day) => {
      const one: ChangeRule = { when: 'now', proration, collect: 'now', credit: 'none' };
      const discount = off && {
        ...off,
        currency: off.type === 'flat' ? ('usd' as const) : null,
        originalDiscountId: null,
        slug: 'o',
        name: 'Off',
        duration: 5,
      };
      const story = signs('2025-06-01', offerOf('a', before), {
        tax: taxOf(levy),
        discount,
        changeRules: { upgrade: one, downgrade: one },
      });
      const first = story.id();
      changes(story, `2025-06-${String(day).padStart(2, '0')}`, changeToPlan(offerOf('b', after), { units: { seats: after.count } }));
      const made = written(story.ledger).filter(({ contractId }) => contractId !== first);
      const shown = made.map(
        ({ subtotal, discountAmount, totalExcludingTax, taxAmount, totalIncludingTax }): Amounts => ({
          subtotal,
          discountAmount,
          totalExcludingTax,
          taxAmount,
          totalIncludingTax,
        }),
      );
      expect(shown).toEqual(secondWay(proration, before, after, off, levy, 31 - day));
    }),
    runs(),
  );
});

test('time and none, up and down again: not a cent in all, none at any time of the cycle, time at its own instant', () => {
  const instants = fc.tuple(fc.integer({ min: at('2025-06-01T01:00'), max: at('2025-06-29') }), fc.integer({ min: 0, max: DAY }));
  fc.assert(
    fc.property(
      priced,
      fc.constantFrom('time' as const, 'none' as const),
      fc.constantFrom('now' as const, 'next_invoice' as const),
      instants,
      levies,
      (sold, proration, collect, [when, wait], levy) => {
        const one: ChangeRule = { when: 'now', proration, collect, credit: 'wallet' };
        const story = signs('2025-06-01', offerOf('a', sold), { tax: taxOf(levy), changeRules: { units_up: one, units_down: one } });
        const paid = (): string =>
          text(
            sum(
              written(story.ledger)
                .filter(({ kind }) => kind !== 'wallet')
                .map((line) => dec(line.totalIncludingTax)),
            ),
          );
        const before = paid();
        const back: Instant = proration === 'none' ? when + wait : when;
        changes(story, iso(when), toUnits({ seats: '25' }));
        changes(story, iso(back), toUnits({ seats: sold.count }));
        expect(paid()).toBe(before);
        // a price of nothing has nothing to give back
        const changed = written(story.ledger).filter((line) => !line.chargeKey.startsWith('cycle:') && !dec(line.subtotal).isZero());
        if (collect === 'next_invoice') expect(changed).toEqual([]);
      },
    ),
    runs(),
  );
});
