import { at } from '../../../billing/calendar/instant.ts';
import { advance } from '../../../billing/contract/advance/advance.ts';
import { planCancellation } from '../../../billing/contract/change/cancel.ts';
import { planOffer, price, seats, usagePrice } from '../../support-billing/catalogue.ts';
import { changes, changeToPlan, estimates, toUnits } from '../../support-billing/changes.ts';
import { contractOf, snapshotOf } from '../../support-billing/ledger.ts';
import { type Story, signs } from '../../support-billing/story.ts';

const monthly = (amount: string) => planOffer(`p${amount}`, { price: amount });
const yearly = (amount: string) => planOffer(`y${amount}`, { price: amount, cycle: 'year' });
const ten = { originalDiscountId: null, slug: 'ten', name: 'Ten', type: 'percentage', amount: '10', currency: null, duration: 9 } as const;

function cancels(story: Story, date: string, when: 'end_of_cycle' | string): void {
  const request = when === 'end_of_cycle' ? ({ type: when } as const) : ({ type: 'date', date: at(when) } as const);
  story.does(date, (snapshot, now, newId) => planCancellation(snapshot, { when: request, credit: true, notes: 'n' }, now, newId));
}

test('changed on 16 June: the old contract is moved, the new one goes on in its period', () => {
  const story = signs('2025-06-01', monthly('100'), { expiration: '2026-06-01', discount: ten, freeCycles: 1, offset: 0 });
  const first = story.id();
  changes(story, '2025-06-16', changeToPlan(monthly('300')));
  expect(contractOf(story.ledger, first)).toMatchObject({
    status: 'moved',
    ended: at('2025-06-16'),
    successorId: story.id(),
    pendingChange: null,
    cancellation: null,
    currentIdx: 1,
  });
  expect(story.contract()).toMatchObject({
    rootId: first,
    predecessorId: first,
    successorId: null,
    isSuccessor: false,
    status: 'active',
    created: at('2025-06-16'),
    activation: at('2025-06-16'),
    began: at('2025-06-16'),
    ended: null,
    trialDays: 0,
    trialEnd: null,
    start: at('2025-06-01'),
    offset: 0,
    firstCycle: 0,
    cyclesBefore: 0,
    currentIdx: 1,
    freeCycles: 1,
    discount: { slug: 'ten', cyclesBefore: 0 },
    expiration: { at: at('2026-06-01'), setAt: at('2025-06-01') },
    customCharged: { month: -1, quarter: -1, year: -1 },
    parkedReason: null,
  });
});

test('the third contract of a chain knows the first as its root', () => {
  const story = signs('2025-06-01', monthly('100'));
  const first = story.id();
  changes(story, '2025-06-16', changeToPlan(monthly('300')));
  changes(story, '2025-06-17', changeToPlan(monthly('500')));
  expect(story.contract()).toMatchObject({ rootId: first });
});

test('a discount given in the third cycle counts from there, one that is carried from where it was given', () => {
  const story = signs('2025-06-01', monthly('100'), { discount: ten });
  story.advance('2025-08-10');
  changes(story, '2025-08-10', changeToPlan(monthly('300')));
  expect(story.contract().discount).toMatchObject({ amount: '10', cyclesBefore: 0 });
  changes(story, '2025-08-11', changeToPlan(monthly('300'), { discount: { ...ten, amount: '20' } }));
  expect(story.contract().discount).toMatchObject({ amount: '20', cyclesBefore: 2 });
});

test('a flat discount in the currency that is left behind goes, a percentage stays', () => {
  const euro = planOffer('e', { price: '300', currency: 'eur' });
  const flat = { ...ten, type: 'flat', currency: 'usd' } as const;
  const of = (discount: typeof ten | typeof flat) => {
    const story = signs('2025-06-01', monthly('100'), { discount });
    changes(story, '2025-06-16', changeToPlan(euro, { activation: 'next_cycle' }));
    story.advance('2025-07-01');
    return story.contract().discount?.type ?? null;
  };
  expect([of(ten), of(flat)]).toEqual(['percentage', null]);
});

test.each<[string, string, string, unknown]>([
  ['dated, goes on', '2025-07-20', 'month', { type: 'date', at: at('2025-07-20'), setAt: at('2025-06-10') }],
  ['at the end of the cycle, goes on in the same cycle', 'end_of_cycle', 'month', { type: 'boundary', n: 1 }],
  ['at the end of the cycle, means the end of the new cycle in another', 'end_of_cycle', 'year', { type: 'boundary', n: 1 }],
  ['dated, goes on in another cycle', '2025-07-20', 'year', { type: 'date', at: at('2025-07-20'), setAt: at('2025-06-10') }],
])('a cancellation that waits, %s', (_, when, cycle, expected) => {
  const story = signs('2025-06-01', monthly('100'));
  cancels(story, '2025-06-10', when);
  changes(story, '2025-06-16', changeToPlan(cycle === 'month' ? monthly('300') : yearly('9000')));
  expect(story.contract().cancellation).toEqual({ when: expected, credit: true, requestedAt: at('2025-06-10'), notes: 'n' });
});

test('an offset stays with its cycle and goes with another', () => {
  const of = (offer: ReturnType<typeof monthly>) => {
    const story = signs('2025-06-03', monthly('100'), { offset: 9 });
    changes(story, '2025-06-16', changeToPlan(offer));
    return [story.contract().offset, story.contract().start];
  };
  expect(of(monthly('300'))).toEqual([9, at('2025-06-03')]);
  expect(of(yearly('9000'))).toEqual([null, at('2025-06-16')]);
  const scheduled = signs('2025-06-01', monthly('100'), { offset: 9, activation: '2025-06-20' });
  changes(scheduled, '2025-06-10', changeToPlan(yearly('9000')));
  expect(scheduled.contract()).toMatchObject({ offset: null, status: 'scheduled' });
  const kept = signs('2025-06-01', monthly('100'), { offset: 9, activation: '2025-06-20' });
  changes(kept, '2025-06-10', changeToPlan(monthly('300')));
  expect(kept.contract()).toMatchObject({ offset: 9, created: at('2025-06-10') });
});

test('a change that waits is shown in the contract: when, what kind, whether it was put off', () => {
  const waiting = (...request: Parameters<typeof changeToPlan>) => {
    const story = signs('2025-06-01', monthly('100'));
    const { newContractId } = changes(story, '2025-06-10', changeToPlan(...request));
    const { pendingChange } = story.contract();
    expect(pendingChange?.successorId).toBe(newContractId);
    return [pendingChange?.when, pendingChange?.kind, pendingChange?.isDowngrade, pendingChange?.requestedAt];
  };
  const asked = at('2025-06-10');
  const next = { type: 'boundary', n: 1 };
  expect(waiting(monthly('40'))).toEqual([next, 'new_plan', true, asked]);
  expect(waiting(monthly('40'), { activation: 'next_cycle' })).toEqual([next, 'new_plan', false, asked]);
  expect(waiting(monthly('300'), { activation: 'next_cycle' })).toEqual([next, 'new_plan', false, asked]);
  expect(waiting(monthly('40'), { activation: '2025-06-20' })).toEqual([next, 'new_plan', true, asked]);
  expect(waiting(monthly('40'), { activation: '2025-07-01' })).toEqual([next, 'new_plan', false, asked]);
});

test('usage after a change mid-cycle belongs to the new contract, at a boundary from that instant on', () => {
  const api = (amount: string, call = '1') => planOffer(`a${amount}`, { price: amount, features: { calls: usagePrice(call) } });
  const story = signs('2025-06-01', api('100', '2'));
  const first = story.id();
  story.uses('2025-06-10', 'calls', '2');
  const now = changes(story, '2025-06-16', changeToPlan(api('300')));
  expect(now.outcome.effects.handovers).toMatchObject([{ fromContractId: first, toContractId: story.id(), after: at('2025-06-16') }]);
  const second = story.id();
  changes(story, '2025-06-20', changeToPlan(api('40')));
  story.uses('2025-06-30T23:59:59.999', 'calls', '3');
  story.uses('2025-07-01', 'calls', '5');
  story.advance('2025-08-01');
  const sums = [...story.ledger.lines.values()]
    .filter(({ kind }) => kind === 'usage')
    .map(({ contractId, subtotal }) => [contractId, subtotal]);
  expect(sums).toEqual([
    [first, '4.00'],
    [second, '3.00'],
    [story.id(), '5.00'],
  ]);
});

test('usage reported ahead of a change to a plan that does not meter it is charged on the old contract', () => {
  const metered = planOffer('metered', { price: '100', features: { calls: usagePrice('1'), mails: usagePrice('1') } });
  const plain = planOffer('plain', { price: '300', features: { mails: usagePrice('2') } });
  const usageLines = (story: Story) =>
    [...story.ledger.lines.values()]
      .filter(({ kind }) => kind === 'usage')
      .map(({ contractId, source, subtotal }) => `${contractId === story.id() ? 'new' : 'old'} ${source} ${subtotal}`);

  const now = signs('2025-06-01', metered);
  for (const slug of ['calls', 'mails']) now.uses('2025-06-10', slug, '10');
  for (const slug of ['calls', 'mails']) now.uses('2025-06-16T00:30:00', slug, '4');
  changes(now, '2025-06-16', changeToPlan(plain));
  now.advance('2025-07-01');
  expect(usageLines(now)).toEqual(['old feature:calls 14.00', 'old feature:mails 10.00', 'new feature:mails 8.00']);
});

test('at the boundary what was reported for that instant goes over: everything after a millisecond before it', () => {
  const api = (amount: string) => planOffer(`a${amount}`, { price: amount, features: { calls: usagePrice('1') } });
  const story = signs('2025-06-01', api('100'));
  const first = story.id();
  const { newContractId } = changes(story, '2025-06-20', changeToPlan(api('40')));
  const now = at('2025-07-01');
  const { effects } = advance(snapshotOf(story.ledger, first, now), now, story.newId);
  expect(effects.handovers).toMatchObject([{ fromContractId: first, toContractId: newContractId, after: now - 1 }]);
});

test('units of 5 → 8 leave the plan’s own line alone; with a flat discount over both lines both are given back', () => {
  const team = planOffer('team', { price: '10', features: { seats: seats('10', '5') } });
  const of = (discount: Parameters<typeof signs>[2]) => {
    const story = signs('2025-06-01', team, discount);
    const { priceOnNew } = changes(story, '2025-06-16', toUnits({ seats: '8' }));
    return priceOnNew[0]?.lines.map(({ kind, source, totalIncludingTax }) => `${kind} ${source} ${totalIncludingTax}`);
  };
  expect(of({})).toEqual(['credit feature:seats -25.00', 'recurring feature:seats 40.00']);
  expect(of({ discount: ten })).toEqual(['credit feature:seats -22.50', 'recurring feature:seats 36.00']);
  expect(of({ discount: { ...ten, type: 'flat', amount: '6', currency: 'usd' } })).toEqual([
    'credit plan -4.50',
    'credit feature:seats -22.50',
    'recurring plan 4.67',
    'recurring feature:seats 37.34',
  ]);
});

test('a change of units keeps the plan and gives the copy new ids', () => {
  const story = signs('2025-06-01', planOffer('team', { price: '10', features: { seats: seats('10', '5') } }));
  const before = story.contract().terms;
  changes(story, '2025-06-16', toUnits({ seats: '8' }));
  const after = story.contract().terms;
  expect([after.originalPlanId, after.slug, after.pricingId]).toEqual([before.originalPlanId, before.slug, before.pricingId]);
  expect(after.id).not.toBe(before.id);
  expect(after.features[0]?.id).not.toBe(before.features[0]?.id);
  expect([before.features[0]?.id, after.features[0]?.id].every((id) => id?.startsWith('Feat_'))).toBe(true);
  expect(after.id).toMatch(/^Plan_/);
});

test('another plan at the end of a trial begins whole; within it the trial goes on with the new one', () => {
  const story = signs('2025-01-01', planOffer('a', { price: '100', trialDays: 30 }));
  changes(story, '2025-01-11', changeToPlan(planOffer('b', { price: '40', trialDays: 0 })));
  expect(story.contract()).toMatchObject({
    trialDays: 30,
    trialEnd: at('2025-01-31'),
    start: null,
    currentIdx: null,
    status: 'active',
    activation: at('2025-01-11'),
  });
  expect([...story.ledger.periods.values()].map(({ idx, from, until, status }) => [idx, from, until, status])).toEqual([
    [0, at('2025-01-01'), at('2025-01-11'), 'closed'],
    [0, at('2025-01-11'), at('2025-01-31'), 'open'],
  ]);
});

test('an estimate of a change in two cycles from now shows the lines as they will run then', () => {
  const offer = planOffer('a', { price: '31', features: { review: ['month', price('62')], support: ['year', price('365')] } });
  const story = signs('2025-01-01', offer);
  const done = estimates(story, '2025-01-10', changeToPlan(planOffer('b', { price: '3100' }), { activation: '2025-03-16' }));
  expect(done.priceOnNew[0]?.lines.map(({ source, totalIncludingTax }) => [source, totalIncludingTax])).toEqual([
    ['feature:support', '-291.00'],
    ['plan', '-16.00'],
    ['feature:review', '-32.00'],
    ['plan', '1600.00'],
  ]);
  expect(done.breakdown).toMatchObject({ timeOnOldContract: { value: 360 }, timeOnNewContract: { value: 384 }, total: '0.00' });
});

test('a change of units with a flat discount on the one recurring line leaves a yearly line alone', () => {
  const team = planOffer('team', { features: { seats: seats('10', '5'), support: ['year', price('365')] } });
  const story = signs('2025-06-01', team, { discount: { ...ten, type: 'flat', amount: '6', currency: 'usd' } });
  const { priceOnNew } = changes(story, '2025-06-16', toUnits({ seats: '8' }));
  expect(priceOnNew[0]?.lines.map(({ source }) => source)).toEqual(['feature:seats', 'feature:seats']);
});

test('a change of units with a flat discount over two lines leaves a yearly line alone, which takes no share of it', () => {
  const team = planOffer('team', { price: '10', features: { seats: seats('10', '5'), support: ['year', price('365')] } });
  const sources = (discount: NonNullable<Parameters<typeof signs>[2]>['discount'], change = toUnits({ seats: '8' })) =>
    changes(signs('2025-06-01', team, { discount: discount ?? null }), '2025-06-16', change).priceOnNew[0]?.lines.map(
      ({ source }) => source,
    );
  const both = ['plan', 'feature:seats', 'plan', 'feature:seats'];
  expect(sources({ ...ten, type: 'flat', amount: '6', currency: 'usd' })).toEqual(both);
  expect(sources(ten, toUnits({ seats: '8' }, { discount: { ...ten, slug: 'other' } }))).toEqual(both);
});

test('a change of units with a new discount gives every line back and charges it again', () => {
  const story = signs('2025-06-01', planOffer('team', { price: '10', features: { seats: seats('10', '5') } }));
  const { priceOnNew } = changes(story, '2025-06-16', toUnits({ seats: '8' }, { discount: ten }));
  expect(priceOnNew[0]?.lines.map(({ kind, source, totalIncludingTax }) => `${kind} ${source} ${totalIncludingTax}`)).toEqual([
    'credit plan -5.00',
    'credit feature:seats -25.00',
    'recurring plan 4.50',
    'recurring feature:seats 36.00',
  ]);
});

test('a discount and a free cycle given for one payment are whole after a change to months in the trial', () => {
  const words = { trialDays: 30, freeCycles: 1 };
  const discount = { ...ten, amount: '50', duration: 2 };
  const story = signs('2025-01-01', planOffer('a', { ...words, price: '40', cycle: 'constant' }), { discount });
  changes(story, '2025-01-11', changeToPlan(planOffer('b', { ...words, price: '60' })));
  story.advance('2025-04-01');
  expect(story.ledger.invoices.map(({ total }) => total)).toEqual(['0.00', '30.00', '60.00']);
});

test('a trial that has ended is none of the successor’s', () => {
  const story = signs('2025-06-01', monthly('100'), { trialDays: 5 });
  changes(story, '2025-06-16', changeToPlan(monthly('300')));
  expect(story.contract()).toMatchObject({ trialDays: 0, trialEnd: null, start: at('2025-06-06') });
});

test('another plan from the trial’s end on: its first period whole, its monthly charge too', () => {
  const story = signs('2025-01-01', planOffer('a', { price: '100', trialDays: 31 }));
  changes(
    story,
    '2025-01-10',
    changeToPlan(planOffer('b', { price: '40', features: { review: ['month', price('5')] } }), { activation: 'next_cycle' }),
  );
  story.advance('2025-02-01');
  expect([...story.ledger.lines.values()].map(({ chargeKey, totalIncludingTax }) => [chargeKey, totalIncludingTax])).toEqual([
    ['cycle:1:plan', '40.00'],
    ['custom:month:0:feature:review', '5.00'],
  ]);
  expect(story.contract()).toMatchObject({
    start: at('2025-02-01'),
    firstCycle: 0,
    currentIdx: 1,
    customCharged: { month: 0, quarter: -1, year: -1 },
  });
});

test.each<[string, string | undefined, string[], number, number, [string, string]]>([
  ['dated within it', '2025-01-21', [], 480, 264, ['2025-02-01', '2025-03-01']],
  ['at its end', 'next_cycle', ['plan 300.00', 'feature:setup 9.00'], 744, 0, ['2025-02-01', '2025-03-01']],
  ['dated behind it', '2025-03-17', ['plan -48.39', 'plan 145.16', 'feature:setup 9.00'], 384, 360, ['2025-03-01', '2025-04-01']],
])('an estimate in a trial to 1 February, %s', (_, activation, lines, oldHours, newHours, [start, end]) => {
  const story = signs('2025-01-01', planOffer('a', { price: '100', trialDays: 31 }));
  const offer = planOffer('b', { price: '300', features: { setup: ['first_cycle', price('9')] } });
  const done = estimates(story, '2025-01-10', changeToPlan(offer, activation === undefined ? {} : { activation }));
  expect(done.priceOnNew.flatMap((one) => one.lines.map(({ source, totalIncludingTax }) => `${source} ${totalIncludingTax}`))).toEqual(
    lines,
  );
  expect([done.breakdown.timeOnOldContract.value, done.breakdown.timeOnNewContract.value]).toEqual([oldHours, newHours]);
  expect(done.newContractPeriod).toEqual({ start: at(start), end: at(end) });
});

test('an estimate at the boundary gives nothing back of what falls due there', () => {
  const offer = (amount: string, review: string) =>
    planOffer(`b${amount}`, { price: amount, features: { review: ['month', price(review)] } });
  const story = signs('2025-01-01', offer('100', '3'));
  const { priceOnNew } = estimates(story, '2025-01-10', changeToPlan(offer('40', '5'), { activation: 'next_cycle' }));
  expect(priceOnNew[0]?.lines.map(({ source, totalIncludingTax }) => `${source} ${totalIncludingTax}`)).toEqual([
    'plan 40.00',
    'feature:review 5.00',
  ]);
});

test('an estimate of fewer seats leaves a yearly line where it was charged', () => {
  const team = planOffer('team', { price: '10', features: { seats: seats('10', '5'), support: ['year', price('365')] } });
  const story = signs('2025-01-01', team);
  const { priceOnNew } = estimates(story, '2025-01-10', toUnits({ seats: '2' }));
  expect(priceOnNew[0]?.lines.map(({ source, totalIncludingTax }) => `${source} ${totalIncludingTax}`)).toEqual([
    'plan 10.00',
    'feature:seats 20.00',
  ]);
});

test('an estimate on a contract that a change brought to its third cycle counts from there', () => {
  const story = signs('2025-01-01', monthly('100'));
  story.advance('2025-02-10');
  changes(story, '2025-02-10', changeToPlan(monthly('40')));
  story.advance('2025-03-10');
  expect(story.contract()).toMatchObject({ firstCycle: 2, currentIdx: 1 });
  const { breakdown, priceOnNew } = estimates(story, '2025-03-10', changeToPlan(monthly('400'), { activation: '2025-04-16' }));
  expect(breakdown.oldContract.timeOnContract.period).toEqual({ start: at('2025-04-01'), end: at('2025-04-16') });
  expect(priceOnNew[0]?.lines.map(({ totalIncludingTax }) => totalIncludingTax)).toEqual(['-20.00', '200.00']);
});
