import { at } from '../../../billing/calendar/instant.ts';
import { planCancellation, planCancelUndo } from '../../../billing/contract/change/cancel.ts';
import type { ChargedLine } from '../../../billing/invoice/types.ts';
import { planOffer, price, seats } from '../../support-billing/catalogue.ts';
import { changes, changeToPlan, toUnits } from '../../support-billing/changes.ts';
import { snapshotOf } from '../../support-billing/ledger.ts';
import { invoicesOf, type Story, signs } from '../../support-billing/story.ts';

// After a change that was charged to a known end of the contract, that end is taken back or put off.

const priced = (amount: string, cycle: 'month' | 'year' = 'month') => planOffer(`${cycle}${amount}`, { price: amount, cycle });
const since = (story: Story, count: number): string[] => invoicesOf(story).slice(count);
const cancels = (story: Story, date: string, end: string): void =>
  void story.does(date, (snapshot, now, newId) =>
    planCancellation(snapshot, { when: { type: 'date', date: at(end) }, credit: false, notes: null }, now, newId),
  );
const undoes = (story: Story, date: string): void => void story.does(date, planCancelUndo);
const lastLines = ({ ledger }: Story, kind: ChargedLine['kind']): ChargedLine[] =>
  [...ledger.lines.values()].filter((line) => line.kind === kind && line.chargeKey.startsWith('rest:'));

function changed(changedOn = '2025-06-11'): Story {
  const story = signs('2025-06-01', priced('30'));
  cancels(story, '2025-06-01', '2025-06-21');
  changes(story, changedOn, changeToPlan(priced('300')));
  return story;
}

test('asked for again for the same day: no line, no invoice', () => {
  const story = changed();
  cancels(story, '2025-06-12', '2025-06-21');
  expect(since(story, 2)).toEqual([]);
  expect(lastLines(story, 'recurring')).toEqual([]);
});

test('taken back at the instant of the change, or changed at the instant it began: ten days of 300', () => {
  const atOnce = changed();
  undoes(atOnce, '2025-06-11');
  expect(since(atOnce, 2)).toEqual(['2025-06-11 90.00: credit plan -10.00, plan 100.00']);
  const first = changed('2025-06-01');
  undoes(first, '2025-06-01');
  expect(since(first, 1)).toEqual([
    '2025-06-01 180.00: credit plan -20.00, plan 200.00',
    '2025-06-01 90.00: credit plan -10.00, plan 100.00',
  ]);
});

test('in a trial, and before a contract begins, nothing has been charged that could go on', () => {
  const trial = signs('2025-06-01', planOffer('t', { price: '30', trialDays: 10 }));
  const ahead = signs('2025-06-01', priced('30'), { activation: '2025-07-01' });
  for (const story of [trial, ahead]) {
    cancels(story, '2025-06-02', '2025-08-01');
    undoes(story, '2025-06-03');
    expect(invoicesOf(story)).toEqual([]);
    story.advance('2025-08-15');
    expect(story.contract().status).toBe('active');
  }
});

test('seats changed, the plan left alone: only the seats are charged on', () => {
  const story = signs('2025-06-01', planOffer('team', { price: '60', features: { seats: seats('30', '1') } }));
  cancels(story, '2025-06-02', '2025-06-21');
  changes(story, '2025-06-11', toUnits({ seats: '3' }));
  undoes(story, '2025-06-12');
  expect(since(story, 1)).toEqual([
    '2025-06-11 20.00: credit feature:seats -10.00, feature:seats 30.00',
    '2025-06-12 20.00: credit feature:seats -10.00, feature:seats 30.00',
  ]);
});

test('a line says that it ends with the contract only where it does', () => {
  const story = changed();
  cancels(story, '2025-06-12', '2025-06-26');
  undoes(story, '2025-06-13');
  expect(lastLines(story, 'recurring').map(({ span, derivation }) => [span, derivation.cut])).toEqual([
    [{ start: at('2025-06-21'), end: at('2025-06-26') }, true],
    [{ start: at('2025-06-26'), end: at('2025-07-01') }, undefined],
  ]);
});

test('a monthly line of a yearly plan in its second month: 6 of 28 days at 28.00 and 56.00, then the 10 to 11 March', () => {
  const yearly = (amount: string, review: string) =>
    planOffer(`y${amount}`, { price: amount, cycle: 'year', features: { review: ['month', price(review)] } });
  const story = signs('2025-01-11', yearly('0', '28'));
  cancels(story, '2025-02-12', '2025-03-05');
  changes(story, '2025-02-27', changeToPlan(yearly('1', '56'), { downgradeAllowed: true }));
  undoes(story, '2025-02-28');
  expect(
    [...story.ledger.lines.values()].filter(({ source }) => source === 'feature:review').map((line) => line.totalIncludingTax),
  ).toEqual(['28.00', '28.00', '-6.00', '12.00', '-6.00', '12.00']);
  const [rest] = lastLines(story, 'custom');
  expect(rest).toMatchObject({ span: { start: at('2025-03-05'), end: at('2025-03-11') }, schedulingPolicy: 'immediate', periodIdx: 1 });
});

test('a yearly line charged on in the second month after the change is a line of that month', () => {
  const supported = (amount: string) => planOffer(`s${amount}`, { price: '0', features: { support: ['year', price(amount)] } });
  const story = signs('2025-01-01', supported('365'));
  cancels(story, '2025-03-01', '2025-05-11');
  changes(story, '2025-04-01', changeToPlan(supported('730')));
  undoes(story, '2025-05-02');
  const [rest] = lastLines(story, 'custom');
  expect(rest).toMatchObject({ totalIncludingTax: '470.00', periodIdx: 2 });
});

describe('in whatever order lines are read', () => {
  const backwards = (story: Story, date: string): void => {
    const snapshot = snapshotOf(story.ledger, story.id(), at(date));
    const { effects } = planCancelUndo({ ...snapshot, running: snapshot.running.toReversed() }, at(date), story.newId);
    expect(effects.invoices.map(({ total }) => total)).toEqual(effects.lines.length === 0 ? [] : ['90.00']);
    expect(effects.lines.filter(({ kind }) => kind === 'recurring').map(({ subtotal }) => subtotal)).toEqual(['100.00']);
  };

  test('the last line of a chain goes on', () => {
    backwards(changed(), '2025-06-12');
  });

  test('a line of which the part up to the end was given back is none that goes on', () => {
    backwards(changed('2025-06-01'), '2025-06-12');
  });

  test('of two lines from one instant that both end with the contract, the one of which nothing was given back goes on', () => {
    const story = changed();
    cancels(story, '2025-06-11', '2025-06-16');
    changes(story, '2025-06-11', changeToPlan(priced('600')));
    const snapshot = snapshotOf(story.ledger, story.id(), at('2025-06-12'));
    for (const running of [snapshot.running, snapshot.running.toReversed()]) {
      const { effects } = planCancelUndo({ ...snapshot, running }, at('2025-06-12'), story.newId);
      // 16 June to 1 July at 600, for 5 days at 300 and 10 at 30
      expect(effects.invoices.map(({ total }) => total)).toEqual(['240.00']);
    }
  });

  test('of two lines from one instant the one that ends with the contract goes on, where the first cost nothing', () => {
    const story = signs('2025-06-01', priced('0'));
    cancels(story, '2025-06-01', '2025-06-21');
    changes(story, '2025-06-01', changeToPlan(priced('300')));
    const snapshot = snapshotOf(story.ledger, story.id(), at('2025-06-12'));
    for (const running of [snapshot.running, snapshot.running.toReversed()]) {
      const { effects } = planCancelUndo({ ...snapshot, running }, at('2025-06-12'), story.newId);
      expect(effects.invoices.map(({ total }) => total)).toEqual(['100.00']);
    }
  });
});
