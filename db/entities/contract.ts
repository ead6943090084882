import { defineEntity, p } from '@mikro-orm/core';
import type {
  Cancellation,
  Configuration,
  Contract,
  ContractDiscount,
  ContractGate,
  ContractStatus,
  PendingChange,
  Terms,
} from '../../billing/contract/types.ts';
import type { Currency } from '../../billing/money/currency.ts';
import type { Caller } from '../transaction.ts';
import { big, flag, id, instant, json, moneyColumn, oneOf, serial, textColumn, whole, writtenBy, writtenByIndex } from './columns.ts';

/** One live contract per customer and plan; scheduled successors of a change don't count. */
const ONE_LIVE = `status in ('not_ready', 'pending', 'scheduled', 'active') and not is_successor`;

const IS_LIVE = `status in ('active', 'scheduled', 'pending', 'not_ready')`;

const Expiration = defineEntity({ name: 'Expiration', embeddable: true, properties: { at: instant(), setAt: instant() } });

export const ContractRecord = defineEntity({
  name: 'ContractRecord',
  tableName: 'contract',
  indexes: [
    { properties: ['vendorId', 'created', 'id'] },
    { properties: ['vendorId', 'status', 'created', 'id'] },
    { properties: ['vendorId', 'planId', 'created', 'id'] },
    { name: 'contract_live_plan_index', properties: ['vendorId', 'planId', 'customerCreated', 'customerId'], where: IS_LIVE },
    { name: 'contract_plan_name_index', properties: ['vendorId', 'planName', 'customerCreated', 'customerId'], where: IS_LIVE },
    { properties: ['customerId', 'ended', 'began'] },
    { name: 'contract_open_index', properties: ['customerId'], where: 'ended is null or usage_to_close' },
    { properties: ['rootId', 'ended'] },
    {
      name: 'contract_trial_index',
      properties: ['vendorId', 'trialEnd', 'id'],
      where: `status = 'active' and start_at is null and trial_end is not null`,
    },
    { name: 'contract_parked_index', properties: ['id'], where: 'parked_reason is not null' },
    writtenByIndex('contract'),
  ],
  uniques: [{ name: 'contract_one_live_unique', properties: ['customerId', 'planId'], where: ONE_LIVE }],
  properties: {
    id: id(),
    vendorId: textColumn(),
    customerId: textColumn(),
    /** the customer's; a trigger sets it, since customers of a plan are listed in the order of both columns */
    customerCreated: instant().defaultRaw(`'epoch'`).ignoreSchemaChanges('default').lazy(),
    planId: textColumn(),
    /** as its terms have it: lists look for it */
    planName: textColumn(),
    pricingId: textColumn(),
    clockId: textColumn().fieldName('test_clock_id').strictNullable(),
    rootId: textColumn(),
    predecessorId: textColumn().strictNullable(),
    successorId: textColumn().strictNullable(),
    isSuccessor: flag().default(false),
    status: oneOf<ContractStatus>(),
    cycle: oneOf<Terms['cycle']>(),
    currency: oneOf<Currency>(),
    terms: json<Terms>(),
    discount: json<ContractDiscount>().strictNullable(),
    configuration: json<Configuration>(),
    changeRules: json<Contract['changeRules']>().defaultRaw(`'{}'`),
    pauseRules: json<Contract['pauseRules']>().defaultRaw(`'{}'`),
    freeCycles: whole().default(0),
    created: instant(),
    activation: instant().strictNullable(),
    trialDays: whole().default(0),
    trialEnd: instant().strictNullable(),
    trialEndingSent: flag().default(false),
    expiration: p.embedded(Expiration).prefix('expiration_').strictNullable(),
    start: instant().fieldName('start_at').strictNullable(),
    offset: whole().fieldName('cycle_offset').strictNullable(),
    firstCycle: whole().default(0),
    cyclesBefore: whole().default(0),
    began: instant().strictNullable(),
    ended: instant().strictNullable(),
    /** it has ended, and a usage period of it isn't closed yet */
    usageToClose: flag().default(false),
    currentIdx: whole().strictNullable(),
    customCharged: json<Contract['customCharged']>(),
    cyclesLeft: json<NonNullable<Contract['cyclesLeft']>>().strictNullable(),
    givenBack: json<Contract['givenBack']>().default([]),
    carried: json<Contract['carried']>().defaultRaw(`'{"lost": [], "goesOn": [], "waiting": []}'`),
    pendingChange: json<PendingChange>().strictNullable(),
    cancellation: json<Cancellation>().strictNullable(),
    parkedReason: textColumn().strictNullable(),
    /** the open payment gate of this contract, or of the change it is to make */
    gate: json<ContractGate>().strictNullable(),
    /** price of a cycle as shown in the summary */
    amount: moneyColumn(),
    nextCycleStart: instant().strictNullable(),
    xid: writtenBy(),
  },
});

/** A usage slug is live in one chain of contracts of a customer. */
export const UsageOwner = defineEntity({
  name: 'UsageOwner',
  tableName: 'usage_owner',
  indexes: [{ properties: ['rootId'] }],
  properties: { customerId: textColumn().primary(), slug: textColumn().primary(), rootId: textColumn() },
});

/** What was done to a contract, in the order it happened: the past half of the timeline. */
export const ContractHistory = defineEntity({
  name: 'ContractHistory',
  tableName: 'contract_history',
  indexes: [{ properties: ['contractId', 'at', 'id'] }],
  properties: {
    id: serial().primary(),
    contractId: textColumn(),
    at: instant(),
    kind: textColumn(),
    detail: json<Record<string, unknown>>(),
    /** who asked for it: the id of a key, or of the customer in the portal */
    callerType: oneOf<Caller['type']>().default('system'),
    callerId: textColumn().strictNullable(),
    /** from the sequence of the log of events: a timeline knows which of two things at one instant came first */
    seq: big().defaultRaw(`nextval('event_seq_seq'::regclass)`).ignoreSchemaChanges('default'),
  },
});
