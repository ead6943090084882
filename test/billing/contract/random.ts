import fc from 'fast-check';
import type { Cycle } from '../../../billing/calendar/cycle.ts';
import { at, DAY, HOUR, type Instant, iso, MINUTE } from '../../../billing/calendar/instant.ts';
import { planFreeze, planUnfreeze } from '../../../billing/contract/advance/freeze.ts';
import { planCancellation, planCancelUndo, planChangeUndo } from '../../../billing/contract/change/cancel.ts';
import { planUsageClosing } from '../../../billing/contract/charge/close-usage.ts';
import type { InFreeze } from '../../../billing/contract/period/pause-rules.ts';
import { isFrozen, isLive } from '../../../billing/contract/period/time.ts';
import type { Offer } from '../../../billing/contract/terms/offer.ts';
import type { UsagePeriodClosingPolicy } from '../../../billing/contract/types.ts';
import type { TaxContext, TaxPolicy } from '../../../billing/invoice/types.ts';
import type { Currency } from '../../../billing/money/currency.ts';
import { BillingError } from '../../../billing/problem.ts';
import { Refusal } from '../../../billing/refusal.ts';
import { planOffer, price, seats, usagePrice } from '../../support-billing/catalogue.ts';
import { changes, changeToPlan, toUnits } from '../../support-billing/changes.ts';
import { NO_TAX } from '../../support-billing/ledger.ts';
import { type SignWords, type Story, signs } from '../../support-billing/story.ts';
import { aCurrency } from '../invoice/arbitraries.ts';

/** One action of a story, some time after the one before. */
export type Deed = { wait: number } & (
  | { type: 'advance' }
  | { type: 'use'; units: string }
  | { type: 'change'; offer: Offer; downgradeAllowed: boolean; nextCycle: boolean }
  | { type: 'date'; offer: Offer; ahead: number; downgradeAllowed: boolean }
  | { type: 'units'; seats: string; downgradeAllowed: boolean }
  | { type: 'undo' }
  | { type: 'cancel'; endOfCycle: boolean; credit: boolean }
  | { type: 'cancel_on'; ahead: number; credit: boolean }
  | { type: 'cancel_undo' }
  | { type: 'freeze'; hours: number }
  | { type: 'close'; idx: number }
);

export interface Diary {
  start: Instant;
  offer: Offer;
  words: SignWords;
  deeds: Deed[];
}

const cents = fc.integer({ min: 0, max: 99_999 }).map((n) => (n / 100).toFixed(2));
const units = fc.integer({ min: 0, max: 500 }).map(String);
const seatCount = fc.integer({ min: 1, max: 50 }).map(String);
const CYCLES: Cycle[] = ['day', 'week', 'month', 'quarter', 'year'];
/** Cycles a contract of one cycle may change to, so that a story doesn't run to thousands of periods. */
const NEAR: Record<string, Cycle[]> = {
  day: ['day', 'week'],
  week: ['day', 'week', 'month'],
  month: ['week', 'month', 'quarter'],
  quarter: ['month', 'quarter', 'year'],
  year: ['quarter', 'year'],
};
const LENGTH: Record<string, number> = { day: DAY, week: 7 * DAY, month: 30 * DAY, quarter: 91 * DAY, year: 365 * DAY };

const inFreeze = fc.constantFrom<InFreeze>('move', 'run_on');
/** Rules for freezes as a plan or a vendor gives them: some of them, or none. */
const pauseRules = fc.record({ trial: inFreeze, expiration: inFreeze, discount: inFreeze }, { requiredKeys: [] });

export function offers(cycles: Cycle[] = CYCLES, currency: Currency = 'usd'): fc.Arbitrary<Offer> {
  return fc
    .record({
      name: fc.constantFrom('a', 'b', 'c'),
      amount: cents,
      seat: cents,
      count: seatCount,
      call: cents,
      fee: cents,
      minimum: units,
      setup: cents,
      support: cents,
      trigger: fc.constantFrom('month', 'quarter', 'year'),
      cycle: fc.constantFrom(...cycles),
      priceFree: fc.nat(2),
      pauseRules,
    })
    .map((one) =>
      planOffer(one.name, {
        cycle: one.cycle,
        currency,
        pauseRules: one.pauseRules,
        price: price(one.amount, { kind: 'flat' }, one.priceFree),
        features: {
          seats: seats(one.seat, one.count, { flatFee: one.fee }),
          calls: usagePrice(one.call, { flatFee: one.fee, minimum: one.minimum, batch: 10 }),
          setup: ['first_cycle', price(one.setup)],
          support: [one.trigger as 'month', price(one.support)],
        },
      }),
    );
}

function taxed(policy: TaxPolicy, rate: string): TaxContext {
  return { ...NO_TAX, policy, rates: [{ taxCode: null, country: null, state: null, rate }] };
}

const policies = fc.constantFrom<UsagePeriodClosingPolicy>('automatic', 'manual', '15 minutes', '1 hour', '1 day');

const discounts = (currency: Currency) =>
  fc.option(
    fc.oneof(
      fc.record({
        type: fc.constant('percentage' as const),
        amount: fc.integer({ min: 1, max: 100 }).map(String),
        currency: fc.constant(null),
      }),
      fc.record({ type: fc.constant('flat' as const), amount: cents, currency: fc.constant(currency) }),
    ),
  );

export function diaries({ sameCycle = false, most = 8, money = aCurrency } = {}): fc.Arbitrary<Diary> {
  return fc.tuple(fc.constantFrom(...CYCLES), money).chain(([cycle, currency]) => {
    const offer = offers(sameCycle ? [cycle] : NEAR[cycle], currency);
    const wait = fc.integer({ min: 0, max: Math.round(1.3 * (LENGTH[cycle] ?? DAY)) });
    const deed = fc.oneof(
      fc.record({ type: fc.constant('advance' as const), wait }),
      fc.record({ type: fc.constant('use' as const), wait, units }),
      fc.record({ type: fc.constant('change' as const), wait, offer, downgradeAllowed: fc.boolean(), nextCycle: fc.boolean() }),
      fc.record({ type: fc.constant('date' as const), wait, offer, ahead: wait, downgradeAllowed: fc.boolean() }),
      fc.record({ type: fc.constant('units' as const), wait, seats: seatCount, downgradeAllowed: fc.boolean() }),
      fc.record({ type: fc.constant('undo' as const), wait }),
      fc.record({ type: fc.constant('cancel_on' as const), wait, ahead: wait, credit: fc.boolean() }),
      fc.record({ type: fc.constant('cancel_undo' as const), wait }),
      fc.record({ type: fc.constant('freeze' as const), wait, hours: fc.integer({ min: 0, max: 900 }) }),
      fc.record({ type: fc.constant('close' as const), wait, idx: fc.nat(4) }),
      { weight: 1, arbitrary: fc.record({ type: fc.constant('cancel' as const), wait, endOfCycle: fc.boolean(), credit: fc.boolean() }) },
    );
    return fc.record({
      start: fc.integer({ min: at('2023-01-01'), max: at('2028-12-31') }),
      offer: offers([cycle], currency),
      words: fc.record<SignWords>({
        tax: fc.constantFrom(NO_TAX, taxed('tax_included', '0.19'), taxed('tax_excluded', '0.10')),
        trialDays: fc.constantFrom(0, 0, 0, 5, 30),
        freeCycles: fc.constantFrom(0, 0, 1, 3),
        offset: cycle === 'day' ? fc.constant(null) : fc.option(fc.nat(cycle === 'week' ? 6 : 30)),
        vendorPauseRules: pauseRules,
        discount: discounts(currency).chain((one) =>
          one === null
            ? fc.constant(null)
            : fc.nat(5).map((more) => ({ ...one, duration: more + 1, originalDiscountId: null, slug: 'some', name: 'Some' })),
        ),
        configuration: fc.record({
          usagePeriodClosingPolicy: policies,
          netDays: fc.constantFrom(0, 0, 14),
          onTrialEnd: fc.constantFrom('continue' as const, 'cancel_without_method' as const),
          dueDatePolicy: fc.constantFrom('start_of_period' as const, 'end_of_period' as const),
          invoiceTrigger: fc.constantFrom('immediate' as const, 'immediate' as const, 'manual' as const),
        }),
      }),
      deeds: fc.array(deed, { maxLength: most }),
    });
  });
}

/** Plays a list of actions; `after` checks the story after each of them. An action that is refused is skipped. */
export function snapshots({ start, offer, words, deeds }: Diary, after: (story: Story, now: Instant) => void = () => {}): Story {
  const story = signs(iso(start), offer, words);
  let now = start;
  for (const deed of deeds) {
    now += deed.wait;
    try {
      now = act(story, deed, now);
    } catch (error) {
      if (!(error instanceof Refusal) && !(error instanceof BillingError)) throw error;
    }
    after(story, now);
  }
  return story;
}

function act(story: Story, deed: Deed, now: Instant): Instant {
  const date = iso(now);
  story.advance(date);
  switch (deed.type) {
    case 'advance':
      break;
    case 'use':
      if (isLive(story.contract()) && story.contract().status === 'active') story.uses(date, 'calls', deed.units);
      break;
    case 'change':
      changes(
        story,
        date,
        changeToPlan(deed.offer, { downgradeAllowed: deed.downgradeAllowed, ...(deed.nextCycle ? { activation: 'next_cycle' } : {}) }),
      );
      break;
    case 'date':
      changes(story, date, changeToPlan(deed.offer, { downgradeAllowed: deed.downgradeAllowed, activation: iso(now + deed.ahead) }));
      break;
    case 'units':
      changes(story, date, toUnits({ seats: deed.seats }, { downgradeAllowed: deed.downgradeAllowed }));
      break;
    case 'undo':
      story.does(date, planChangeUndo);
      break;
    case 'cancel':
      story.does(date, (snapshot, instant, newId) =>
        planCancellation(
          snapshot,
          { when: { type: deed.endOfCycle ? 'end_of_cycle' : 'now' }, credit: deed.credit, notes: null },
          instant,
          newId,
        ),
      );
      break;
    case 'cancel_on':
      story.does(date, (snapshot, instant, newId) => {
        const when = { type: 'date' as const, date: now + deed.ahead };
        return planCancellation(snapshot, { when, credit: deed.credit, notes: null }, instant, newId);
      });
      break;
    case 'cancel_undo':
      story.does(date, planCancelUndo);
      break;
    case 'close':
      story.does(date, (snapshot, instant, newId) => planUsageClosing(snapshot, deed.idx, instant, newId));
      break;
    case 'freeze': {
      freeze(story, now);
      const end = now + deed.hours * HOUR + MINUTE;
      unfreeze(story, end);
      return end;
    }
  }
  return now;
}

/** Freezes the customer: every contract of the ledger. */
export function freeze(story: Story, now: Instant): void {
  if (isFrozen(story.ledger.pauses)) return;
  story.advance(iso(now));
  story.ledger.pauses = story.does(iso(now), planFreeze).snapshot.customer.pauses;
}

export function unfreeze(story: Story, now: Instant): void {
  story.advance(iso(now));
  story.ledger.pauses = story.does(iso(now), planUnfreeze).snapshot.customer.pauses;
}
