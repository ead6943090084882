import { at, iso } from '../../../billing/calendar/instant.ts';
import { type CancelRequest, planCancellation, planCancelUndo } from '../../../billing/contract/change/cancel.ts';
import { planOffer, price, usagePrice } from '../../support-billing/catalogue.ts';
import { changes, changeToPlan } from '../../support-billing/changes.ts';
import { type Story, signs } from '../../support-billing/story.ts';

/** `instant kind subject detail` of what is due for a contract, in order. */
function agenda(story: Story, id = story.id()): string[] {
  return (story.ledger.agenda.get(id) ?? []).map(
    ({ contractId, kind, subject, dueAt, detail }) =>
      `${iso(dueAt).slice(0, 16)} ${kind} ${subject === contractId ? 'own' : subject} ${JSON.stringify(detail)}`,
  );
}

function cancels(story: Story, date: string, when: CancelRequest['when'], credit = false): void {
  story.does(date, (snapshot, now, newId) => planCancellation(snapshot, { when, credit, notes: null }, now, newId));
}

const monthly = (amount: string) => planOffer(`p${amount}`, { price: amount });

test('signed on 31 January by the month: the boundary of cycle 1, period 2, on 28 February', () => {
  expect(agenda(signs('2025-01-31', monthly('100')))).toEqual(['2025-02-28T00:00 boundary 1 {"idx":2}']);
});

test('scheduled for 10 January: its activation; in a trial: the reminder of its end, and its end; pending: nothing', () => {
  expect(agenda(signs('2025-01-01', monthly('100'), { activation: '2025-01-10' }))).toEqual(['2025-01-10T00:00 activation own {}']);
  expect(agenda(signs('2025-01-01', monthly('100'), { trialDays: 5 }))).toEqual([
    '2025-01-03T00:00 trial_ending own {}',
    '2025-01-06T00:00 trial_end own {}',
  ]);
  expect(agenda(signs('2025-01-01', monthly('100'), { isPending: true }))).toEqual([]);
});

test('a yearly charge by the month has a row of its own, a monthly one goes with the boundary', () => {
  const offer = planOffer('p', { price: '10', features: { support: ['year', price('365')], review: ['month', price('3')] } });
  expect(agenda(signs('2025-01-01', offer))).toEqual([
    '2025-02-01T00:00 boundary 1 {"idx":2}',
    '2026-01-01T00:00 custom_charge year:1 {"trigger":"year","occurrence":1}',
  ]);
});

test('usage that closes a day after its period: a row for the running period and for the one that waits', () => {
  const story = signs('2025-01-01', planOffer('api', { price: '1', features: { calls: usagePrice('1') } }), {
    configuration: { usagePeriodClosingPolicy: '1 day' },
  });
  story.advance('2025-02-01');
  expect(agenda(story)).toEqual([
    `2025-02-02T00:00 usage_closing 1 {"idx":1,"from":${at('2025-01-01')},"until":${at('2025-02-01')}}`,
    '2025-03-01T00:00 boundary 2 {"idx":3}',
    `2025-03-02T00:00 usage_closing 2 {"idx":2,"from":${at('2025-02-01')},"until":${at('2025-03-01')}}`,
  ]);
});

test.each<[string, CancelRequest['when'], boolean, string[]]>([
  ['at the end of the cycle', { type: 'end_of_cycle' }, true, ['2025-02-01T00:00 cancellation own {"credit":true}']],
  [
    'on 10 February',
    { type: 'date', date: at('2025-02-10') },
    false,
    ['2025-02-01T00:00 boundary 1 {"idx":2}', '2025-02-10T00:00 cancellation own {"credit":false}'],
  ],
])('canceled %s: what its end comes before has no row', (_, when, credit, expected) => {
  const story = signs('2025-01-01', monthly('100'));
  cancels(story, '2025-01-05', when, credit);
  expect(agenda(story)).toEqual(expected);
});

test('an expiration on 15 January stands alone, one on 15 February behind the boundary', () => {
  expect(agenda(signs('2025-01-01', monthly('1'), { expiration: '2025-01-15' }))).toEqual(['2025-01-15T00:00 expiration own {}']);
  expect(agenda(signs('2025-01-01', monthly('1'), { expiration: '2025-02-15' }))).toEqual([
    '2025-02-01T00:00 boundary 1 {"idx":2}',
    '2025-02-15T00:00 expiration own {}',
  ]);
});

test('a change that waits has the row, its scheduled contract none; both ends of a contract stay in the agenda', () => {
  const story = signs('2025-01-01', monthly('100'), { expiration: '2025-06-01' });
  const { newContractId } = changes(story, '2025-01-05', changeToPlan(monthly('40')));
  expect(agenda(story)).toEqual([
    `2025-02-01T00:00 scheduled_change ${newContractId} {"successorId":"${newContractId}","change":"new_plan"}`,
    '2025-06-01T00:00 expiration own {}',
  ]);
  expect(agenda(story, newContractId)).toEqual([]);
});

test('a once contract has no boundary; an ended one nothing but usage to close', () => {
  expect(agenda(signs('2025-01-01', planOffer('o', { price: '1', cycle: 'once' })))).toEqual([]);
  const story = signs('2025-01-01', planOffer('api', { price: '1', features: { calls: usagePrice('1') } }), {
    configuration: { usagePeriodClosingPolicy: '1 hour' },
  });
  cancels(story, '2025-01-20', { type: 'now' });
  expect(agenda(story)).toEqual([`2025-01-20T01:00 usage_closing 1 {"idx":1,"from":${at('2025-01-01')},"until":${at('2025-01-20')}}`]);
});

test('a change that waits behind the contract’s end has no row and no reminder, and has them back when the end is taken back', () => {
  const story = signs('2025-01-01', monthly('100'));
  const { newContractId } = changes(story, '2025-01-03', changeToPlan(monthly('60')));
  const change = `2025-02-01T00:00 scheduled_change ${newContractId} {"successorId":"${newContractId}","change":"new_plan"}`;
  expect(agenda(story)).toEqual([change]);
  cancels(story, '2025-01-05', { type: 'end_of_cycle' });
  expect(agenda(story)).toEqual(['2025-02-01T00:00 cancellation own {"credit":false}']);
  expect(story.ledger.agenda.get(story.id())?.map(({ remindAt }) => remindAt)).toEqual([null]);
  story.does('2025-01-06', planCancelUndo);
  expect(agenda(story)).toEqual([change]);
});

test('a cancellation behind a change that waits has its row, one behind an expiration has none', () => {
  const story = signs('2025-01-01', monthly('100'));
  changes(story, '2025-01-03', changeToPlan(monthly('60')));
  cancels(story, '2025-01-05', { type: 'date', date: at('2025-02-10') });
  expect(agenda(story).map((row) => row.split(' ').slice(0, 2).join(' '))).toEqual([
    '2025-02-01T00:00 scheduled_change',
    '2025-02-10T00:00 cancellation',
  ]);
  const expires = signs('2025-01-01', monthly('100'), { expiration: '2025-01-15' });
  cancels(expires, '2025-01-05', { type: 'date', date: at('2025-02-10') });
  expect(agenda(expires)).toEqual(['2025-01-15T00:00 expiration own {}']);
});

test('an expiration behind a cancellation has no row, and has it back when the cancellation is taken back', () => {
  const story = signs('2025-01-01', monthly('100'), { expiration: '2025-01-15' });
  cancels(story, '2025-01-05', { type: 'date', date: at('2025-01-10') });
  expect(agenda(story)).toEqual(['2025-01-10T00:00 cancellation own {"credit":false}']);
  story.does('2025-01-06', planCancelUndo);
  expect(agenda(story)).toEqual(['2025-01-15T00:00 expiration own {}']);
});
