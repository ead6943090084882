import fc from 'fast-check';
import type { Cycle } from '../../../billing/calendar/cycle.ts';
import { at, DAY, type Instant, iso } from '../../../billing/calendar/instant.ts';
import type { Offer } from '../../../billing/contract/terms/offer.ts';
import { explainLine } from '../../../billing/explain/explain-line.ts';
import type { TaxContext } from '../../../billing/invoice/types.ts';
import { dec, sum, text } from '../../../billing/money/decimal.ts';
import { runs } from '../../support/runs.ts';
import { planOffer, price, seats } from '../../support-billing/catalogue.ts';
import { changes, changeToPlan, toUnits } from '../../support-billing/changes.ts';
import { NO_TAX } from '../../support-billing/ledger.ts';
import { type SignWords, type Story, signs } from '../../support-billing/story.ts';

// A change undone at its own instant costs nothing: not a cent, however the lines had been rounded before.

const thousandths = fc.integer({ min: 0, max: 999_999 }).map((n) => (n / 1000).toFixed(3));
const free = fc.nat(2);
const trigger = fc.constantFrom('month' as const, 'quarter' as const, 'year' as const);

const offer = (slug: string, cycle: Cycle): fc.Arbitrary<Offer> =>
  fc
    .record({
      own: thousandths,
      ownFree: free,
      seat: thousandths,
      fee: fc.option(thousandths),
      count: fc.integer({ min: 1, max: 30 }).map(String),
      support: thousandths,
      supportFree: free,
      trigger,
    })
    .map((one) =>
      planOffer(slug, {
        cycle,
        price: price(one.own, { kind: 'flat' }, one.ownFree),
        features: {
          seats: seats(one.seat, one.count, one.fee === null ? {} : { flatFee: one.fee }),
          support: [one.trigger, price(one.support, { kind: 'flat' }, one.supportFree)],
        },
      }),
    );

const discount = fc.option(
  fc
    .oneof(
      fc.record({
        type: fc.constant('percentage' as const),
        amount: fc.integer({ min: 1, max: 1000 }).map((n) => (n / 10).toFixed(1)),
        currency: fc.constant(null),
      }),
      fc.record({ type: fc.constant('flat' as const), amount: thousandths, currency: fc.constant('usd' as const) }),
    )
    .chain((one) => fc.nat(3).map((more) => ({ ...one, duration: more + 1, originalDiscountId: null, slug: 'off', name: 'Off' }))),
);

const taxed = (policy: TaxContext['policy'], rate: string): TaxContext => ({
  ...NO_TAX,
  policy,
  rates: [{ taxCode: null, country: null, state: null, rate }],
});

const LENGTH = { week: 7 * DAY, month: 30 * DAY, quarter: 91 * DAY, year: 365 * DAY };

const stories = fc.constantFrom('week' as const, 'month' as const, 'quarter' as const, 'year' as const).chain((cycle) =>
  fc.record({
    cycle: fc.constant(cycle),
    start: fc.integer({ min: at('2023-01-01'), max: at('2027-12-31') }),
    own: offer('own', cycle),
    first: offer('first', cycle),
    second: offer('second', cycle),
    words: fc.record<SignWords>({
      tax: fc.constantFrom(NO_TAX, taxed('tax_included', '0.19'), taxed('tax_excluded', '0.07')),
      freeCycles: fc.constantFrom(0, 0, 0, 1),
      offset: fc.option(fc.nat(cycle === 'week' ? 6 : 30)),
      discount,
      configuration: fc.constant({ invoiceTrigger: 'manual' as const }),
    }),
    waits: fc.tuple(fc.integer({ min: 0, max: Math.round(2.2 * LENGTH[cycle]) }), fc.integer({ min: 0, max: LENGTH[cycle] })),
    nested: fc.boolean(),
    units: fc.boolean(),
    other: fc.integer({ min: 31, max: 60 }).map(String),
  }),
);

const unitsOf = ({ pricing }: Offer): string => {
  const strategy = pricing.features.seats?.strategy;
  return strategy?.kind === 'per_unit' ? strategy.unitCount : '1';
};

/** Goes to other prices and back, by one change or by two of each; what all of it made. */
function thereAndBack(story: Story, now: Instant, requests: (() => Parameters<typeof changes>[2])[]): string[] {
  const before = story.ledger.lines.size;
  for (const request of requests) {
    try {
      changes(story, iso(now), request());
    } catch (error) {
      expect(error).toMatchObject({ code: 'nothing_to_change' });
    }
  }
  const made = [...story.ledger.lines.values()].slice(before);
  for (const { amounts, recomputed } of made.map(explainLine)) expect(recomputed).toEqual(amounts);
  const fields = ['totalExcludingTax', 'taxAmount', 'totalIncludingTax'] as const;
  return fields.map((field) => text(sum(made.map((line) => dec(line[field])))));
}

test('a change undone at its own instant costs nothing to the cent, also twice in a row and again later', () => {
  fc.assert(
    fc.property(stories, ({ start, own, first, second, words, waits, nested, units, other }) => {
      const story = signs(iso(start), own, words);
      const to = (one: Offer) => () => changeToPlan(one, { downgradeAllowed: true, units: { seats: unitsOf(one) } });
      const seatsTo = (count: string) => () => toUnits({ seats: count }, { downgradeAllowed: true });
      const requests = units
        ? [seatsTo(other), ...(nested ? [to(first), to(own), seatsTo(other)] : []), seatsTo(unitsOf(own))]
        : [to(first), ...(nested ? [to(second), to(first)] : []), to(own)];
      let now = start;
      for (const wait of waits) {
        now += wait;
        story.advance(iso(now));
        for (const _ of ['once', 'twice']) expect(thereAndBack(story, now, requests)).toEqual(['0', '0', '0']);
      }
    }),
    runs(),
  );
});
