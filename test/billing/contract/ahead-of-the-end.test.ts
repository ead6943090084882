import { at } from '../../../billing/calendar/instant.ts';
import { planCancellation } from '../../../billing/contract/change/cancel.ts';
import { planUsageClosing } from '../../../billing/contract/charge/close-usage.ts';
import { planCorrections } from '../../../billing/contract/charge/correct-usage.ts';
import { usageOf as shownOf } from '../../../billing/contract/charge/usage-view.ts';
import type { Offer } from '../../../billing/contract/terms/offer.ts';
import type { UsagePeriodClosingPolicy } from '../../../billing/contract/types.ts';
import { usesAhead } from '../../support-billing/ahead.ts';
import { planOffer, usagePrice } from '../../support-billing/catalogue.ts';
import { changes, changeToPlan } from '../../support-billing/changes.ts';
import { snapshotOf, write } from '../../support-billing/ledger.ts';
import { invoicesOf, type SignWords, type Story, signs } from '../../support-billing/story.ts';
import { freeze, unfreeze } from './random.ts';

// Usage may be reported up to an hour ahead; a contract that ends before its instant still charges it, once, on its
// final closing.

const POLICIES: readonly UsagePeriodClosingPolicy[] = ['automatic', '15 minutes', '1 hour', '1 day', 'manual'];
const calls = usagePrice('1', { flatFee: '30' });
const june = planOffer('june', { price: '100', features: { calls } });

/** Usage lines and corrections of all contracts, as `period: subtotal`. */
const usageOf = ({ ledger }: Story): string[] =>
  [...ledger.lines.values()]
    .filter(({ kind }) => kind === 'usage' || kind === 'correction')
    .map(({ kind, periodIdx, subtotal }) => `${kind === 'usage' ? '' : 'corrected '}${periodIdx}: ${subtotal}`);

/** The line of the last correction pays for no time that runs backwards. */
const lastSpan = ({ ledger }: Story): (number | null)[] => {
  const span = [...ledger.lines.values()].filter(({ kind }) => kind === 'correction').at(-1)?.span;
  return [span?.start ?? null, span?.end ?? null];
};

/** Closes every period that waits: automatically, or by hand. */
function closesAll(story: Story, date: string): void {
  story.advance(date);
  const waiting = [...story.ledger.periods.values()].filter(({ status }) => status !== 'closed').map(({ idx }) => idx);
  for (const idx of waiting) story.does(date, (snapshot, now, newId) => planUsageClosing(snapshot, idx, now, newId));
  expect([...story.ledger.periods.values()].filter(({ status }) => status !== 'closed')).toEqual([]);
  expect([...story.ledger.agenda.values()].flat()).toEqual([]);
}

type When = { type: 'now' } | { type: 'end_of_cycle' } | { type: 'date'; date: number };
const cancels = (story: Story, date: string, when: When, credit = false): void => {
  story.does(date, (snapshot, now, newId) => planCancellation(snapshot, { when, credit, notes: null }, now, newId));
};

function corrects(story: Story, date: string, periodIdx: number, units: string, charged: string): void {
  const id = story.id();
  story.ledger.corrections.push({ contractId: id, periodIdx, slug: 'calls', units, charged, occasion: date });
  write(story.ledger, planCorrections(snapshotOf(story.ledger, id, at(date)), at(date), story.newId));
}

const starts = (usagePeriodClosingPolicy: UsagePeriodClosingPolicy, offer: Offer = june, words: SignWords = {}): Story =>
  signs('2025-06-01', offer, { configuration: { usagePeriodClosingPolicy }, ...words });

describe.each(POLICIES)('policy %s', (policy) => {
  test.each([false, true])(
    'canceled on 16 June (credit: %j) with 4 calls reported for 00:17: 15.00 of the fee and 4.00, once',
    (credit) => {
      const story = starts(policy);
      story.uses('2025-06-10', 'calls', '1');
      story.uses('2025-06-16T00:17', 'calls', '4');
      cancels(story, '2025-06-16', { type: 'now' }, credit);
      closesAll(story, '2025-06-18');
      expect(usageOf(story)).toEqual(['1: 20.00']);
      corrects(story, '2025-06-19', 1, '1', '20.00');
      expect(usageOf(story)).toEqual(['1: 20.00', 'corrected 1: -4.00']);
    },
  );

  test('canceled on a date, reported 23:50 for 00:17 of it: the same', () => {
    const story = starts(policy);
    cancels(story, '2025-06-10', { type: 'date', date: at('2025-06-16') });
    story.advance('2025-06-15T23:50');
    story.uses('2025-06-16T00:17', 'calls', '4');
    closesAll(story, '2025-06-18');
    expect(usageOf(story)).toEqual(['1: 19.00']);
    corrects(story, '2025-06-19', 1, '0', '19.00');
    expect(usageOf(story)).toEqual(['1: 19.00', 'corrected 1: -4.00']);
  });

  test('expired on 16 June, reported for 00:17 of it: the whole fee, since nothing is pro-rated, and 4.00', () => {
    const story = starts(policy, june, { expiration: '2025-06-16' });
    story.advance('2025-06-15T23:50');
    story.uses('2025-06-16T00:17', 'calls', '4');
    closesAll(story, '2025-06-18');
    expect(usageOf(story)).toEqual(['1: 34.00']);
    corrects(story, '2025-06-19', 1, '0', '34.00');
    expect(usageOf(story)).toEqual(['1: 34.00', 'corrected 1: -4.00']);
  });

  test('canceled for the end of June, reported for 00:10 of July: 30.00, and 4.00 without a fee', () => {
    const story = starts(policy);
    cancels(story, '2025-06-10', { type: 'end_of_cycle' });
    story.advance('2025-06-30T23:50');
    usesAhead(story, '2025-07-01T00:10', '4');
    closesAll(story, '2025-07-02');
    expect(usageOf(story)).toEqual(['1: 30.00', '2: 4.00']);
    corrects(story, '2025-07-03', 2, '1', '4.00');
    expect(usageOf(story)).toEqual(['1: 30.00', '2: 4.00', 'corrected 2: -3.00']);
  });

  test('canceled at 23:40 with 4 calls for 00:10 of July: corrected to 1 they cost 1.00, no part of a fee is given back', () => {
    const story = starts(policy);
    story.advance('2025-06-30T23:30');
    usesAhead(story, '2025-07-01T00:10', '4');
    cancels(story, '2025-06-30T12:00', { type: 'date', date: at('2025-06-30T23:40') });
    closesAll(story, '2025-07-02');
    expect(usageOf(story)).toEqual(['1: 29.99', '2: 4.00']);
    corrects(story, '2025-07-03', 2, '1', '4.00');
    expect(usageOf(story)).toEqual(['1: 29.99', '2: 4.00', 'corrected 2: -3.00']);
    expect(lastSpan(story)).toEqual([at('2025-06-30T23:40'), at('2025-06-30T23:40')]);
  });
});

test('expired at 23:40 of 30 June with 4 calls for 00:10 of July: corrected to 1 they cost 1.00', () => {
  const story = starts('automatic', june, { expiration: '2025-06-30T23:40' });
  story.advance('2025-06-30T23:30');
  usesAhead(story, '2025-07-01T00:10', '4');
  closesAll(story, '2025-07-02');
  expect(usageOf(story)).toEqual(['1: 30.00', '2: 4.00']);
  corrects(story, '2025-07-03', 2, '1', '4.00');
  expect(usageOf(story).at(-1)).toBe('corrected 2: -3.00');
});

test('a whole month ahead lost to a cancellation after a freeze: corrected, no fee is given back', () => {
  const story = starts('automatic');
  story.advance('2025-06-30T23:30');
  usesAhead(story, '2025-07-01T00:10', '4');
  freeze(story, at('2025-06-30T23:35'));
  unfreeze(story, at('2025-07-05T23:35'));
  cancels(story, '2025-07-05T23:40', { type: 'now' });
  closesAll(story, '2025-07-07');
  corrects(story, '2025-07-08', 2, '6', '4.00');
  expect(usageOf(story)).toEqual(['1: 29.99', '2: 4.00', 'corrected 2: 2.00']);
});

test('usage that stays with the old contract, since the new plan does not meter it: corrected to 1 it costs 1.00', () => {
  const story = starts('automatic');
  const old = story.id();
  story.advance('2025-06-30T12:00');
  usesAhead(story, '2025-06-30T12:40', '4');
  changes(story, '2025-06-30T12:10', changeToPlan(planOffer('plain', { price: '300' })));
  const { ledger } = story;
  ledger.corrections.push({ contractId: old, periodIdx: 2, slug: 'calls', units: '1', charged: '4.00', occasion: 'x' });
  expect(usageOf(story).slice(1)).toEqual(['2: 4.00']);
  story.advance('2025-08-01');
  expect(usageOf(story).slice(1)).toEqual(['2: 4.00', 'corrected 2: -3.00']);
});

/** What the list of usage periods shows of them. */
const shown = ({ ledger, id, contract }: Story): (string | undefined)[] =>
  [...ledger.periods.values()]
    .filter(({ contractId }) => contractId === id())
    .map(
      (period) =>
        shownOf({ contract: contract(), period, usage: snapshotOf(ledger, id(), period.from).usage }, [], ledger.pauses)[0]?.amount,
    );

test('reported in a trial for the hour after it, canceled in the trial: 34.00 shown before, then free, and so is a correction', () => {
  const story = signs('2025-06-01', planOffer('t', { trialDays: 14, features: { calls } }));
  story.advance('2025-06-14T23:30');
  usesAhead(story, '2025-06-15T00:10', '4');
  expect(shown(story)).toEqual(['0.00', '34.00']);
  cancels(story, '2025-06-14T23:40', { type: 'now' });
  expect(shown(story)).toEqual(['0.00', '0.00']);
  corrects(story, '2025-06-16', 1, '9', '0.00');
  expect([invoicesOf(story), story.ledger.corrections]).toEqual([[], []]);
});

test('reported in a trial for the hour after it, then frozen: the period that has no known end is shown whole', () => {
  const story = signs('2025-06-01', planOffer('t', { trialDays: 14, features: { calls } }));
  story.advance('2025-06-14T23:30');
  usesAhead(story, '2025-06-15T00:10', '4');
  freeze(story, at('2025-06-14T23:40'));
  expect(shown(story)).toEqual(['0.00', '34.00']);
});
