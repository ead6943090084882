import { at } from '../../../billing/calendar/instant.ts';
import { planActivation } from '../../../billing/contract/advance/activate.ts';
import { type CancelRequest, planCancellation, planCancelUndo, planChangeUndo } from '../../../billing/contract/change/cancel.ts';
import { planChange } from '../../../billing/contract/change/change.ts';
import type { ChangeRequest } from '../../../billing/contract/change/change-request.ts';
import { planUsageClosing } from '../../../billing/contract/charge/close-usage.ts';
import { planCorrections } from '../../../billing/contract/charge/correct-usage.ts';
import { planOnDemand } from '../../../billing/contract/charge/on-demand.ts';
import { choosePricing, type PricingChoice } from '../../../billing/contract/terms/offer.ts';
import { planSigning } from '../../../billing/contract/terms/sign.ts';
import type { ContractSnapshot, NewId, Outcome } from '../../../billing/contract/types.ts';
import { BillingError } from '../../../billing/problem.ts';
import { Refusal } from '../../../billing/refusal.ts';
import { planOffer, price, seats, usagePrice } from '../../support-billing/catalogue.ts';
import { changes, changeToPlan, toUnits } from '../../support-billing/changes.ts';
import { countingIds, snapshotOf } from '../../support-billing/ledger.ts';
import { type SignWords, type Story, signRequestOf, signs } from '../../support-billing/story.ts';

const NOW = '2025-01-10';
const offer = planOffer('pro', {
  price: '100',
  features: {
    seats: seats('10', '5', { maximum: '9' }),
    calls: usagePrice('1'),
    report: ['on_demand', price('5')],
    boxes: ['on_demand', seats('1', '1', { maximum: '9' })],
    fee: ['first_cycle', price('1')],
  },
});
const other = planOffer('other', { price: '300' });
const cheap = planOffer('cheap', { price: '1' });
const euro = planOffer('euro', { price: '100', currency: 'eur' });
const once = (amount: string) => planOffer(`once${amount}`, { price: amount, cycle: 'once' });
const tenEuro = { originalDiscountId: null, slug: 's', name: 's', type: 'flat', amount: '10', currency: 'eur', duration: 1 } as const;

/** What is said of a request: `code`, `field: text` of a refusal, or each problem. */
function saidOf(request: () => unknown): string[] {
  try {
    request();
  } catch (error) {
    if (error instanceof Refusal) return [error.code, `${error.field}: ${error.message}`];
    if (error instanceof BillingError) return error.problems.flatMap(({ field, code, message }) => [code, `${field}: ${message}`]);
    throw error;
  }
  return [];
}

type Rule = (snapshot: ContractSnapshot, now: number, newId: NewId) => unknown;
type Row = [string, Story | (() => Story), Rule, string, string];

const pro = (words?: SignWords): Story => signs('2025-01-01', offer, words);
const change =
  (request: ChangeRequest): Rule =>
  (snapshot, now, newId) =>
    planChange(snapshot, request, now, newId);
const cancel =
  (when: CancelRequest['when']): Rule =>
  (snapshot, now, newId) =>
    planCancellation(snapshot, { when, credit: false, notes: null }, now, newId);
const ondemand =
  (slug: string, units: string | null = null): Rule =>
  (snapshot, now, newId) =>
    planOnDemand(snapshot, { slug, units }, now, newId);
const activate =
  (date: string | null): Rule =>
  (snapshot, now, newId) =>
    planActivation(snapshot, date === null ? null : at(date), now, newId);
const close =
  (idx: number): Rule =>
  (snapshot, now, newId) =>
    planUsageClosing(snapshot, idx, now, newId);

function canceled(): Story {
  const story = pro();
  story.does('2025-01-05', (snapshot, now, newId) =>
    planCancellation(snapshot, { when: { type: 'now' }, credit: false, notes: null }, now, newId),
  );
  return story;
}

const ACTIVATION = 'upgrade_configuration.activation';
const NO_END = 'the contract has no end of cycle to wait for; give downgrade_allowed, or another activation';
const MID_CYCLE = 'the currency changes only at the end of a cycle; give activation next_cycle';

test.each<Row>([
  [
    'the same plan again',
    pro(),
    change(changeToPlan(offer)),
    'nothing_to_change',
    'null: the plan, its units and its prices are the same already',
  ],
  [
    'a change on the day before',
    pro(),
    change(changeToPlan(other, { activation: '2025-01-09' })),
    'past_date',
    `${ACTIVATION}.date: give a date from now on`,
  ],
  ['euro mid-cycle', pro(), change(changeToPlan(euro)), 'currency_change_mid_cycle', `${ACTIVATION}: ${MID_CYCLE}`],
  [
    'euro on a day mid-cycle',
    pro(),
    change(changeToPlan(euro, { activation: '2025-02-02' })),
    'currency_change_mid_cycle',
    `${ACTIVATION}: ${MID_CYCLE}`,
  ],
  [
    'euro on a day of a once contract',
    signs('2025-01-01', once('500')),
    change(changeToPlan(planOffer('e', { price: '500', currency: 'eur', cycle: 'once' }), { activation: '2025-02-02' })),
    'currency_change_mid_cycle',
    `${ACTIVATION}: ${MID_CYCLE}`,
  ],
  [
    'a downgrade of a once contract',
    signs('2025-01-01', once('500')),
    change(changeToPlan(once('1'))),
    'cycle_end_unknown',
    `${ACTIVATION}: ${NO_END}`,
  ],
  [
    'a downgrade of a once contract on a day',
    signs('2025-01-01', once('500')),
    change(changeToPlan(once('1'), { activation: '2025-02-02' })),
    'cycle_end_unknown',
    `${ACTIVATION}: ${NO_END}`,
  ],
  [
    'a discount of 10 eur on a plan in usd',
    pro(),
    change(changeToPlan(other, { discount: tenEuro })),
    'discount_currency',
    'upgrade_configuration.discount_id: give a discount in usd, or a percentage',
  ],
  [
    'a change of units under another plan',
    pro(),
    change({ ...toUnits({ seats: '7' }), planId: 'Plan_other' }),
    'plan_mismatch',
    'upgrade_configuration.plan_id: give the plan of the contract, or upgrade_strategy "new_plan"',
  ],
  [
    'a change of units with another cycle',
    pro(),
    change({ ...toUnits({ seats: '7' }), cycle: 'year' }),
    'plan_mismatch',
    'upgrade_configuration.cycle: give the cycle of the contract (month), or upgrade_strategy "new_plan"',
  ],
  [
    'a change of units in another currency',
    pro(),
    change({ ...toUnits({ seats: '7' }), currency: 'eur' }),
    'plan_mismatch',
    'upgrade_configuration.currency: give the currency of the contract (usd), or upgrade_strategy "new_plan"',
  ],
  [
    'a change of units under another pricing',
    pro(),
    change({ ...toUnits({ seats: '7' }), pricingId: 'Pric_other' }),
    'plan_mismatch',
    'upgrade_configuration.pricing_id: give the pricing_id of the contract (Pric_pro_month_usd), or upgrade_strategy "new_plan"',
  ],
  [
    'a change of units without units',
    pro(),
    change(toUnits({})),
    'required',
    'upgrade_configuration.unit_count_configuration: give the units of a feature, which change_unit_count changes',
  ],
  [
    'a change of units to those that are bought',
    pro(),
    change(toUnits({ seats: '5' })),
    'nothing_to_change',
    'null: the plan, its units and its prices are the same already',
  ],
  [
    'a change of units with a price',
    pro(),
    change({ ...toUnits({}), overrides: { seats: { units: '7', price: '1', field: 'feature_configuration.seats' } } }),
    'price_not_changeable',
    'feature_configuration.seats: give units only: change_unit_count keeps the prices of the contract',
  ],
  [
    'a change of units with a fee',
    pro(),
    change({ ...toUnits({}), overrides: { seats: { flatFee: '1', field: 'feature_configuration.seats' } } }),
    'price_not_changeable',
    'feature_configuration.seats: give units only: change_unit_count keeps the prices of the contract',
  ],
  ['a change of an ended contract', canceled, change(changeToPlan(other)), 'contract_ended', 'null: the contract has ended'],
  [
    'a cancellation on the day before',
    pro(),
    cancel({ type: 'date', date: at('2025-01-09') }),
    'past_date',
    'when.date: give a date from now on',
  ],
  [
    'the end of the cycle of a once contract',
    signs('2025-01-01', once('5')),
    cancel({ type: 'end_of_cycle' }),
    'cycle_end_unknown',
    'when.type: the contract has no end of cycle; give "now" or a date',
  ],
  ['an end of an ended contract', canceled, cancel({ type: 'now' }), 'contract_ended', 'null: the contract has ended'],
  ['taking back no cancellation', pro(), planCancelUndo, 'no_cancellation', 'null: no cancellation is waiting'],
  ['taking back no change', pro(), planChangeUndo, 'no_pending_change', 'null: no change is waiting'],
  ['taking back the cancellation of an ended contract', canceled, planCancelUndo, 'contract_ended', 'null: the contract has ended'],
  ['taking back the change of an ended contract', canceled, planChangeUndo, 'contract_ended', 'null: the contract has ended'],
  ['a feature that is none', pro(), ondemand('nothing'), 'unknown_feature', 'feature_slug: give the slug of a feature of the contract'],
  ['a recurring feature on demand', pro(), ondemand('seats'), 'not_on_demand', 'feature_slug: the feature is not charged on demand'],
  ['3 of a flat report', pro(), ondemand('report', '3'), 'units_not_changeable', 'units: leave the units out: the price is not per unit'],
  ['10 boxes of at most 9', pro(), ondemand('boxes', '10'), 'above_maximum', 'units: give at most 9 units'],
  ['-1 of a flat report', pro(), ondemand('report', '-1'), 'negative', 'units: give zero or more'],
  [
    'a report of a contract that is pending',
    pro({ isPending: true }),
    ondemand('report'),
    'contract_not_active',
    'null: the contract is pending, not active yet',
  ],
  ['a report of an ended contract', canceled, ondemand('report'), 'contract_ended', 'null: the contract has ended'],
  ['activating an active contract', pro(), activate(null), 'contract_not_pending', 'null: the contract is active, not pending'],
  ['activating an ended contract', canceled, activate(null), 'contract_ended', 'null: the contract has ended'],
  [
    'activating on the day before',
    pro({ isPending: true }),
    activate('2025-01-09'),
    'past_date',
    'activation: give an instant from now on',
  ],
  [
    'activating at the expiration',
    pro({ isPending: true, expiration: '2025-02-01' }),
    activate('2025-02-01'),
    'expires_before_activation',
    'activation: give an instant before the expiration',
  ],
  ['closing period 1, closed with the contract', canceled, close(1), 'usage_period_closed', 'null: usage period 1 is closed'],
  [
    'closing period 2 of a contract in its first',
    pro(),
    close(2),
    'usage_period_not_found',
    'null: the contract has no usage period 2 yet',
  ],
  ['closing period 0 without a trial', pro(), close(0), 'usage_period_not_found', 'null: the contract has no usage period 0 yet'],
])('%s is refused', (_, story, rule, code, text) => {
  const { ledger, id, newId } = typeof story === 'function' ? story() : story;
  const snapshot = snapshotOf(ledger, id(), at(NOW));
  expect(saidOf(() => rule(snapshot, at(NOW), newId))).toEqual([code, text]);
});

test.each<[string, Rule]>([
  ['a change', change(changeToPlan(other))],
  ['a cancellation', cancel({ type: 'now' })],
  ['taking a cancellation back', planCancelUndo],
  ['taking a change back', planChangeUndo],
  ['a report on demand', ondemand('report')],
  ['an activation', activate(null)],
  ['closing usage', close(1)],
  ['a correction', (snapshot, now, newId): Outcome => planCorrections(snapshot, now, newId)],
])('%s of a frozen customer is refused', (_, rule) => {
  const { ledger, id, newId } = pro();
  ledger.pauses = [{ from: at('2025-01-05'), to: null }];
  const snapshot = snapshotOf(ledger, id(), at(NOW));
  expect(saidOf(() => rule(snapshot, at(NOW), newId))).toEqual(['customer_frozen', 'null: the customer is frozen; activate it first']);
});

test('a moved contract names the one it goes on as, a scheduled successor the one that carries the change', () => {
  const story = pro();
  const first = story.id();
  changes(story, '2025-01-05', changeToPlan(other));
  const moved = snapshotOf(story.ledger, first, at(NOW));
  expect(saidOf(() => planCancelUndo(moved, at(NOW), story.newId))).toEqual([
    'contract_ended',
    `null: the contract has ended; it goes on as ${story.id()}`,
  ]);
  const { newContractId } = changes(story, '2025-01-06', changeToPlan(cheap));
  const successor = snapshotOf(story.ledger, newContractId, at(NOW));
  expect(saidOf(() => planCancelUndo(successor, at(NOW), story.newId))).toEqual([
    'contract_not_active',
    `null: the contract waits for the change of ${story.id()}; call that one`,
  ]);
});

test('a frozen customer signs nothing', () => {
  const pauses = [{ from: at('2025-01-05'), to: null }];
  expect(saidOf(() => planSigning(signRequestOf(offer), at(NOW), { newId: countingIds(), pauses }))).toEqual([
    'customer_frozen',
    'null: the customer is frozen; activate it first',
  ]);
});

test('a pricing that the plan has not is refused under the field that fits none, with what it has', () => {
  const sold = [offer.pricing, { ...offer.pricing, id: 'Price_9', cycle: 'year' as const }];
  const none = { pricingId: null, currency: null, cycle: null, usual: null };
  const text = 'the plan has no such pricing; give the pricing_id, or currency and cycle, of one it has: usd month, usd year';
  const refused = (asked: Partial<PricingChoice>, path?: string) => saidOf(() => choosePricing(sold, { ...none, ...asked }, path));
  expect(refused({ currency: 'gbp' })).toEqual(['pricing_not_found', `currency: ${text}`]);
  expect(refused({ currency: 'gbp', cycle: 'week' })).toEqual(['pricing_not_found', `currency: ${text}`]);
  expect(refused({ currency: 'usd', cycle: 'week' })).toEqual(['pricing_not_found', `cycle: ${text}`]);
  expect(refused({ currency: 'usd' })).toEqual(['pricing_not_found', `cycle: ${text}`]);
  expect(refused({ pricingId: 'Price_8', currency: 'gbp' })).toEqual(['pricing_not_found', `pricing_id: ${text}`]);
  const own = { usual: { currency: 'eur', cycle: 'month' } } as const;
  expect(refused(own, 'upgrade_configuration.')).toEqual(['pricing_not_found', `upgrade_configuration.currency: ${text}`]);
  const many = Array.from({ length: 9 }, () => offer.pricing);
  expect(saidOf(() => choosePricing(many, { ...none, currency: 'usd' }))).toEqual([
    'pricing_not_found',
    expect.stringMatching(/^cycle: .*: (usd month, ){5}usd month and 3 more$/),
  ]);
});

test('a refusal is an error with a name of its own', () => {
  expect(new Refusal('past_date', 'x').name).toBe('Refusal');
});
