import { at, iso } from '../../../billing/calendar/instant.ts';
import { advance } from '../../../billing/contract/advance/advance.ts';
import { planCancellation } from '../../../billing/contract/change/cancel.ts';
import { firstDueBy } from '../../../billing/contract/period/schedule.ts';
import { planOffer, usagePrice } from '../../support-billing/catalogue.ts';
import { changes, changeToPlan } from '../../support-billing/changes.ts';
import { countingIds, snapshotOf } from '../../support-billing/ledger.ts';
import { periodsOf, signs } from '../../support-billing/story.ts';

const monthly = (amount: string) => planOffer(`p${amount}`, { price: amount });
const api = planOffer('api', { price: '1', features: { calls: usagePrice('1') } });

test.each([
  ['late since 1 February', '2025-03-10', '2025-02-01'],
  ['on time', '2025-01-20', '2025-01-20'],
  ['at the boundary itself', '2025-02-01', '2025-02-01'],
])('the first thing due of a monthly contract %s', (_, now, expected) => {
  const contract = signs('2025-01-01', monthly('100')).contract();
  expect(firstDueBy(contract, [], [], at(now))).toBe(at(expected));
});

test('nothing is due of a pending contract', () => {
  const contract = signs('2025-01-01', monthly('100'), { isPending: true }).contract();
  expect(firstDueBy(contract, [], [], at('2025-03-10'))).toBe(at('2025-03-10'));
});

test('usage that closes behind the end of its contract stays on the agenda', () => {
  const story = signs('2025-01-01', api, { expiration: '2025-01-15' });
  expect((story.ledger.agenda.get(story.id()) ?? []).map(({ kind, dueAt }) => `${iso(dueAt).slice(0, 10)} ${kind}`)).toEqual([
    '2025-01-15 expiration',
    '2025-02-01 usage_closing',
  ]);
});

test('a period that waits to be closed by hand is not ended again with the contract', () => {
  const story = signs('2025-01-01', api, { configuration: { usagePeriodClosingPolicy: 'manual' } });
  story.advance('2025-02-10');
  story.does('2025-02-10', (snapshot, now, newId) =>
    planCancellation(snapshot, { when: { type: 'now' }, credit: false, notes: null }, now, newId),
  );
  expect(periodsOf(story)).toEqual(['1: 2025-01-01 – 2025-02-01 closing', '2: 2025-02-01 – 2025-02-10 closing']);
});

test('a change that falls due without its scheduled contract is an error of ours that names the contract', () => {
  const story = signs('2025-01-01', monthly('100'));
  changes(story, '2025-01-10', changeToPlan(monthly('40')));
  const snapshot = snapshotOf(story.ledger, story.id(), at('2025-02-01'));
  const missing = `the successor of ${story.id()} is missing from its snapshot`;
  expect(() => advance({ ...snapshot, successor: null }, at('2025-02-01'), countingIds())).toThrow(missing);
  const other = snapshot.successor && { ...snapshot.successor, id: 'Cont_other' };
  expect(() => advance({ ...snapshot, successor: other }, at('2025-02-01'), countingIds())).toThrow(missing);
});
