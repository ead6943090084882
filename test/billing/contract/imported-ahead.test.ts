import { at } from '../../../billing/calendar/instant.ts';
import { planCancellation } from '../../../billing/contract/change/cancel.ts';
import type { ChangeRequest } from '../../../billing/contract/change/change-request.ts';
import { planOffer, price, seats } from '../../support-billing/catalogue.ts';
import { changes, changeToPlan, toUnits } from '../../support-billing/changes.ts';
import { invoicesOf, type SignWords, type Story, signs, standsAt } from '../../support-billing/story.ts';
import { freeze, unfreeze } from './random.ts';

const SUPPORT = ['quarter', price('45')] as const;
const offer = planOffer('pro', {
  price: '100',
  features: { sup: [...SUPPORT], seats: seats('5', '2') },
});
const dearer = (sup = '45') => planOffer('max', { price: '200', features: { sup: ['quarter', price(sup)], seats: seats('5', '2') } });

/** Imported on 10 March; the quarters from 7 January on are billed up to an instant. */
const imports = (billedUntil: string, words: SignWords = {}): Story =>
  signs('2025-03-10', offer, {
    ...words,
    standing: standsAt('2025-01-07', '2025-04-07', { customBilledUntil: at(billedUntil) }),
  });

const rule = (proration: 'difference' | 'none'): SignWords => ({
  changeRules: { upgrade: { when: 'now', proration, collect: 'now', credit: 'wallet' } },
});

/** The lines of the support, as on invoices. */
function supportOf(story: Story, to = '2025-10-08'): string[] {
  story.advance(to);
  return invoicesOf(story).flatMap((text) => {
    const lines = [...text.matchAll(/(?:custom|credit|difference|recurring)[^,]* feature:sup -?[\d.]+/g)];
    return lines.map(([line]) => `${text.slice(0, 10)} ${line}`);
  });
}

const JULY_ON = ['2025-07-07 custom feature:sup 45.00', '2025-10-07 custom feature:sup 45.00'];

describe('quarters that another system has billed ahead', () => {
  const cases: [what: string, billedUntil: string, words: SignWords, requests: [string, ChangeRequest][], lines: string[]][] = [
    ['of an undisturbed contract', '2025-07-07', {}, [], JULY_ON],
    ['after a change of units', '2025-07-07', {}, [['2025-03-12', toUnits({ seats: '3' })]], JULY_ON],
    [
      'after two changes of units',
      '2025-07-07',
      {},
      [
        ['2025-03-12', toUnits({ seats: '3' })],
        ['2025-04-20', toUnits({ seats: '4' })],
      ],
      JULY_ON,
    ],
    [
      'after one that waits for the end of the cycle, where the next of them begins',
      '2025-07-07',
      {},
      [['2025-03-12', toUnits({ seats: '3' }, { activation: 'next_cycle' })]],
      JULY_ON,
    ],
    ['two of them', '2025-10-07', {}, [['2025-03-12', toUnits({ seats: '3' })]], JULY_ON.slice(1)],
    ['after a change to a dearer plan by difference', '2025-07-07', rule('difference'), [['2025-03-12', changeToPlan(dearer())]], JULY_ON],
    ['after one without proration', '2025-07-07', rule('none'), [['2025-03-12', changeToPlan(dearer())]], JULY_ON],
  ];
  it.each(cases)('are not charged again: %s', (_what, billedUntil, words, requests, lines) => {
    const story = imports(billedUntil, words);
    for (const [date, request] of requests) changes(story, date, request);
    expect(supportOf(story)).toEqual(lines);
  });

  it.each([
    ['another price', dearer('90'), ['credit feature:sup -45.00', '04-07 90.00', '07-07 90.00', '10-07 90.00']],
    ['none of it', planOffer('max', { price: '200', features: { seats: seats('5', '2') } }), ['credit feature:sup -45.00']],
    [
      'a price by the month',
      planOffer('max', { price: '200', features: { sup: ['month', price('20')], seats: seats('5', '2') } }),
      ['credit feature:sup -45.00', ...['04', '05', '06', '07', '08', '09', '10'].map((month) => `${month}-07 20.00`)],
    ],
  ] as const)('come back, but for the running one, with a change without proration to a plan with %s', (_what, plan, lines) => {
    const story = imports('2025-07-07', rule('none'));
    changes(story, '2025-03-12', changeToPlan(plan));
    const shown = lines.map((line) =>
      line.startsWith('credit') ? `2025-03-12 ${line}` : `2025-${line.replace(' ', ' custom feature:sup ')}`,
    );
    expect(supportOf(story)).toEqual(shown);
  });

  it('are lost with such a change where the rule gives nothing back', () => {
    const story = imports('2025-07-07', {
      changeRules: { upgrade: { when: 'now', proration: 'none', collect: 'now', credit: 'none' } },
    });
    changes(story, '2025-03-12', changeToPlan(dearer('90')));
    expect(supportOf(story)).toEqual(['04', '07', '10'].map((month) => `2025-${month}-07 custom feature:sup 90.00`));
  });

  it('of a contract whose first cycle here is charged here too', () => {
    const story = signs('2025-03-10', offer, { standing: standsAt('2025-01-07', '2025-03-07', { customBilledUntil: at('2025-07-07') }) });
    changes(story, '2025-03-12', toUnits({ seats: '3' }));
    expect(supportOf(story)).toEqual(JULY_ON);
  });

  it('come back after a freeze before the import as what they are: 36 of 90 days of the running one', () => {
    const story = signs('2025-03-10', offer, {
      standing: standsAt('2025-01-07', '2025-03-17', { customBilledUntil: at('2025-03-11') }),
      pauses: [{ from: at('2025-02-01'), to: at('2025-02-11') }],
    });
    story.does('2025-03-12', (snapshot, now, newId) =>
      planCancellation(snapshot, { when: { type: 'now' }, credit: true, notes: null }, now, newId),
    );
    expect(supportOf(story)).toEqual(['2025-03-12 credit feature:sup -18.00']);
  });

  it('come back with a change to another plan by time, which charges each of its own when it is due', () => {
    const story = imports('2025-07-07');
    changes(story, '2025-03-10', changeToPlan(dearer('90')));
    expect(supportOf(story)).toEqual([
      '2025-03-10 credit feature:sup -14.00',
      '2025-03-10 credit feature:sup -45.00',
      '2025-03-10 custom feature:sup 28.00',
      '2025-04-07 custom feature:sup 90.00',
      '2025-07-07 custom feature:sup 90.00',
      '2025-10-07 custom feature:sup 90.00',
    ]);
  });

  it('wait for a freeze like all others, and come back with a cancellation after it: 7 of 90 days, and all of the next', () => {
    const story = imports('2025-07-07');
    freeze(story, at('2025-03-10'));
    unfreeze(story, at('2025-03-15'));
    changes(story, '2025-03-20', toUnits({ seats: '3' }));
    story.advance('2025-04-05');
    story.does('2025-04-05', (snapshot, now, newId) =>
      planCancellation(snapshot, { when: { type: 'now' }, credit: true, notes: null }, now, newId),
    );
    expect(supportOf(story)).toEqual(['2025-04-05 credit feature:sup -3.50', '2025-04-05 credit feature:sup -45.00']);
  });

  it('come back from the middle of one whose time a freeze has moved: 61 of 91 days', () => {
    const story = imports('2025-07-07');
    freeze(story, at('2025-03-10'));
    unfreeze(story, at('2025-03-15'));
    story.advance('2025-05-12');
    story.does('2025-05-12', (snapshot, now, newId) =>
      planCancellation(snapshot, { when: { type: 'now' }, credit: true, notes: null }, now, newId),
    );
    expect(supportOf(story)).toEqual(['2025-05-12 credit feature:sup -30.16']);
  });

  it('of several prices stay apart: units of one come back and are charged, the other goes on', () => {
    const two = planOffer('two', {
      price: '100',
      features: { sup: [...SUPPORT], desks: ['quarter', seats('9', '1')] },
    });
    const story = signs('2025-03-10', two, {
      standing: standsAt('2025-01-07', '2025-04-07', { customBilledUntil: at('2025-07-07') }),
    });
    changes(story, '2025-03-10', toUnits({ desks: '2' }));
    expect(supportOf(story)).toEqual(JULY_ON);
    const desks = invoicesOf(story).flatMap((text) => [...text.matchAll(/\w+ feature:desks -?[\d.]+/g)].map(([line]) => line));
    expect(desks).toEqual([
      'credit feature:desks -2.80',
      'credit feature:desks -9.00',
      'custom feature:desks 5.60',
      'custom feature:desks 18.00',
      'custom feature:desks 18.00',
      'custom feature:desks 18.00',
    ]);
  });
});
