import { at, iso } from '../../../billing/calendar/instant.ts';
import { planCancellation, planCancelUndo } from '../../../billing/contract/change/cancel.ts';
import type { ChangeRule, GivenChangeRules, Proration } from '../../../billing/contract/terms/change-rules.ts';
import { planOffer, price, seats, usagePrice } from '../../support-billing/catalogue.ts';
import { changes, changeToPlan, estimates, toUnits } from '../../support-billing/changes.ts';
import { invoicesOf, periodsOf, type SignWords, type Story, signs, waitingOf } from '../../support-billing/story.ts';

const NOW: ChangeRule = { when: 'now', proration: 'time', collect: 'now', credit: 'wallet' };
const all = (rule: Partial<ChangeRule>): GivenChangeRules => {
  const one = { ...NOW, ...rule };
  return { upgrade: one, downgrade: one, units_up: one, units_down: one };
};
const monthly = (amount: string, name = 'p') => planOffer(`${name}${amount}`, { price: amount });
const signed = (amount: string, rule: Partial<ChangeRule>, words: SignWords = {}): Story =>
  signs('2025-06-01', monthly(amount), { changeRules: all(rule), ...words });
const invoiced = (story: Story): string[] => invoicesOf(story).slice(1);

describe('30 → 60 a month on 16 June, and 60 → 30', () => {
  it.each<[Proration, string, string, string[]]>([
    ['time', '30', '60', ['2025-06-16 15.00: credit plan -15.00, plan 30.00', '2025-07-01 60.00: plan 60.00']],
    ['time', '60', '30', ['2025-06-16 0.00: credit plan -30.00, plan 15.00, wallet 15.00', '2025-07-01 30.00: plan 30.00']],
    ['difference', '30', '60', ['2025-06-16 30.00: plan 30.00', '2025-07-01 60.00: plan 60.00']],
    ['difference', '60', '30', ['2025-07-01 30.00: plan 30.00']],
    ['full', '30', '60', ['2025-06-16 60.00: plan 60.00', '2025-07-16 60.00: plan 60.00']],
    ['full', '60', '30', ['2025-06-16 30.00: plan 30.00', '2025-07-16 30.00: plan 30.00']],
    ['none', '30', '60', ['2025-07-01 60.00: plan 60.00']],
    ['none', '60', '30', ['2025-07-01 30.00: plan 30.00']],
  ])('%s, %s to %s: %s', (proration, from, to, expected) => {
    const story = signed(from, { proration });
    const plan = changes(story, '2025-06-16', changeToPlan(monthly(to)));
    expect(plan.rule).toMatchObject({ proration, from: 'contract', direction: Number(to) > Number(from) ? 'upgrade' : 'downgrade' });
    story.advance('2025-07-20');
    expect(invoiced(story)).toEqual(expected);
  });
});

it('full, before a known end: the setup fee is due with the whole cycle that is charged, at its end', () => {
  const words: SignWords = { expiration: '2025-06-21', configuration: { dueDatePolicy: 'end_of_period' } };
  const story = signed('30', { proration: 'full' }, words);
  const dear = planOffer('dear', { price: '60', features: { setup: ['first_cycle', price('99')] } });
  const made = changes(story, '2025-06-11', changeToPlan(dear)).outcome.effects.lines.filter(({ kind }) => kind !== 'credit');
  expect(made.map(({ source, dueDate }) => [source, iso(dueDate)])).toEqual([
    ['plan', '2025-07-11T00:00:00.000Z'],
    ['feature:setup', '2025-07-11T00:00:00.000Z'],
  ]);
});

describe('without credit no line gives anything back, then or later', () => {
  it('30 → 60 on 16 June charges 30.00; 60 → 90 a week later gives back of the 60 alone', () => {
    const story = signed('30', { credit: 'none' });
    changes(story, '2025-06-16', changeToPlan(monthly('60')));
    expect(invoiced(story)).toEqual(['2025-06-16 30.00: plan 30.00']);
    story.ledger.contracts.set(story.id(), { ...story.contract(), changeRules: {} });
    changes(story, '2025-06-24', changeToPlan(monthly('90')));
    expect(invoiced(story).at(-1)).toBe('2025-06-24 7.00: credit plan -14.00, plan 21.00');
  });

  it('after full, 16 June, a change by time on 1 July gives back half of the 60 and nothing of the 30', () => {
    const story = signed('30', { proration: 'full' });
    changes(story, '2025-06-16', changeToPlan(monthly('60')));
    story.ledger.contracts.set(story.id(), { ...story.contract(), changeRules: {} });
    changes(story, '2025-07-01', changeToPlan(monthly('90')));
    expect(invoiced(story).at(-1)).toBe('2025-07-01 15.00: credit plan -30.00, plan 45.00');
  });
});

it('after none, 30 → 60 on 16 June, a change by time on 24 June gives back what was really charged: 7.00 of 30.00', () => {
  const story = signed('30', { proration: 'none' });
  changes(story, '2025-06-16', changeToPlan(monthly('60')));
  story.ledger.contracts.set(story.id(), { ...story.contract(), changeRules: {} });
  changes(story, '2025-06-24', changeToPlan(monthly('90')));
  expect(invoiced(story)).toEqual(['2025-06-24 14.00: credit plan -7.00, plan 21.00']);
});

describe('difference compares what the whole cycles cost', () => {
  it('after a discount of 10 %: 54.00 - 27.00', () => {
    const discount = {
      originalDiscountId: null,
      slug: 'd',
      name: 'D',
      type: 'percentage',
      amount: '10',
      currency: null,
      duration: 3,
    } as const;
    const story = signed('30', { proration: 'difference' }, { discount });
    changes(story, '2025-06-16', changeToPlan(monthly('60')));
    expect(invoiced(story)).toEqual(['2025-06-16 27.00: plan 27.00']);
  });

  it('in a free cycle: nothing', () => {
    const story = signed('30', { proration: 'difference' }, { freeCycles: 1 });
    changes(story, '2025-06-16', changeToPlan(monthly('60')));
    story.advance('2025-07-01');
    expect(invoiced(story)).toEqual(['2025-07-01 60.00: plan 60.00']);
  });

  it('up to a known end: not pro-rated by it', () => {
    const story = signed('30', { proration: 'difference' }, { expiration: '2025-06-21' });
    changes(story, '2025-06-11', changeToPlan(monthly('60')));
    expect(invoiced(story)).toEqual(['2025-06-11 30.00: plan 30.00']);
  });

  it('plan 10 → 30, feature 20 → 5: 5.00 on the line that rises', () => {
    const offer = (amount: string, other: string) => planOffer(`p${amount}`, { price: amount, features: { x: price(other) } });
    const story = signs('2025-06-01', offer('10', '20'), { changeRules: all({ proration: 'difference' }) });
    changes(story, '2025-06-16', changeToPlan(offer('30', '5')));
    expect(invoiced(story)).toEqual(['2025-06-16 5.00: plan 5.00']);
  });

  it('10 → 20 and 10 → 30 with one of 25 gone: 5.00, a third and two thirds of it', () => {
    const before = planOffer('a', { price: '10', features: { x: price('10'), y: price('25') } });
    const then = planOffer('b', { price: '20', features: { x: price('30') } });
    const story = signs('2025-06-01', before, { changeRules: all({ proration: 'difference' }) });
    changes(story, '2025-06-16', changeToPlan(then));
    expect(invoiced(story)).toEqual(['2025-06-16 5.00: plan 1.67, feature:x 3.33']);
  });

  it('month → year: 330.00, and a year begins', () => {
    const story = signed('30', { proration: 'difference' });
    changes(story, '2025-06-16', changeToPlan(planOffer('year', { price: '360', cycle: 'year' })));
    story.advance('2026-06-16');
    expect(invoiced(story)).toEqual(['2025-06-16 330.00: plan 330.00', '2026-06-16 360.00: plan 360.00']);
  });

  it('seats 2 → 5 of 10.00: 30.00; back to 2: nothing', () => {
    const offer = planOffer('s', { price: '7', features: { seats: seats('10', '2') } });
    const story = signs('2025-06-01', offer, { changeRules: all({ proration: 'difference' }) });
    changes(story, '2025-06-16', toUnits({ seats: '5' }));
    changes(story, '2025-06-20', toUnits({ seats: '2' }));
    expect(invoiced(story)).toEqual(['2025-06-16 30.00: feature:seats 30.00']);
  });
});

describe('full begins a new billing period', () => {
  it('a seat more on 16 June charges every price of the cycle again', () => {
    const offer = planOffer('s', { price: '7', features: { seats: seats('10', '2') } });
    const story = signs('2025-06-01', offer, { changeRules: all({ proration: 'full' }) });
    changes(story, '2025-06-16', toUnits({ seats: '3' }));
    story.advance('2025-07-16');
    expect(invoiced(story)).toEqual([
      '2025-06-16 37.00: plan 7.00, feature:seats 30.00',
      '2025-07-16 37.00: plan 7.00, feature:seats 30.00',
    ]);
  });

  it('usage is counted from zero: 20 before and 20 after 16 June are two sums', () => {
    const offer = (name: string, amount: string) =>
      planOffer(name, { price: amount, features: { calls: usagePrice('1', { batch: 100 }) } });
    const story = signs('2025-06-01', offer('a', '30'), { changeRules: all({ proration: 'full' }) });
    story.uses('2025-06-10', 'calls', '20');
    changes(story, '2025-06-16', changeToPlan(offer('b', '60')));
    story.uses('2025-06-20', 'calls', '20');
    story.advance('2025-07-16');
    expect(invoiced(story)).toEqual([
      '2025-06-16 100.00: usage feature:calls 100.00',
      '2025-06-16 60.00: plan 60.00',
      '2025-07-16 160.00: usage feature:calls 100.00, plan 60.00',
    ]);
    expect(periodsOf(story).slice(0, 2)).toEqual(['1: 2025-06-01 – 2025-06-16 closed', '1: 2025-06-16 – 2025-07-16 closed']);
  });

  it('the free cycle that runs is used up', () => {
    const story = signed('30', { proration: 'full' }, { freeCycles: 2 });
    changes(story, '2025-06-16', changeToPlan(monthly('60')));
    story.advance('2025-07-16');
    expect(invoiced(story)).toEqual(['2025-06-16 0.00: plan 0.00', '2025-07-16 60.00: plan 60.00']);
  });

  it('a cancellation at the end of the cycle then means the end of the new one', () => {
    const story = signed('30', { proration: 'full' });
    const request = { when: { type: 'end_of_cycle' }, credit: false, notes: null } as const;
    story.does('2025-06-10', (snapshot, now, newId) => planCancellation(snapshot, request, now, newId));
    changes(story, '2025-06-16', changeToPlan(monthly('60')));
    story.advance('2025-08-01');
    expect(invoiced(story)).toEqual(['2025-06-16 60.00: plan 60.00']);
    expect(story.contract()).toMatchObject({ status: 'canceled', ended: at('2025-07-16') });
  });

  it('a pending change of plan waits for the end of the new period', () => {
    const offer = (name: string, amount: string) => planOffer(name, { price: amount, features: { seats: seats('10', '1') } });
    const story = signs('2025-06-01', offer('a', '30'), { changeRules: { units_up: { ...NOW, proration: 'full' } } });
    changes(story, '2025-06-05', changeToPlan(offer('b', '5')));
    changes(story, '2025-06-16', toUnits({ seats: '2' }));
    story.advance('2025-07-16');
    expect(invoiced(story)).toEqual([
      '2025-06-16 50.00: plan 30.00, feature:seats 20.00',
      '2025-07-16 25.00: plan 5.00, feature:seats 20.00',
    ]);
  });

  it('a yearly price that goes on is given back by time and begins again', () => {
    const offer = (name: string, amount: string) => planOffer(name, { price: amount, features: { care: ['year', price('365')] } });
    const story = signs('2025-06-01', offer('a', '30'), { changeRules: all({ proration: 'full' }) });
    changes(story, '2025-06-16', changeToPlan(offer('b', '60')));
    expect(invoiced(story)).toEqual(['2025-06-16 75.00: credit feature:care -350.00, plan 60.00, custom feature:care 365.00']);
  });
});

describe('none', () => {
  it('a seat more now, its price from 1 July; up and down nets to zero', () => {
    const offer = planOffer('s', { price: '7', features: { seats: seats('10', '2') } });
    const story = signs('2025-06-01', offer, { changeRules: all({ proration: 'none' }) });
    changes(story, '2025-06-16', toUnits({ seats: '3' }));
    expect(story.contract().terms.features[0]?.price?.strategy).toMatchObject({ unitCount: '3' });
    changes(story, '2025-06-20', toUnits({ seats: '2' }));
    story.advance('2025-07-01');
    expect(invoiced(story)).toEqual(['2025-07-01 27.00: plan 7.00, feature:seats 20.00']);
  });

  it('to another cycle it is charged by time: that cycle begins at the change', () => {
    const story = signed('30', { proration: 'none' });
    changes(story, '2025-06-16', changeToPlan(planOffer('year', { price: '360', cycle: 'year' })));
    expect(invoiced(story)).toEqual(['2025-06-16 345.00: credit plan -15.00, plan 360.00']);
  });

  it('what is charged once with a plan is due at the change', () => {
    const setup = planOffer('s', { price: '60', features: { setup: ['first_cycle', price('9')] } });
    const story = signed('30', { proration: 'none' });
    changes(story, '2025-06-16', changeToPlan(setup));
    expect(invoiced(story)).toEqual(['2025-06-16 9.00: one_off feature:setup 9.00']);
  });

  it('a cancellation that is taken back later gives nothing back of what goes on', () => {
    const before = planOffer('a', { price: '30', features: { x: price('10') } });
    const story = signs('2025-06-01', before, { changeRules: all({ proration: 'none' }) });
    const request = { when: { type: 'date', date: at('2025-06-25') }, credit: false, notes: null } as const;
    story.does('2025-06-05', (snapshot, now, newId) => planCancellation(snapshot, request, now, newId));
    changes(story, '2025-06-16', changeToPlan(monthly('60')));
    story.does('2025-06-20', planCancelUndo);
    story.advance('2025-07-01');
    expect(invoiced(story)).toEqual(['2025-07-01 60.00: plan 60.00']);
  });
});

describe('collect next_invoice', () => {
  const offer = planOffer('s', { price: '7', features: { seats: seats('30', '1') } });
  const rules = (rule: Partial<ChangeRule> = {}) => ({ changeRules: all({ collect: 'next_invoice', ...rule }) });

  it('twenty changes of seats in a month make one invoice, with the next cycle', () => {
    const story = signs('2025-06-01', offer, rules());
    for (let day = 2; day <= 21; day += 1) changes(story, `2025-06-${String(day).padStart(2, '0')}`, toUnits({ seats: String(day) }));
    expect(invoiced(story)).toEqual([]);
    story.advance('2025-07-01');
    expect(story.ledger.invoices).toHaveLength(2);
    // a seat more each day: 29 + 28 + … + 10 days of 1.00 a day
    expect(story.ledger.invoices[1]).toMatchObject({ date: at('2025-07-01'), dueDate: at('2025-07-01'), total: '1027.00' });
    expect(waitingOf(story)).toEqual([]);
    story.advance('2025-08-01');
    expect(invoiced(story).at(-1)).toBe('2025-08-01 637.00: plan 7.00, feature:seats 630.00');
  });

  it('a seat more and, at the same instant, one less: nothing', () => {
    const story = signs('2025-06-01', offer, rules());
    changes(story, '2025-06-11', toUnits({ seats: '4' }));
    expect(waitingOf(story)).toEqual(['feature:seats -20.00', 'feature:seats 80.00']);
    changes(story, '2025-06-11', toUnits({ seats: '1' }));
    story.advance('2025-07-01');
    expect(invoiced(story)).toEqual(['2025-07-01 37.00: plan 7.00, feature:seats 30.00']);
    changes(story, '2025-07-16', toUnits({ seats: '2' }));
    expect(waitingOf(story).slice(-2)).toEqual(['feature:seats -15.48', 'feature:seats 30.97']);
  });

  it('undone at the same instant, the line of June is as if never given back', () => {
    const story = signs('2025-06-01', offer, rules());
    changes(story, '2025-06-11', toUnits({ seats: '4' }));
    changes(story, '2025-06-11', toUnits({ seats: '1' }));
    story.ledger.contracts.set(story.id(), { ...story.contract(), changeRules: {} });
    changes(story, '2025-06-16', toUnits({ seats: '2' }));
    expect(invoiced(story)).toEqual(['2025-06-16 15.00: credit feature:seats -15.00, feature:seats 30.00']);
  });

  it('the next invoice may be that of another change, or the last one', () => {
    const story = signs('2025-06-01', offer, { changeRules: { units_up: { ...NOW, collect: 'next_invoice' } } });
    changes(story, '2025-06-11', toUnits({ seats: '2' }));
    changes(story, '2025-06-16', changeToPlan(planOffer('t', { price: '100' })));
    expect(invoiced(story)).toHaveLength(1);
    expect(invoiced(story)[0]).toMatch(
      /^2025-06-16 .*: credit feature:seats -20.00, feature:seats 40.00, credit plan -3.50, credit feature:seats -30.00, plan 50.00$/,
    );
    const ended = signs('2025-06-01', offer, { ...rules(), expiration: '2025-06-21' });
    changes(ended, '2025-06-11', toUnits({ seats: '2' }));
    ended.advance('2025-06-21');
    expect(invoiced(ended)).toEqual(['2025-06-21 10.00: credit feature:seats -10.00, feature:seats 20.00']);
  });

  it('a cancellation now takes up what waits', () => {
    const story = signs('2025-06-01', offer, rules());
    changes(story, '2025-06-11', toUnits({ seats: '2' }));
    const request = { when: { type: 'now' }, credit: false, notes: null } as const;
    story.does('2025-06-16', (snapshot, now, newId) => planCancellation(snapshot, request, now, newId));
    expect(invoiced(story)).toEqual(['2025-06-16 20.00: credit feature:seats -20.00, feature:seats 40.00']);
  });

  it('the estimate shows the lines and what has waited before', () => {
    const story = signs('2025-06-01', offer, rules());
    changes(story, '2025-06-11', toUnits({ seats: '2' }));
    const { breakdown, remainsToPay, priceOnNew } = estimates(story, '2025-06-16', toUnits({ seats: '3' }));
    expect(remainsToPay.map(({ invoice }) => invoice.total)).toEqual(['20.00']);
    expect(priceOnNew.map(({ invoice }) => invoice.total)).toEqual(['15.00']);
    expect(breakdown.total).toBe('35.00');
  });
});

describe('when', () => {
  it('next_cycle lets an upgrade wait; an explicit activation beats it', () => {
    const story = signed('30', { when: 'next_cycle' });
    expect(estimates(story, '2025-06-10', changeToPlan(monthly('60'), { activation: 'immediate' })).activation).toBe(at('2025-06-10'));
    const plan = changes(story, '2025-06-16', changeToPlan(monthly('60')));
    expect(plan.activation).toBe(at('2025-07-01'));
    story.advance('2025-07-01');
    expect(invoiced(story)).toEqual(['2025-07-01 60.00: plan 60.00']);
  });

  it('a downgrade asked for at once waits unless it is allowed, or its rule says now', () => {
    const waits = signs('2025-06-01', monthly('60'));
    const asked = (words: object) => changeToPlan(monthly('30'), { activation: 'immediate', ...words });
    expect(estimates(waits, '2025-06-16', asked({})).activation).toBe(at('2025-07-01'));
    expect(estimates(waits, '2025-06-16', asked({ downgradeAllowed: true })).activation).toBe(at('2025-06-16'));
    expect(estimates(signed('60', {}), '2025-06-16', asked({})).activation).toBe(at('2025-06-16'));
    expect(estimates(signed('60', {}), '2025-06-16', changeToPlan(monthly('30'))).activation).toBe(at('2025-06-16'));
  });

  it('in a trial a change is at once whatever the rule', () => {
    const story = signed('30', { when: 'next_cycle', proration: 'full' }, { trialDays: 14 });
    changes(story, '2025-06-05', changeToPlan(monthly('60')));
    story.advance('2025-06-20');
    expect(invoicesOf(story)).toEqual(['2025-06-15 60.00: plan 60.00']);
  });
});

describe('whose rule', () => {
  const rule = (proration: Proration): ChangeRule => ({ ...NOW, proration });

  it('the contract before its plan before the vendor, direction by direction', () => {
    const offer = planOffer('p', { price: '30', changeRules: { upgrade: rule('none'), units_up: rule('none') } });
    const words = { changeRules: { upgrade: rule('difference') }, vendorChangeRules: all({ proration: 'full' }) };
    const story = signs('2025-06-01', offer, words);
    expect(estimates(story, '2025-06-16', changeToPlan(monthly('60'))).rule).toMatchObject({ proration: 'difference', from: 'contract' });
    expect(estimates(story, '2025-06-16', changeToPlan(monthly('10'))).rule).toMatchObject({ proration: 'full', from: 'vendor' });
  });

  it('what was given on the contract goes along with its changes; the plan’s rule is the new plan’s', () => {
    const offer = (amount: string, proration: Proration) =>
      planOffer(`p${amount}`, { price: amount, changeRules: { upgrade: rule(proration) } });
    const story = signs('2025-06-01', offer('30', 'none'), { changeRules: { downgrade: rule('difference') } });
    changes(story, '2025-06-16', changeToPlan(offer('60', 'difference')));
    expect(invoiced(story)).toEqual([]);
    changes(story, '2025-06-20', changeToPlan(offer('90', 'full')));
    expect(invoiced(story)).toEqual(['2025-06-20 30.00: plan 30.00']);
    expect(estimates(story, '2025-06-21', changeToPlan(offer('10', 'none'))).rule).toMatchObject({
      from: 'contract',
      proration: 'difference',
    });
  });
});

describe('two changes at one instant, of which the first gives back and the second doesn’t: 60 → 30 → 60 on 16 June', () => {
  const cancels = (story: Story, date: string) =>
    story.does(date, (snapshot, now, newId) =>
      planCancellation(snapshot, { when: { type: 'end_of_cycle' }, credit: false, notes: null }, now, newId),
    );

  it.each<[string, Partial<ChangeRule>]>([
    ['full', { proration: 'full' }],
    ['difference', { proration: 'difference' }],
    ['time without credit', { credit: 'none' }],
  ])('%s: a cancellation at the end of the cycle, and its undo, move no money', (_name, rule) => {
    const words: SignWords = { changeRules: { upgrade: { ...NOW, ...rule }, downgrade: NOW } };
    const story = signs('2025-06-01', monthly('60'), words);
    changes(story, '2025-06-16', changeToPlan(monthly('30'), { downgradeAllowed: true }));
    changes(story, '2025-06-16', changeToPlan(monthly('60')));
    const before = invoicesOf(story);
    cancels(story, '2025-06-20');
    story.does('2025-06-21', planCancelUndo);
    expect(invoicesOf(story)).toEqual(before);
  });

  it('by difference at the first instant, up to a cancellation for 21 June that is taken back: 60.00 for June all the same', () => {
    const words: SignWords = { changeRules: { upgrade: { ...NOW, proration: 'difference' }, downgrade: NOW } };
    const story = signs('2025-06-01', monthly('60'), words);
    story.does('2025-06-01', (snapshot, now, newId) =>
      planCancellation(snapshot, { when: { type: 'date', date: at('2025-06-21') }, credit: false, notes: null }, now, newId),
    );
    changes(story, '2025-06-01', changeToPlan(monthly('30'), { downgradeAllowed: true }));
    changes(story, '2025-06-01', changeToPlan(monthly('60')));
    story.does('2025-06-19', planCancelUndo);
    // 60 - 40 + 20 + 30 - 20 + 10: the 30.00 go on, and the difference stays whole
    expect(invoicesOf(story)).toEqual([
      '2025-06-01 60.00: plan 60.00',
      '2025-06-01 0.00: credit plan -40.00, plan 20.00, wallet 20.00',
      '2025-06-01 30.00: plan 30.00',
      '2025-06-19 0.00: credit plan -20.00, plan 10.00, wallet 10.00',
    ]);
  });
});
