import fc from 'fast-check';
import { DAY, type Instant, iso } from '../../../billing/calendar/instant.ts';
import type { Pause } from '../../../billing/calendar/pauses.ts';
import { planResume } from '../../../billing/contract/advance/resume.ts';
import { runs } from '../../support/runs.ts';
import { planOffer } from '../../support-billing/catalogue.ts';
import { changes, changeToPlan } from '../../support-billing/changes.ts';
import { cancelsFor } from '../../support-billing/known-ends.ts';
import { snapshotOf, write } from '../../support-billing/ledger.ts';
import { day, invoicesOf, periodsOf, type Story, signs } from '../../support-billing/story.ts';
import { type Diary, diaries, freeze, snapshots, unfreeze } from './random.ts';

/** Ends parking: the contract does what it missed since then, and so do the contracts that it was changed into. */
function resumes(story: Story, now: Instant): void {
  write(story.ledger, planResume(snapshotOf(story.ledger, story.id(), now), now, story.newId));
  story.advance(iso(now));
}

/** All that is written of a story, without the ids. */
function booksOf(story: Story): unknown {
  const { lines, contracts, agenda, periods } = story.ledger;
  return {
    invoices: invoicesOf(story).sort(),
    lines: [...lines.values()]
      .map(({ kind, source, span, dueDate, subtotal }) => JSON.stringify([kind, source, span, dueDate, subtotal]))
      .sort(),
    contracts: [...contracts.values()].map(({ status, began, ended, start, currentIdx, trialEnd }) => [
      status,
      began,
      ended,
      start,
      currentIdx,
      trialEnd,
    ]),
    agenda: [...agenda.values()].map((rows) => rows.map(({ kind, dueAt }) => `${kind} ${iso(dueAt)}`)),
    periods: periodsOf(story),
    bounds: [...periods.values()].map(({ idx, end, closesAt }) => [idx, end, closesAt]),
  };
}

/**
 * What a sequence of freezes does to a contract that is frozen each time, and to a parked one, which learns of them
 * later from its customer's pauses.
 */
function onTime(story: Story, pauses: readonly Pause[], now: Instant): Story {
  for (const { from, to } of pauses) {
    freeze(story, from);
    if (to !== null) unfreeze(story, to);
  }
  story.advance(iso(now));
  return story;
}

function parked(story: Story, pauses: readonly Pause[], now: Instant): Story {
  story.ledger.pauses = [...story.ledger.pauses, ...pauses];
  resumes(story, now);
  return story;
}

test('parked over a freeze of 10–15 January and three boundaries: resumed on 10 April it has the periods and lines of one that never was', () => {
  const begin = () => signs('2025-01-01', planOffer('p', { price: '100' }), { configuration: { dueDatePolicy: 'end_of_period' } });
  const pauses = [
    { from: Date.UTC(2025, 0, 10), to: Date.UTC(2025, 0, 15) },
    { from: Date.UTC(2025, 2, 1), to: Date.UTC(2025, 2, 4) },
  ];
  const late = parked(begin(), pauses, Date.UTC(2025, 3, 10));
  expect(late.ledger.invoices.map(({ date, dueDate }) => [day(date), day(dueDate)])).toEqual([
    ['2025-01-01', '2025-02-01'],
    ['2025-02-06', '2025-03-06'],
    ['2025-03-09', '2025-04-09'],
    ['2025-04-09', '2025-05-09'],
  ]);
  expect(booksOf(late)).toEqual(booksOf(onTime(begin(), pauses, Date.UTC(2025, 3, 10))));
});

test('a change that fell due before a freeze goes on from there when its contract is resumed after it', () => {
  const begin = () => {
    const story = signs('2025-01-01', planOffer('p', { price: '100', trialDays: 30 }));
    changes(story, '2025-01-02', changeToPlan(planOffer('q', { price: '30' }), { activation: '2025-01-05' }));
    return story;
  };
  const pauses = [{ from: Date.UTC(2025, 0, 10), to: Date.UTC(2025, 0, 15) }];
  const late = parked(begin(), pauses, Date.UTC(2025, 2, 1));
  expect(invoicesOf(late)).toEqual(['2025-02-05 30.00: plan 30.00']);
  expect(booksOf(late)).toEqual(booksOf(onTime(begin(), pauses, Date.UTC(2025, 2, 1))));
});

test('a contract that waits for a change shows where a freeze has moved that, also where its predecessor was parked meanwhile', () => {
  const begin = () => {
    const story = signs('2025-01-01', planOffer('p', { price: '100' }));
    changes(story, '2025-01-02', changeToPlan(planOffer('q', { price: '30' })));
    return story;
  };
  const pauses = [{ from: Date.UTC(2025, 0, 10), to: Date.UTC(2025, 0, 15) }];
  const now = Date.UTC(2025, 0, 20);
  for (const story of [parked(begin(), pauses, now), onTime(begin(), pauses, now)]) {
    const waiting = [...story.ledger.contracts.values()].find(({ isSuccessor }) => isSuccessor);
    expect(day(waiting?.activation ?? 0)).toBe('2025-02-06');
  }
});

test('so does one whose change a cancellation has dropped meanwhile', () => {
  const begin = () => {
    const story = signs('2025-01-01', planOffer('p', { price: '100' }));
    changes(story, '2025-01-02', changeToPlan(planOffer('q', { price: '30' }), { activation: '2025-03-01' }));
    cancelsFor(story, '2025-01-03', '2025-02-20');
    return story;
  };
  const pauses = [{ from: Date.UTC(2025, 0, 10), to: Date.UTC(2025, 0, 15) }];
  const now = Date.UTC(2025, 2, 20);
  for (const story of [parked(begin(), pauses, now), onTime(begin(), pauses, now)]) {
    const dropped = [...story.ledger.contracts.values()].find(({ began, status }) => began === null && status === 'canceled');
    expect([day(dropped?.activation ?? 0), day(dropped?.ended ?? 0)]).toEqual(['2025-03-06', '2025-02-25']);
  }
});

test('whenever a random life is parked and however often its customer is frozen meanwhile, resumed it has the same books as on time', () => {
  const freezes = fc.array(fc.record({ wait: fc.nat(60 * DAY), length: fc.integer({ min: 1, max: 40 * DAY }) }), { maxLength: 4 });
  fc.assert(
    fc.property(diaries({ most: 4 }), freezes, fc.nat(60 * DAY), fc.boolean(), (diary, lengths, rest, staysFrozen) => {
      const quiet: Diary = { ...diary, deeds: diary.deeds.filter(({ type }) => type !== 'use') };
      let at = diary.start;
      const begin = (): Story => snapshots(quiet, (_story, now) => (at = now));
      const stories = [begin(), begin()] as const;
      const pauses = lengths.map(({ wait, length }): Pause => {
        const from = at + wait;
        at = from + length;
        return { from, to: at };
      });
      const last = pauses.at(-1);
      if (staysFrozen && last !== undefined) last.to = null;
      const now = at + rest;
      expect(booksOf(parked(stories[1], pauses, now))).toEqual(booksOf(onTime(stories[0], pauses, now)));
    }),
    runs(),
  );
});
