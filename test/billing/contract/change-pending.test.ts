import { at } from '../../../billing/calendar/instant.ts';
import { planCancellation } from '../../../billing/contract/change/cancel.ts';
import { planChange } from '../../../billing/contract/change/change.ts';
import { dueByPolicy } from '../../../billing/contract/charge/charges.ts';
import { planOnDemand } from '../../../billing/contract/charge/on-demand.ts';
import { discountIn } from '../../../billing/contract/period/cycles-left.ts';
import { planOffer, price, seats, usagePrice } from '../../support-billing/catalogue.ts';
import { changes, changeToPlan, estimates, toUnits } from '../../support-billing/changes.ts';
import { contractOf, snapshotOf } from '../../support-billing/ledger.ts';
import { invoicesOf, type Story, signs } from '../../support-billing/story.ts';

const team = (amount: string, slug: string, limits = {}) =>
  planOffer(slug, { price: '10', features: { seats: seats(amount, '5', limits) } });
const monthly = (amount: string) => planOffer(`p${amount}`, { price: amount });
const ten = { originalDiscountId: null, slug: 'ten', name: 'Ten', type: 'percentage', amount: '10', currency: null, duration: 9 } as const;
const last = (story: Story): string | undefined => invoicesOf(story).at(-1);

/** Seats of the scheduled contract after 5 seats became 8, while a change to `offer` waits. */
function seatsAfter(offer: ReturnType<typeof planOffer>): string | null {
  const story = signs('2025-06-01', team('10', 'team'));
  const { newContractId } = changes(story, '2025-06-10', changeToPlan(offer));
  changes(story, '2025-06-16', toUnits({ seats: '8' }));
  const details = contractOf(story.ledger, newContractId).terms.features.find(({ slug }) => slug === 'seats')?.price?.strategy;
  return details?.kind === 'per_unit' ? details.unitCount : (details?.kind ?? null);
}

test.each<[string, ReturnType<typeof planOffer>, string | null]>([
  ['takes the new number', team('4', 'small'), '8'],
  ['keeps its own where at most 6 are allowed', team('4', 'small', { maximum: '6' }), '5'],
  ['keeps a flat price', planOffer('flat', { price: '1', features: { seats: price('3') } }), 'flat'],
  ['without seats stays without', planOffer('bare', { price: '1', features: { other: seats('3', '1') } }), null],
  ['with a plain entitlement stays so', { ...team('4', 'small'), pricing: { ...team('4', 'small').pricing, features: {} } }, null],
])('5 → 8 seats while a change of plan waits: the plan %s', (_, offer, expected) => {
  expect(seatsAfter(offer)).toBe(expected);
});

test.each<[string, (slug: string, amount: string) => ReturnType<typeof planOffer>, string, string]>([
  ['the plan’s own price, by the slug of the plan', (slug, amount) => planOffer(slug, { price: seats(amount, '5') }), 'team', 'plan 32.00'],
  ['the plan’s own price, as `plan`', (slug, amount) => planOffer(slug, { price: seats(amount, '5') }), 'plan', 'plan 32.00'],
  ['a group', (slug, amount) => planOffer(slug, { strategy: 'group', groups: { crew: seats(amount, '5') } }), 'crew', 'group:crew 32.00'],
])('5 → 8 units of %s while a change of plan to 4.00 waits: 32.00 on 1 July', (_, offer, name, line) => {
  const story = signs('2025-06-01', offer('team', '10'));
  changes(story, '2025-06-10', changeToPlan(offer('small', '4')));
  changes(story, '2025-06-16', toUnits({ [name]: '8' }));
  story.advance('2025-07-01');
  expect(last(story)).toBe(`2025-07-01 32.00: ${line}`);
});

test('the waiting plan keeps its own 2 desks when only seats are bought', () => {
  const offer = (slug: string, amount: string, desks: string) =>
    planOffer(slug, { price: '1', features: { seats: seats(amount, '5'), desks: seats('1', desks) } });
  const story = signs('2025-06-01', offer('team', '10', '3'));
  const { newContractId } = changes(story, '2025-06-10', changeToPlan(offer('small', '4', '2'), { units: { desks: '2' } }));
  changes(story, '2025-06-16', toUnits({ seats: '8' }));
  const strategies = contractOf(story.ledger, newContractId).terms.features.map(({ price: own }) => own?.strategy);
  expect(strategies).toMatchObject([{ unitCount: '8' }, { unitCount: '2' }]);
});

test('the waiting plan keeps a discount of its own; one of the contract’s gives way to the one given with the units', () => {
  const after = (own: boolean) => {
    const story = signs('2025-06-01', team('10', 'team'), { discount: ten });
    const { newContractId } = changes(
      story,
      '2025-06-10',
      changeToPlan(team('4', 'small'), own ? { discount: { ...ten, amount: '30' } } : {}),
    );
    changes(story, '2025-06-16', toUnits({ seats: '8' }, { discount: { ...ten, amount: '20' } }));
    return [contractOf(story.ledger, newContractId).discount?.amount, contractOf(story.ledger, newContractId).predecessorId === story.id()];
  };
  expect([after(true), after(false)]).toEqual([
    ['30', true],
    ['20', true],
  ]);
});

test('a waiting change of units gives way to another one, a waiting plan to another plan: canceled, not pending', () => {
  const units = signs('2025-06-01', team('10', 'team'));
  const fewer = changes(units, '2025-06-10', toUnits({ seats: '2' }));
  changes(units, '2025-06-16', toUnits({ seats: '8' }));
  expect(contractOf(units.ledger, fewer.newContractId)).toMatchObject({ status: 'canceled', isSuccessor: false, ended: at('2025-06-16') });
  expect(units.contract().pendingChange).toBeNull();

  const plans = signs('2025-06-01', team('10', 'team'));
  const small = changes(plans, '2025-06-10', changeToPlan(team('4', 'small')));
  changes(plans, '2025-06-16', changeToPlan(team('40', 'large')));
  expect(contractOf(plans.ledger, small.newContractId)).toMatchObject({ status: 'canceled', isSuccessor: false });
  expect(plans.contract().pendingChange).toBeNull();
  plans.advance('2025-07-01');
  expect(last(plans)).toBe('2025-07-01 210.00: plan 10.00, feature:seats 200.00');
});

test('a scheduled contract of a change holds its place: nothing charged, counted from nowhere yet', () => {
  const story = signs('2025-06-01', planOffer('a', { price: '100', features: { review: ['month', price('3')] } }));
  story.advance('2025-08-10');
  const { newContractId } = changes(story, '2025-08-10', changeToPlan(monthly('40')));
  expect(newContractId).toMatch(/^Cont_/);
  expect(contractOf(story.ledger, newContractId)).toMatchObject({
    status: 'scheduled',
    isSuccessor: true,
    predecessorId: story.id(),
    successorId: null,
    activation: at('2025-09-01'),
    created: at('2025-08-10'),
    trialDays: 0,
    trialEnd: null,
    start: null,
    firstCycle: 0,
    began: null,
    ended: null,
    currentIdx: null,
    customCharged: { month: -1, quarter: -1, year: -1 },
    pendingChange: null,
    cancellation: null,
    parkedReason: null,
  });
});

test('a contract that hasn’t begun is replaced by one with an id and a breakdown of no time', () => {
  const story = signs('2025-06-01', monthly('100'), { activation: '2025-07-01', trialDays: 3 });
  const first = story.id();
  const done = changes(story, '2025-06-10', changeToPlan(monthly('40')));
  expect(done.newContractId).toMatch(/^Cont_/);
  const idle = { period: { start: at('2025-06-10'), end: null }, timeUsed: { unit: 'hour', unitCount: 0 } };
  expect(done.breakdown).toMatchObject({
    oldContract: { timeOnContract: idle, proRate: '0', costProRated: '0.00', fullCost: '100.00' },
    newContract: { timeOnContract: idle, proRate: '0', costProRated: '0.00', fullCost: '40.00' },
    total: '0.00',
  });
  expect(done.newContractPeriod).toEqual({ start: at('2025-07-04'), end: at('2025-08-04') });
  expect(contractOf(story.ledger, first)).toMatchObject({ status: 'moved', successorId: done.newContractId, ended: at('2025-06-10') });
  expect(contractOf(story.ledger, done.newContractId)).toMatchObject({ predecessorId: first, trialDays: 3, status: 'scheduled' });
  expect(story.ledger.agenda.get(done.newContractId)).toMatchObject([{ kind: 'activation', dueAt: at('2025-07-01') }]);
});

test('in a trial: the time of both sides in hours, no share of anything', () => {
  const story = signs('2025-01-01', planOffer('a', { price: '100', trialDays: 30 }));
  const { breakdown } = changes(story, '2025-01-11', changeToPlan(monthly('40')));
  expect(breakdown).toMatchObject({
    oldContract: {
      proRate: '0',
      timeOnContract: { period: { start: at('2025-01-01'), end: at('2025-01-11') }, timeUsed: { unitCount: 240 } },
    },
    newContract: {
      proRate: '0',
      timeOnContract: { period: { start: at('2025-01-11'), end: at('2025-01-31') }, timeUsed: { unitCount: 480 } },
    },
    timeOnOldContract: { unit: 'hour', value: 240 },
    timeOnNewContract: { unit: 'hour', value: 480 },
  });
});

test('of a once contract the new side has no end and no hours', () => {
  const once = (amount: string) => planOffer(`o${amount}`, { price: amount, cycle: 'once' });
  const story = signs('2025-01-01', once('100'));
  const { breakdown } = changes(story, '2025-01-11', changeToPlan(once('300')));
  expect(breakdown).toMatchObject({
    newContract: { proRate: '1', timeOnContract: { period: { start: at('2025-01-11'), end: null }, timeUsed: { unitCount: 0 } } },
    timeOnNewContract: { value: 0 },
  });
});

test('the usage owed of lines that wait: usage alone, not the 100.00 of the plan', () => {
  const api = (amount: string, call = '1') => planOffer(`a${amount}`, { price: amount, features: { calls: usagePrice(call) } });
  const story = signs('2025-06-01', api('100'), { configuration: { invoiceTrigger: 'manual' } });
  story.uses('2025-06-10', 'calls', '7');
  const { breakdown, remainsToPay } = changes(story, '2025-06-16', changeToPlan(api('300', '2')));
  expect(remainsToPay[0]?.invoice.total).toBe('107.00');
  expect(breakdown).toMatchObject({ usageOldContract: '7.00', oldContract: { usage: '7.00' }, total: '207.00' });
});

test('the invoices shown are the ones that are written', () => {
  const api = (amount: string, call = '1') => planOffer(`a${amount}`, { price: amount, features: { calls: usagePrice(call) } });
  const story = signs('2025-06-01', api('100'));
  story.uses('2025-06-10', 'calls', '7');
  const { outcome, remainsToPay, priceOnNew } = changes(story, '2025-06-16', changeToPlan(api('300', '2')));
  expect([...remainsToPay, ...priceOnNew].map(({ invoice }) => invoice.id)).toEqual(outcome.effects.invoices.map(({ id }) => id));
  expect(outcome.effects.invoices).toHaveLength(2);
});

test.each<[string, Parameters<typeof changeToPlan>[1] & object, string]>([
  ['units of 7', { units: { seats: '7' } }, '10.00, feature:seats 140.00'],
  ['nothing said: the 5 kept', {}, '10.00, feature:seats 100.00'],
])('another plan with %s', (_, words, expected) => {
  const story = signs('2025-06-01', team('10', 'team'));
  changes(story, '2025-06-01', changeToPlan(team('20', 'large'), words));
  expect(last(story)).toContain(`plan ${expected}`);
});

test('another plan with a price of 15 a seat keeps the 7 seats bought', () => {
  const story = signs('2025-06-01', team('10', 'team'), { overrides: { seats: { units: '7', field: 'x' } } });
  const request = { ...changeToPlan(team('20', 'large')), overrides: { seats: { price: '15', field: 'feature_configuration.seats' } } };
  changes(story, '2025-06-01', request);
  expect(last(story)).toContain('feature:seats 105.00');
});

test('units of the contract’s plan may name it: by the catalogue’s id or by the copy’s', () => {
  const story = signs('2025-06-01', team('10', 'team'));
  for (const planId of ['Plan_team', story.contract().terms.id]) {
    expect(estimates(story, '2025-06-16', { ...toUnits({ seats: '8' }), planId }).isDowngrade).toBe(false);
  }
});

test('units may name the pricing that the contract has', () => {
  const story = signs('2025-06-01', team('10', 'team'));
  const { pricingId, currency, cycle } = story.contract().terms;
  const named = { ...toUnits({ seats: '8' }), pricingId, currency, cycle };
  expect(estimates(story, '2025-06-16', named).isDowngrade).toBe(false);
});

test('a discount given with a change has an id of its own', () => {
  const story = signs('2025-06-01', monthly('100'));
  changes(story, '2025-06-16', changeToPlan(monthly('300'), { discount: ten }));
  expect(story.contract().discount?.id).toMatch(/^Disc_/);
});

test('canceled now with credit, without usage: 50.00 to the wallet at once', () => {
  const story = signs('2025-06-01', monthly('100'));
  story.does('2025-06-16', (snapshot, now, newId) =>
    planCancellation(snapshot, { when: { type: 'now' }, credit: true, notes: null }, now, newId),
  );
  expect(last(story)).toBe('2025-06-16 0.00: credit plan -50.00, wallet 50.00');
});

test.each<[string, { type: 'end_of_cycle' } | { type: 'date'; date: number }, string]>([
  ['at the end of a cycle it hasn’t, ends at once', { type: 'end_of_cycle' }, 'canceled'],
  ['on a day to come, waits for it', { type: 'date', date: at('2025-06-10') }, 'scheduled'],
])('a scheduled contract canceled %s', (_, when, expected) => {
  const story = signs('2025-06-01', monthly('100'), { activation: '2025-07-01' });
  story.does('2025-06-05', (snapshot, now, newId) => planCancellation(snapshot, { when, credit: false, notes: null }, now, newId));
  expect(story.contract().status).toBe(expected);
  story.advance('2025-07-02');
  expect(story.contract().status).toBe('canceled');
});

test('a discount holds for its cycles of the chain: given after 2, for 2: in 3 and 4', () => {
  const contract = signs('2025-06-01', monthly('100'), { discount: { ...ten, duration: 2 } }).contract();
  const given = { ...contract, discount: contract.discount && { ...contract.discount, cyclesBefore: 2 } };
  expect([1, 2, 3, 4, 5].map((idx) => discountIn(given, idx, [])?.slug ?? null)).toEqual([null, null, 'ten', 'ten', null]);
  expect(discountIn({ ...given, cyclesBefore: 2 }, 1, [])?.slug).toBe('ten');
  expect(discountIn({ ...contract, discount: null }, 1, [])).toBeNull();
});

test('due at the end of the period, or at once where that is unknown or there are no cycles', () => {
  const configuration = { dueDatePolicy: 'end_of_period' } as const;
  const contract = signs('2025-06-01', monthly('100'), { configuration }).contract();
  const once = signs('2025-06-01', planOffer('o', { price: '1', cycle: 'once' }), { configuration }).contract();
  const span = (end: number | null) => ({ at: 5, span: { start: 1, end } });
  expect([dueByPolicy(contract, span(9)), dueByPolicy(contract, span(null)), dueByPolicy(once, span(9))]).toEqual([9, 5, 5]);
});

test('on demand is charged in full under a discount, and from the cycle on in which its price is no longer free', () => {
  const offer = planOffer('p', { price: '10', features: { report: ['on_demand', price('9', { kind: 'flat' }, 1)] } });
  const story = signs('2025-01-01', offer, { discount: ten });
  const report = (date: string) => {
    story.does(date, (snapshot, now, newId) => planOnDemand(snapshot, { slug: 'report', units: null }, now, newId));
    return [...story.ledger.lines.values()].at(-1)?.totalIncludingTax;
  };
  expect([report('2025-01-05'), report('2025-02-05')]).toEqual(['0.00', '9.00']);
});

test('two usage features have a sum each', () => {
  const story = signs('2025-01-01', planOffer('p', { price: '1', features: { calls: usagePrice('1'), mails: usagePrice('0.10') } }));
  story.uses('2025-01-05', 'calls', '3');
  story.uses('2025-01-06', 'mails', '20');
  story.advance('2025-02-01');
  expect(last(story)).toBe('2025-02-01 6.00: usage feature:calls 3.00, usage feature:mails 2.00, plan 1.00');
});

test('an estimate of a downgrade in the third period shows that period, and leaves the contract alone', () => {
  const story = signs('2025-01-01', monthly('100'));
  const snapshot = snapshotOf(story.ledger, story.id(), at('2025-01-10'));
  const before = structuredClone(snapshot);
  const done = planChange(snapshot, changeToPlan(monthly('40'), { activation: '2025-03-20' }), at('2025-01-10'), story.newId);
  expect(snapshot).toEqual(before);
  expect(done.breakdown.oldContract.timeOnContract).toEqual({
    period: { start: at('2025-03-01'), end: at('2025-04-01') },
    timeUsed: { unit: 'hour', unitCount: 744 },
  });
  expect(done.newContractPeriod).toEqual({ start: at('2025-04-01'), end: at('2025-05-01') });
});
