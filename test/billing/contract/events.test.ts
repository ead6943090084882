import { at, iso } from '../../../billing/calendar/instant.ts';
import { planActivation } from '../../../billing/contract/advance/activate.ts';
import { type CancelRequest, planCancellation, planCancelUndo, planChangeUndo } from '../../../billing/contract/change/cancel.ts';
import { planOffer, usagePrice } from '../../support-billing/catalogue.ts';
import { changes, changeToPlan, toUnits } from '../../support-billing/changes.ts';
import { type Story, signs } from '../../support-billing/story.ts';

const monthly = (amount: string) => planOffer(`p${amount}`, { price: amount });

/** `day type object data` of everything reported after the first events. */
function shown(story: Story, after = 0): string[] {
  return story.ledger.events
    .slice(after)
    .map(({ type, objectId, at: when, data }) => `${iso(when).slice(0, 10)} ${type} ${objectId} ${JSON.stringify(data)}`);
}

function cancels(story: Story, date: string, when: CancelRequest['when'], credit = false): void {
  story.does(date, (snapshot, now, newId) => planCancellation(snapshot, { when, credit, notes: 'moved away' }, now, newId));
}

test('signed for 10 January: scheduled when signed, completed on the day', () => {
  const story = signs('2025-01-01', monthly('100'), { activation: '2025-01-10' });
  story.advance('2025-01-10');
  expect(shown(story)).toEqual([
    `2025-01-01 v1.contract.signature.scheduled ${story.id()} {"activation":${at('2025-01-10')}}`,
    `2025-01-10 v1.contract.signature.completed ${story.id()} {}`,
  ]);
});

test('pending, activated on 5 January for 8 January: scheduled then, completed on the 8th; activated at once: completed only', () => {
  const story = signs('2025-01-01', monthly('100'), { isPending: true });
  story.does('2025-01-05', (snapshot, now, newId) => planActivation(snapshot, at('2025-01-08'), now, newId));
  story.advance('2025-01-08');
  expect(shown(story)).toEqual([
    `2025-01-05 v1.contract.signature.scheduled ${story.id()} {"activation":${at('2025-01-08')}}`,
    `2025-01-08 v1.contract.signature.completed ${story.id()} {}`,
  ]);
  const now = signs('2025-01-01', monthly('100'), { isPending: true });
  now.does('2025-01-05', (snapshot, instant, newId) => planActivation(snapshot, null, instant, newId));
  expect(shown(now)).toEqual([`2025-01-05 v1.contract.signature.completed ${now.id()} {}`]);
});

test('a change now is completed at once; one that waits is scheduled, then undone, or completed at its boundary', () => {
  const story = signs('2025-01-01', monthly('100'));
  const first = story.id();
  changes(story, '2025-01-05', changeToPlan(monthly('300')));
  const second = story.id();
  const { newContractId: third } = changes(story, '2025-01-06', changeToPlan(monthly('200')));
  story.does('2025-01-07', planChangeUndo);
  const { newContractId: fourth } = changes(story, '2025-01-08', changeToPlan(monthly('200')));
  story.advance('2025-02-01');
  expect(shown(story, 1)).toEqual([
    `2025-01-05 v1.contract.change.completed ${first} {"successorId":"${second}"}`,
    `2025-01-06 v1.contract.change.scheduled ${second} {"successorId":"${third}","at":${at('2025-02-01')}}`,
    `2025-01-07 v1.contract.change.undone ${second} {"successorId":"${third}"}`,
    `2025-01-08 v1.contract.change.scheduled ${second} {"successorId":"${fourth}","at":${at('2025-02-01')}}`,
    `2025-02-01 v1.contract.change.completed ${second} {"successorId":"${fourth}"}`,
  ]);
});

test('a change of a scheduled contract is completed at once, no period had begun', () => {
  const story = signs('2025-01-01', monthly('100'), { activation: '2025-02-01' });
  const first = story.id();
  changes(story, '2025-01-05', changeToPlan(monthly('300')));
  expect(shown(story, 1)).toEqual([`2025-01-05 v1.contract.change.completed ${first} {"successorId":"${story.id()}"}`]);
});

test('a cancellation that waits is scheduled, undone, scheduled again and completed', () => {
  const story = signs('2025-01-01', monthly('100'));
  cancels(story, '2025-01-05', { type: 'end_of_cycle' });
  story.does('2025-01-06', planCancelUndo);
  cancels(story, '2025-01-07', { type: 'date', date: at('2025-01-20') }, true);
  expect(story.contract().cancellation).toEqual({
    when: { type: 'date', at: at('2025-01-20'), setAt: at('2025-01-07') },
    credit: true,
    requestedAt: at('2025-01-07'),
    notes: 'moved away',
  });
  story.advance('2025-01-20');
  expect(shown(story, 1)).toEqual([
    `2025-01-05 v1.contract.cancellation.scheduled ${story.id()} {"credit":false}`,
    `2025-01-06 v1.contract.cancellation.undone ${story.id()} {}`,
    `2025-01-07 v1.contract.cancellation.scheduled ${story.id()} {"credit":true}`,
    `2025-01-20 v1.contract.cancellation.completed ${story.id()} {"reason":"canceled"}`,
  ]);
});

test('a cancellation now, and one on the day it is asked for, are completed at once and remembered with their notes', () => {
  for (const when of [{ type: 'now' }, { type: 'date', date: at('2025-01-20') }] as const) {
    const story = signs('2025-01-01', monthly('100'));
    cancels(story, '2025-01-20', when);
    expect(shown(story, 1)).toEqual([`2025-01-20 v1.contract.cancellation.completed ${story.id()} {"reason":"canceled"}`]);
    expect(story.contract().cancellation).toEqual({
      when: { type: 'date', at: at('2025-01-20'), setAt: at('2025-01-20') },
      credit: false,
      requestedAt: at('2025-01-20'),
      notes: 'moved away',
    });
  }
});

test('a contract that expires says so; usage periods that close say their index', () => {
  const story = signs('2025-01-01', planOffer('api', { price: '1', features: { calls: usagePrice('1') } }), { expiration: '2025-02-15' });
  story.advance('2025-03-01');
  expect(shown(story, 1)).toEqual([
    `2025-02-01 v1.usage_period.closed ${story.id()} {"idx":1}`,
    `2025-02-01 v1.contract.renewed ${story.id()} {"idx":2,"start":${at('2025-02-01')},"end":${at('2025-03-01')}}`,
    `2025-02-15 v1.contract.cancellation.completed ${story.id()} {"reason":"expired"}`,
    `2025-02-15 v1.usage_period.closed ${story.id()} {"idx":2}`,
  ]);
});

test('a change of units that keeps a waiting change of plan tells of itself alone', () => {
  const team = (amount: string) => planOffer(`t${amount}`, { price: amount, features: { calls: usagePrice('1') } });
  const story = signs('2025-01-01', team('100'));
  changes(story, '2025-01-05', changeToPlan(team('40')));
  const count = story.ledger.events.length;
  expect(() => changes(story, '2025-01-06', toUnits({ calls: '3' }))).toThrow('units');
  expect(story.ledger.events).toHaveLength(count);
});
