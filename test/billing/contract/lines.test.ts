import { at, iso } from '../../../billing/calendar/instant.ts';
import { planCancellation } from '../../../billing/contract/change/cancel.ts';
import { planOnDemand } from '../../../billing/contract/charge/on-demand.ts';
import type { Line } from '../../../billing/invoice/types.ts';
import { planOffer, price, seats, usagePrice } from '../../support-billing/catalogue.ts';
import { changes, changeToPlan } from '../../support-billing/changes.ts';
import { type Story, signs } from '../../support-billing/story.ts';

const day = (instant: number | null | undefined): string => (instant == null ? '…' : iso(instant).slice(5, 16).replace('T00:00', ''));

/** `key kind span, due, policy, period: units × price = subtotal`. */
function shape(line: Line): string {
  const span = line.span === null ? 'no time' : `${day(line.span.start)} – ${day(line.span.end)}`;
  return `${line.chargeKey} ${line.kind} ${span}, due ${day(line.dueDate)}, ${line.schedulingPolicy}, ${line.periodIdx}: ${line.unitCount} × ${line.unitPrice} = ${line.subtotal}`;
}

function linesOf({ ledger }: Story, after = 0): string[] {
  return [...ledger.lines.values()].slice(after).map(shape);
}

const all = planOffer('all', {
  price: '100',
  strategy: 'group',
  groups: { support: price('7') },
  features: {
    seats: seats('10', '2', { flatFee: '1' }),
    calls: usagePrice('1', { flatFee: '3' }),
    setup: ['first_cycle', price('40')],
    review: ['month', price('5')],
    report: ['on_demand', price('9')],
  },
});

test('the lines of the first two months, kind by kind', () => {
  const story = signs('2025-01-01', all);
  story.uses('2025-01-10', 'calls', '4');
  story.advance('2025-02-01');
  expect(linesOf(story)).toEqual([
    'cycle:1:plan recurring 01-01 – 02-01, due 01-01, start_of_period, 1: 1 × 100.00 = 100.00',
    'cycle:1:group:support recurring 01-01 – 02-01, due 01-01, start_of_period, 1: 1 × 7.00 = 7.00',
    'cycle:1:feature:seats recurring 01-01 – 02-01, due 01-01, start_of_period, 1: 2 × 10.00 = 21.00',
    'first:feature:setup one_off no time, due 01-01, start_of_period, 1: 1 × 40.00 = 40.00',
    'custom:month:0:feature:review custom 01-01 – 02-01, due 01-01, start_of_period, 1: 1 × 5.00 = 5.00',
    'usage:1:feature:calls usage 01-01 – 02-01, due 02-01, immediate, 1: 4 × 1.00 = 7.00',
    'cycle:2:plan recurring 02-01 – 03-01, due 02-01, start_of_period, 2: 1 × 100.00 = 100.00',
    'cycle:2:group:support recurring 02-01 – 03-01, due 02-01, start_of_period, 2: 1 × 7.00 = 7.00',
    'cycle:2:feature:seats recurring 02-01 – 03-01, due 02-01, start_of_period, 2: 2 × 10.00 = 21.00',
    'custom:month:1:feature:review custom 02-01 – 03-01, due 02-01, start_of_period, 2: 1 × 5.00 = 5.00',
  ]);
});

test('due at the end of the period: cycle lines at its end, usage and on demand when made', () => {
  const story = signs('2025-01-01', all, { configuration: { dueDatePolicy: 'end_of_period' } });
  story.does('2025-01-05', (snapshot, now, newId) => planOnDemand(snapshot, { slug: 'report', units: null }, now, newId));
  story.advance('2025-02-01');
  const found = linesOf(story).map((one) => one.replace(/:Chrg_\d+:/, ':id:').split(': ')[0]);
  expect(found.slice(0, 7)).toEqual([
    'cycle:1:plan recurring 01-01 – 02-01, due 02-01, end_of_period, 1',
    'cycle:1:group:support recurring 01-01 – 02-01, due 02-01, end_of_period, 1',
    'cycle:1:feature:seats recurring 01-01 – 02-01, due 02-01, end_of_period, 1',
    'first:feature:setup one_off no time, due 02-01, end_of_period, 1',
    'custom:month:0:feature:review custom 01-01 – 02-01, due 02-01, end_of_period, 1',
    'on_demand:id:feature:report on_demand no time, due 01-05, immediate, 1',
    'usage:1:feature:calls usage 01-01 – 02-01, due 02-01, immediate, 1',
  ]);
});

test('a once contract: everything is due and scheduled when made, whatever the policy', () => {
  const story = signs('2025-01-01', planOffer('o', { price: '100', cycle: 'once', features: { setup: ['first_cycle', price('40')] } }), {
    configuration: { dueDatePolicy: 'end_of_period' },
  });
  expect(linesOf(story)).toEqual([
    'cycle:1:plan recurring 01-01 – …, due 01-01, immediate, 1: 1 × 100.00 = 100.00',
    'first:feature:setup one_off no time, due 01-01, immediate, 1: 1 × 40.00 = 40.00',
  ]);
});

test('a change at 16 January of 31 days: what it gives back and what it charges', () => {
  const story = signs('2025-01-01', planOffer('a', { price: '31', features: { review: ['month', price('62')] } }));
  changes(
    story,
    '2025-01-16',
    changeToPlan(planOffer('b', { price: '310', features: { review: ['month', price('93')], setup: ['first_cycle', price('40')] } })),
  );
  expect(linesOf(story, 2).map((one) => one.replace(/Item_\d+/, 'line'))).toEqual([
    'credit:line credit 01-16 – 02-01, due 01-16, immediate, 1: 1 × -31.00 = -16.00',
    'credit:line credit 01-16 – 02-01, due 01-16, immediate, 1: 1 × -62.00 = -32.00',
    'change:plan recurring 01-16 – 02-01, due 01-16, immediate, 1: 1 × 310.00 = 160.00',
    'first:feature:setup one_off no time, due 01-16, start_of_period, 1: 1 × 40.00 = 40.00',
    'change:feature:review custom 01-16 – 02-01, due 01-16, immediate, 1: 1 × 93.00 = 48.00',
  ]);
});

test('a change due at the end of the period: credits and charges are due there', () => {
  const story = signs('2025-01-01', planOffer('a', { price: '31' }), { configuration: { dueDatePolicy: 'end_of_period' } });
  changes(story, '2025-01-16', changeToPlan(planOffer('b', { price: '310' })));
  expect(linesOf(story, 1).map((one) => one.replace(/Item_\d+/, 'line'))).toEqual([
    'credit:line credit 01-16 – 02-01, due 02-01, immediate, 1: 1 × -31.00 = -16.00',
    'change:plan recurring 01-16 – 02-01, due 02-01, end_of_period, 1: 1 × 310.00 = 160.00',
  ]);
});

test('a change at the very start of a period charges its lines as of the cycle', () => {
  const story = signs('2025-01-01', planOffer('a', { price: '31', features: { review: ['month', price('62')] } }));
  changes(story, '2025-02-01', changeToPlan(planOffer('b', { price: '310', features: { review: ['month', price('93')] } })));
  expect(linesOf(story, 6).map((one) => one.split(',')[0])).toEqual([
    'cycle:2:plan recurring 02-01 – 03-01',
    'custom:month:1:feature:review custom 02-01 – 03-01',
  ]);
});

test('canceled on 16 January with credit: the rest of what runs, due at once', () => {
  const story = signs('2025-01-01', all);
  story.does('2025-01-16T12:00', (snapshot, now, newId) =>
    planCancellation(snapshot, { when: { type: 'now' }, credit: true, notes: null }, now, newId),
  );
  expect(linesOf(story, 5).map((one) => one.replace(/(Item|Inv)_\d+/, 'line'))).toEqual([
    'credit:line credit 01-16T12:00 – 02-01, due 01-16T12:00, immediate, 1: 1 × -100.00 = -50.00',
    'credit:line credit 01-16T12:00 – 02-01, due 01-16T12:00, immediate, 1: 1 × -7.00 = -3.50',
    'credit:line credit 01-16T12:00 – 02-01, due 01-16T12:00, immediate, 1: 2 × -10.00 = -10.50',
    'credit:line credit 01-16T12:00 – 02-01, due 01-16T12:00, immediate, 1: 1 × -5.00 = -2.50',
    'usage:1:feature:calls usage 01-01 – 01-16T12:00, due 01-16T12:00, immediate, 1: 0 × 1.00 = 1.50',
    'wallet:line wallet no time, due 01-16T12:00, immediate, null: 1 × 65.00 = 65.00',
  ]);
});

test('a line remembers its contract, the name of its price, and the number of events it sums', () => {
  const story = signs('2025-01-01', all);
  story.uses('2025-01-10', 'calls', '4');
  story.uses('2025-01-11', 'calls', '1');
  story.advance('2025-02-01');
  const lines = [...story.ledger.lines.values()];
  expect(new Set(lines.map(({ contractId }) => contractId))).toEqual(new Set([story.id()]));
  expect(lines.slice(0, 5).map(({ name }) => name)).toEqual(['all', 'support', 'seats', 'setup', 'review']);
  expect(lines.find(({ kind }) => kind === 'usage')?.derivation).toMatchObject({ units: '5', events: 2 });
  expect(lines[0]?.derivation).toMatchObject({
    units: '1',
    events: null,
    period: { start: at('2025-01-01'), end: at('2025-02-01'), idx: 1 },
  });
});

test('without events usage is 0 units of 0 events', () => {
  const story = signs('2025-01-01', all);
  story.advance('2025-02-01');
  const line = [...story.ledger.lines.values()].find(({ kind }) => kind === 'usage');
  expect(line?.derivation).toMatchObject({ units: '0', events: 0 });
});

test.each<[string, number, string[]]>([
  ['in none', 0, ['100.00', '40.00', '5.00', '100.00', '5.00']],
  ['in the first', 1, ['0.00', '40.00', '5.00', '100.00', '5.00']],
  ['in two', 2, ['0.00', '40.00', '5.00', '0.00', '5.00']],
])('free cycles of the contract free what recurs, %s; a price’s own free it alone', (_, freeCycles, expected) => {
  const offer = planOffer('p', { price: '100', features: { setup: ['first_cycle', price('40')], review: ['month', price('5')] } });
  const story = signs('2025-01-01', offer, { freeCycles });
  story.advance('2025-02-01');
  expect([...story.ledger.lines.values()].map(({ subtotal }) => subtotal)).toEqual(expected);
});

test('a price free for 2 cycles costs from the third on, also usage, first_cycle and monthly prices', () => {
  const free = (amount: string) => price(amount, { kind: 'flat' }, 2);
  const calls = { ...usagePrice('1', { flatFee: '3' }), freeCycles: 2 };
  const story = signs(
    '2025-01-01',
    planOffer('p', {
      price: '10',
      features: { seats: free('7'), setup: ['first_cycle', free('40')], review: ['month', free('5')], calls },
    }),
  );
  story.advance('2025-04-01');
  const of = (source: string) =>
    [...story.ledger.lines.values()].filter((line) => line.source === `feature:${source}`).map(({ subtotal }) => subtotal);
  expect([of('seats'), of('setup'), of('review'), of('calls')]).toEqual([
    ['0.00', '0.00', '7.00', '7.00'],
    ['0.00'],
    ['0.00', '0.00', '5.00', '5.00'],
    ['0.00', '0.00', '3.00'],
  ]);
});

test('on demand is free with its price, not with the contract', () => {
  const charged = (freeCycles: number, priceFree: number) => {
    const story = signs(
      '2025-01-01',
      planOffer('p', { price: '10', features: { report: ['on_demand', price('9', { kind: 'flat' }, priceFree)] } }),
      { freeCycles },
    );
    story.does('2025-01-05', (snapshot, now, newId) => planOnDemand(snapshot, { slug: 'report', units: '1' }, now, newId));
    return [...story.ledger.lines.values()].at(-1)?.subtotal;
  };
  expect([charged(3, 0), charged(0, 1)]).toEqual(['9.00', '0.00']);
});

test('3 reports at 5 a unit on demand are 15.00, without units the contract’s own 2: 10.00', () => {
  const story = signs('2025-01-01', planOffer('p', { price: '10', features: { report: ['on_demand', seats('5', '2')] } }));
  for (const units of ['3', null])
    story.does('2025-01-05', (snapshot, now, newId) => planOnDemand(snapshot, { slug: 'report', units }, now, newId));
  expect([...story.ledger.lines.values()].slice(1).map(({ subtotal, unitCount }) => [unitCount, subtotal])).toEqual([
    ['3', '15.00'],
    ['2', '10.00'],
  ]);
});

test.each<[string, string[]]>([
  ['percentage', ['90.00', '40.00', '5.00', '90.00', '5.00', '100.00', '5.00']],
  ['flat', ['90.00', '40.00', '5.00', '90.00', '5.00', '100.00', '5.00']],
])('a discount of 10 (%s) for 2 cycles holds for what recurs, in cycles 1 and 2', (type, expected) => {
  const offer = planOffer('p', { price: '100', features: { setup: ['first_cycle', price('40')], review: ['month', price('5')] } });
  const discount = {
    originalDiscountId: null,
    slug: 's',
    name: 's',
    type: type as 'flat',
    amount: '10',
    currency: 'usd',
    duration: 2,
  } as const;
  const story = signs('2025-01-01', offer, { discount });
  story.advance('2025-03-01');
  expect([...story.ledger.lines.values()].map(({ totalIncludingTax }) => totalIncludingTax)).toEqual(expected);
});
