import { defineEntity } from '@mikro-orm/core';
import type { Cancellation, Configuration, Contract, ContractDiscount, PendingChange, Terms } from '../../billing/contract/types.ts';
import { big, flag, id, instant, json, moneyColumn, serial, textColumn, whole } from './columns.ts';

/** One live contract per customer and plan; scheduled successors of a change don't count. */
const ONE_LIVE = `status in ('not_ready', 'pending', 'scheduled', 'active') and not is_successor`;

export const ContractRecord = defineEntity({
  name: 'ContractRecord',
  tableName: 'contract',
  indexes: [
    { properties: ['vendorId', 'created', 'id'] },
    { properties: ['vendorId', 'status'] },
    { properties: ['vendorId', 'planId'] },
    { properties: ['customerId'] },
    { properties: ['rootId'] },
    { name: 'contract_live_index', properties: ['testClockId'], where: `status in ('not_ready', 'pending', 'scheduled', 'active')` },
  ],
  uniques: [{ name: 'contract_one_live_unique', properties: ['customerId', 'planId'], where: ONE_LIVE }],
  properties: {
    id: id(),
    vendorId: textColumn(),
    customerId: textColumn(),
    planId: textColumn(),
    pricingId: textColumn(),
    testClockId: textColumn().nullable(),
    rootId: textColumn(),
    predecessorId: textColumn().nullable(),
    successorId: textColumn().nullable(),
    isSuccessor: flag().default(false),
    status: textColumn(),
    cycle: textColumn(),
    currency: textColumn(),
    terms: json<Terms>(),
    discount: json<ContractDiscount>().nullable(),
    configuration: json<Configuration>(),
    freeCycles: whole().default(0),
    created: instant(),
    activation: instant().nullable(),
    trialDays: whole().default(0),
    trialEnd: instant().nullable(),
    expirationAt: instant().nullable(),
    expirationSetAt: instant().nullable(),
    startAt: instant().nullable(),
    cycleOffset: whole().nullable(),
    firstCycle: whole().default(0),
    cyclesBefore: whole().default(0),
    began: instant().nullable(),
    ended: instant().nullable(),
    currentIdx: whole().nullable(),
    customCharged: json<{ month: number; quarter: number; year: number }>(),
    cyclesLeft: json<NonNullable<Contract['cyclesLeft']>>().nullable(),
    givenBack: json<Contract['givenBack']>().default([]),
    pendingChange: json<PendingChange>().nullable(),
    cancellation: json<Cancellation>().nullable(),
    parkedReason: textColumn().nullable(),
    /** price of a cycle as shown in the summary */
    amount: moneyColumn(),
    nextCycleStart: instant().nullable(),
    /** grows with every write: estimates and compare-and-swap */
    version: whole().default(1),
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
    /** from the sequence of the log of events: a timeline knows which of two things at one instant came first */
    seq: big().defaultRaw(`nextval('event_seq_seq'::regclass)`).ignoreSchemaChanges('default'),
  },
});
