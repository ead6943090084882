import { at, type Instant } from '../../../billing/calendar/instant.ts';
import { advance } from '../../../billing/contract/advance/advance.ts';
import { planCancellation } from '../../../billing/contract/change/cancel.ts';
import { planChange } from '../../../billing/contract/change/change.ts';
import { leavesChangeAsItIs } from '../../../billing/contract/change/undisturbed.ts';
import { planUsageClosing } from '../../../billing/contract/charge/close-usage.ts';
import { planOnDemand } from '../../../billing/contract/charge/on-demand.ts';
import type { ContractSnapshot, NewId, Outcome } from '../../../billing/contract/types.ts';
import { planOffer, price, usagePrice } from '../../support-billing/catalogue.ts';
import { changeToPlan } from '../../support-billing/changes.ts';
import { snapshotOf } from '../../support-billing/ledger.ts';
import { signs } from '../../support-billing/story.ts';

const features = { report: ['on_demand', price('5')] as const, calls: usagePrice('1') };
const plan = planOffer('pro', { price: '10', features: { report: [...features.report], calls: features.calls } });

type Rule = (snapshot: ContractSnapshot, now: Instant, newId: NewId) => Outcome;
const charge: Rule = (snapshot, now, newId) => planOnDemand(snapshot, { slug: 'report', units: null }, now, newId);

/** Of a contract by the month, signed on 1 January, with 3 calls since, which close by hand. */
function leaves(date: string, rule: Rule): boolean {
  const story = signs('2025-01-01', plan, { configuration: { usagePeriodClosingPolicy: 'manual' } });
  story.uses('2025-01-10', 'calls', '3');
  const snapshot = snapshotOf(story.ledger, story.id(), at(date));
  return leavesChangeAsItIs(snapshot, rule(snapshot, at(date), story.newId));
}

it.each<[string, string, boolean, Rule]>([
  ['a charge on demand', '2025-01-15', true, charge],
  ['a charge on demand behind a rollover that it carries out first', '2025-02-02', false, charge],
  ['a rollover', '2025-02-02', false, (snapshot, now, newId) => advance(snapshot, now, newId)],
  ['a look at which nothing is due', '2025-01-15', false, (snapshot, now, newId) => advance(snapshot, now, newId)],
  [
    'a cancellation for the end of the cycle',
    '2025-01-15',
    false,
    (snapshot, now, newId) => planCancellation(snapshot, { when: { type: 'end_of_cycle' }, credit: false, notes: null }, now, newId),
  ],
  ['a usage period that is closed', '2025-01-15', false, (snapshot, now, newId) => planUsageClosing(snapshot, 1, now, newId)],
  [
    'another change',
    '2025-01-15',
    false,
    (snapshot, now, newId) => planChange(snapshot, changeToPlan(planOffer('max', { price: '20' })), now, newId).outcome,
  ],
])('%s leaves a change as it is that was computed before: %s, %s', (_what, date, expected, rule) => {
  expect(leaves(date, rule)).toBe(expected);
});
