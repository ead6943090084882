import { at } from '../../../billing/calendar/instant.ts';
import { type CancelRequest, planCancellation, planCancelUndo } from '../../../billing/contract/change/cancel.ts';
import type { ChangeRequest } from '../../../billing/contract/change/change-request.ts';
import type { Price } from '../../../billing/pricing/price.ts';
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

function cancels(story: Story, date: string, when: CancelRequest['when'], credit = false): void {
  story.does(date, (snapshot, now, newId) => planCancellation(snapshot, { when, credit, notes: null }, now, newId));
}

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
    cancels(story, '2025-03-12', { type: 'now' }, true);
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
    cancels(story, '2025-04-05', { type: 'now' }, true);
    expect(supportOf(story)).toEqual(['2025-04-05 credit feature:sup -3.50', '2025-04-05 credit feature:sup -45.00']);
  });

  it('come back from the middle of one whose time a freeze has moved: 61 of 91 days', () => {
    const story = imports('2025-07-07');
    freeze(story, at('2025-03-10'));
    unfreeze(story, at('2025-03-15'));
    story.advance('2025-05-12');
    cancels(story, '2025-05-12', { type: 'now' }, true);
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

describe('a quarter that was charged here', () => {
  it.each([
    ['none', ['2025-01-07 custom feature:sup 45.00', '2025-04-07 custom feature:sup 45.00', '2025-07-07 custom feature:sup 90.00']],
    [
      'difference',
      [
        '2025-01-07 custom feature:sup 45.00',
        '2025-04-07 custom feature:sup 45.00',
        '2025-04-07 custom feature:sup 45.00',
        '2025-07-07 custom feature:sup 90.00',
      ],
    ],
  ] as const)('goes on where the change comes at its first instant, by %s', (proration, lines) => {
    const story = signs('2025-01-07', offer, rule(proration));
    story.advance('2025-04-07');
    changes(story, '2025-04-07', changeToPlan(dearer('90')));
    expect(supportOf(story, '2025-07-08')).toEqual(lines);
  });

  it('goes on to its end where that was taken back, though a change by none follows', () => {
    const given = { proration: 'none', when: 'now', collect: 'now', credit: 'wallet' } as const;
    const story = signs('2025-01-07', offer, { changeRules: { upgrade: given, downgrade: { ...given, proration: 'time' } } });
    cancels(story, '2025-01-20', { type: 'date', date: at('2025-03-01') });
    const cheaper = planOffer('less', { price: '90', features: { sup: ['quarter', price('40')], seats: seats('5', '2') } });
    changes(story, '2025-02-01', changeToPlan(cheaper, { activation: 'immediate', downgradeAllowed: true }));
    story.does('2025-02-05', planCancelUndo);
    const same = planOffer('more', { price: '150', features: { sup: ['quarter', price('40')], seats: seats('5', '2') } });
    changes(story, '2025-02-10', changeToPlan(same));
    const lines = supportOf(story, '2025-04-08');
    expect(lines.filter((line) => line.includes('credit') && line.startsWith('2025-02-10'))).toEqual([]);
    expect(lines.at(-1)).toBe('2025-04-07 custom feature:sup 40.00');
  });
});

describe('with an end that is known, what is billed ahead', () => {
  it('comes back once where a change by difference puts the end off', () => {
    const given = { when: 'now', collect: 'now', credit: 'wallet' } as const;
    const rules = { upgrade: { ...given, proration: 'difference' }, downgrade: { ...given, proration: 'time' } } as const;
    const story = imports('2025-07-07', { changeRules: rules });
    cancels(story, '2025-03-11', { type: 'end_of_cycle' });
    const cheaper = planOffer('less', { price: '90', features: { sup: ['quarter', price('40')], seats: seats('5', '2') } });
    changes(story, '2025-03-12', changeToPlan(cheaper, { activation: 'immediate', downgradeAllowed: true }));
    const yearly = planOffer('year', { price: '5000', cycle: 'year', features: { sup: ['quarter', price('45')], seats: seats('5', '2') } });
    changes(story, '2025-03-20', changeToPlan(yearly));
    expect(supportOf(story, '2025-04-01').filter((line) => line.endsWith(' -45.00'))).toEqual(['2025-03-20 credit feature:sup -45.00']);
  });

  it.each(['time', 'none'] as const)('comes back whole where the new contract charges it whole, by %s', (proration) => {
    const given = { when: 'now', collect: 'now', credit: 'wallet', proration } as const;
    const story = imports('2025-07-07', { changeRules: { upgrade: given } });
    cancels(story, '2025-03-11', { type: 'date', date: at('2025-05-07') });
    changes(story, '2025-03-12', changeToPlan(dearer('90')));
    const lines = supportOf(story, '2025-05-08');
    expect(lines).toContain('2025-03-12 credit feature:sup -45.00');
    expect(lines).toContain('2025-04-07 custom feature:sup 90.00');
  });
});

describe('with an end within what is billed ahead, it comes back as far as the new contract charges', () => {
  const given = { when: 'now', collect: 'now', credit: 'wallet' } as const;
  const to = (sup: Price, trigger: 'month' | 'quarter' = 'quarter', words: Parameters<typeof planOffer>[1] = {}) =>
    planOffer('max', { price: '200', features: { sup: [trigger, sup], seats: seats('5', '2') }, ...words });
  const byDate = (date: string) => ({ type: 'date' as const, date: at(date) });

  it('all of it where the end was put off to within it after the change', () => {
    const story = imports('2025-07-07');
    cancels(story, '2025-03-11', { type: 'end_of_cycle' });
    changes(story, '2025-03-12', changeToPlan(to(price('90'))));
    cancels(story, '2025-03-20', byDate('2025-05-07'));
    const lines = supportOf(story, '2025-05-08');
    expect(lines).toContain('2025-03-20 credit feature:sup -45.00');
    expect(lines).toContain('2025-04-07 custom feature:sup 90.00');
  });

  it('3 of 91 days where the change begins it and charges it up to the end', () => {
    const story = imports('2025-07-07');
    cancels(story, '2025-03-11', byDate('2025-04-10'));
    changes(story, '2025-03-12', changeToPlan(to(price('90')), { activation: 'next_cycle' }));
    expect(supportOf(story, '2025-04-11')).toEqual(['2025-04-07 credit feature:sup -1.48', '2025-04-07 custom feature:sup 2.97']);
  });

  it.each([
    ['by the month', to(price('15'), 'month')],
    ['of another cycle', to(price('45'), 'quarter', { cycle: 'quarter', price: '600' })],
  ])('up to the end where the new price is one %s', (_what, plan) => {
    const story = imports('2025-07-07', { changeRules: { upgrade: { ...given, proration: 'time' } } });
    cancels(story, '2025-03-11', byDate('2025-05-07'));
    changes(story, '2025-03-12', changeToPlan(plan));
    expect(supportOf(story, '2025-05-08')).toContain('2025-03-12 credit feature:sup -14.84');
  });
});

test('a freeze between the billed cycle and a late import moves what is billed elsewhere: 19 of 90 days come back', () => {
  const story = signs('2025-03-10', offer, {
    standing: standsAt('2025-01-07', '2025-03-07', { customBilledUntil: at('2025-03-11') }),
    pauses: [{ from: at('2025-03-08'), to: at('2025-03-09') }],
  });
  cancels(story, '2025-03-20', { type: 'now' }, true);
  expect(supportOf(story, '2025-03-21')).toEqual(['2025-03-20 credit feature:sup -9.50']);
});

test('after a freeze they end where the contract charges on: 1 of 31 days of the second month and the whole third come back', () => {
  const yearly = planOffer('pro', { price: '0', cycle: 'year', features: { sup: ['month', price('93')] } });
  const story = signs('2026-01-31', yearly, {
    standing: standsAt('2026-01-28', '2027-01-28', { customBilledUntil: at('2026-04-28') }),
  });
  freeze(story, at('2026-01-31'));
  unfreeze(story, at('2026-02-03'));
  cancels(story, '2026-04-02', { type: 'now' }, true);
  expect(supportOf(story, '2026-06-01')).toEqual(['2026-04-02 credit feature:sup -3.00', '2026-04-02 credit feature:sup -93.00']);
});
