import { contractActivities } from '../../../activities/contract/index.ts';
import type { ActivityDependencies } from '../../../activities/dependencies.ts';
import { CONTRACT_KINDS } from '../../../db/agenda/contract-kinds.ts';
import { PLACES_AT_ONE_INSTANT } from '../../../db/sql/agenda/as-carried-out.ts';
import { FREEZE_END } from '../../../services/customer/freeze-end.ts';
import { PAYMENT_KINDS } from '../../../services/payment/collect.ts';
import { GATE_KIND } from '../../../services/payment-gate/close.ts';
import { MESSAGE_KINDS } from '../../../temporal/message-kinds.ts';
import { lifecycle } from '../../../workflows/contract/lifecycle.ts';
import { placeOf } from '../../../workflows/contract/order.messages.ts';
import * as workflows from '../../../workflows/index.ts';

/** Activities only take their dependencies along until they run. */
const activities = Object.keys(contractActivities({} as ActivityDependencies));

describe('names that Postgres rows and workflows share', () => {
  it('every kind of message names a workflow the worker has, and every workflow has a kind', () => {
    expect(new Set(Object.values(MESSAGE_KINDS).map(({ workflow }) => workflow))).toEqual(new Set(Object.keys(workflows)));
  });

  it('every kind of agenda row of a chain has its concern in the lifecycle and its place in the declared order', () => {
    const kinds = [...CONTRACT_KINDS, GATE_KIND, ...PAYMENT_KINDS];
    expect(new Set(Object.keys(lifecycle))).toEqual(new Set(kinds));
    expect(kinds.map(placeOf)).toEqual(kinds.map((_, place) => place));
    // a timeline also has the end of the customer's freeze
    expect(PLACES_AT_ONE_INSTANT.flat().filter((kind) => kind !== FREEZE_END)).toEqual(kinds);
  });

  it('every concern names an activity the worker has, and every activity but the plain look has a concern', () => {
    const named = new Set<string>(Object.values(lifecycle).map(({ activity }) => activity));
    expect(new Set(activities)).toEqual(new Set([...named, 'readSchedule']));
  });

  it.each([
    ['closeUsagePeriod', ['usage_closing']],
    ['endContract', ['cancellation', 'expiration']],
    ['applyScheduledChange', ['scheduled_change']],
    ['endTrial', ['trial_cancellation', 'trial_end']],
    ['activate', ['activation']],
    ['rollOverCycle', ['boundary', 'custom_charge']],
    ['collectPayment', ['payment_due', 'payment_retry', 'payment_answer']],
    ['endDunning', ['dunning_end']],
  ])('%s carries out %j', (activity, kinds) => {
    expect(Object.keys(lifecycle).filter((kind) => lifecycle[kind]?.activity === activity)).toEqual(kinds);
  });
});
