import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { PaymentAttemptState } from '../../billing/lifecycle/payment-attempt.ts';
import type { PaymentSessionState } from '../../billing/lifecycle/payment-session.ts';
import type { Currency } from '../../billing/money/currency.ts';
import type { KeptNotice, ProviderName } from '../../billing/payment/types.ts';
import type { Caller } from '../transaction.ts';
import { Plan, Pricing } from './catalogue.ts';
import { flag, id, instant, json, moneyColumn, oneOf, textColumn, whole } from './columns.ts';
import { CreditNote } from './credit-note.ts';
import { Customer } from './customer.ts';
import { Invoice } from './invoice.ts';
import { PaymentGate } from './payment-gate.ts';
import { PaymentMethod } from './payment-method.ts';
import { TestClock, Vendor } from './vendor.ts';

/** 24 hours to set a method up; the token is the id. Client secrets are never stored. */
export const PaymentSession = defineEntity({
  name: 'PaymentSession',
  tableName: 'payment_session',
  indexes: [
    { properties: ['customerId', 'created'] },
    { properties: ['provider', 'reference'] },
    { name: 'payment_session_open_index', properties: ['customerId'], where: 'ended is null' },
  ],
  properties: {
    token: textColumn().primary().fieldName('id'),
    vendorId: () => p.manyToOne(Vendor).mapToPk().joinColumn('vendor_id'),
    customerId: () => p.manyToOne(Customer).mapToPk().joinColumn('customer_id'),
    clockId: () => p.manyToOne(TestClock).mapToPk().joinColumn('test_clock_id').strictNullable().deleteRule('no action'),
    created: instant(),
    expires: instant(),
    ended: instant().strictNullable(),
    status: oneOf<PaymentSessionState>(),
    reason: textColumn().strictNullable(),
    provider: oneOf<ProviderName>(),
    address: flag().default(false),
    detachPrevious: flag().default(false),
    planId: () => p.manyToOne(Plan).mapToPk().joinColumn('plan_id').strictNullable().deleteRule('no action'),
    pricingId: () => p.manyToOne(Pricing).mapToPk().joinColumn('pricing_id').strictNullable().deleteRule('no action'),
    reference: textColumn(),
    customerReference: textColumn().strictNullable(),
    connectedAccountId: textColumn().strictNullable(),
    publishableKey: textColumn().strictNullable(),
    /** who opened it; its end is often reported by the provider */
    callerType: oneOf<Caller['type']>().default('system'),
    methodId: () => p.manyToOne(PaymentMethod).mapToPk().joinColumn('method_id').strictNullable().deleteRule('no action'),
  },
});
export type PaymentSessionRecord = InferEntity<typeof PaymentSession>;

/** One try to pay an invoice or a gate. The open one is its lease: at most one is `processing`. */
export const PaymentAttempt = defineEntity({
  name: 'PaymentAttempt',
  tableName: 'payment_attempt',
  indexes: [
    { properties: ['invoiceId', 'created'] },
    { properties: ['gateId'] },
    { properties: ['customerId', 'created', 'id'] },
    { properties: ['provider', 'reference'] },
    { name: 'payment_attempt_open_index', properties: ['customerId'], where: `status = 'processing'` },
    { name: 'payment_attempt_clock_index', properties: ['clockId'], where: `status = 'processing' and test_clock_id is not null` },
    { name: 'payment_attempt_under_way_index', properties: ['id'], where: `status = 'processing' and ask_at is null` },
  ],
  uniques: [
    { name: 'payment_attempt_one_open', properties: ['invoiceId'], where: `status = 'processing'` },
    { name: 'payment_attempt_one_open_of_gate', properties: ['gateId'], where: `status = 'processing'` },
    { name: 'payment_attempt_key_unique', properties: ['provider', 'providerKey'] },
  ],
  checks: [{ name: 'payment_attempt_for_check', expression: 'invoice_id is not null or gate_id is not null' }],
  properties: {
    id: id(),
    vendorId: () => p.manyToOne(Vendor).mapToPk().joinColumn('vendor_id'),
    customerId: () => p.manyToOne(Customer).mapToPk().joinColumn('customer_id'),
    /**
     * checked at the COMMIT, since the invoice is written last. Null while its gate waits, and for money that came too
     * late
     */
    invoiceId: () => p.manyToOne(Invoice).mapToPk().joinColumn('invoice_id').strictNullable().deleteRule('no action').deferMode('deferred'),
    /** the gate that it is to pay; null for an attempt to pay an invoice */
    gateId: () => p.manyToOne(PaymentGate).mapToPk().joinColumn('gate_id').strictNullable().deleteRule('no action'),
    clockId: () => p.manyToOne(TestClock).mapToPk().joinColumn('test_clock_id').strictNullable().deleteRule('no action'),
    methodId: () => p.manyToOne(PaymentMethod).mapToPk().joinColumn('method_id').strictNullable().deleteRule('no action'),
    provider: oneOf<ProviderName>(),
    origin: oneOf<'automatic' | 'request' | 'recorded'>(),
    amount: moneyColumn(),
    currency: oneOf<Currency>(),
    status: oneOf<PaymentAttemptState>(),
    reason: textColumn().strictNullable(),
    retryable: flag().strictNullable(),
    /** the idempotency key as the provider takes it */
    providerKey: textColumn(),
    /** the provider's id of the charge, or the vendor's own reference of a recorded payment */
    reference: textColumn().strictNullable(),
    /** the provider may have been called since */
    calledAt: instant().strictNullable(),
    /** the provider said that it has no outcome before then */
    askAt: instant().strictNullable(),
    /** where the customer goes on after confirming at the bank; null: no customer waits */
    returnUrl: textColumn().strictNullable(),
    created: instant(),
    ended: instant().strictNullable(),
    ledgerTransactionId: textColumn().strictNullable(),
  },
});
export type PaymentAttemptRecord = InferEntity<typeof PaymentAttempt>;

/** The retries of an invoice; the row is made by the first failure and starts again with another method. */
export const Dunning = defineEntity({
  name: 'Dunning',
  tableName: 'dunning',
  indexes: [{ properties: ['customerId'] }],
  properties: {
    invoiceId: () => p.manyToOne(Invoice).mapToPk().primary().joinColumn('invoice_id').deleteRule('no action').updateRule('no action'),
    customerId: () => p.manyToOne(Customer).mapToPk().joinColumn('customer_id'),
    methodId: () => p.manyToOne(PaymentMethod).mapToPk().joinColumn('method_id'),
    firstFailure: instant(),
    failures: whole(),
    /** days after the first failure, as they were set when it happened */
    retryDays: json<number[]>(),
    /** no further automatic retry follows */
    givenUp: flag().default(false),
    /** when the contract was canceled, or the customer frozen, because of it */
    ended: instant().strictNullable(),
  },
});

/** A refund: by a credit note of ours, or made directly at the provider. */
export const PaymentRefund = defineEntity({
  name: 'PaymentRefund',
  tableName: 'payment_refund',
  indexes: [
    { properties: ['attempt'] },
    { properties: ['creditNote'] },
    { name: 'payment_refund_under_way_index', properties: ['id'], where: `status = 'processing'` },
  ],
  properties: {
    id: id(),
    vendorId: () => p.manyToOne(Vendor).mapToPk().joinColumn('vendor_id'),
    customer: () => p.manyToOne(Customer).ref(),
    attempt: () => p.manyToOne(PaymentAttempt).ref(),
    creditNote: () => p.manyToOne(CreditNote).ref().strictNullable().deleteRule('no action'),
    amount: moneyColumn(),
    currency: oneOf<Currency>(),
    status: oneOf<'processing' | 'succeeded' | 'failed'>(),
    reason: textColumn().strictNullable(),
    reference: textColumn().strictNullable(),
    created: instant(),
    ended: instant().strictNullable(),
  },
});
export type PaymentRefundRecord = InferEntity<typeof PaymentRefund>;

export const PaymentDispute = defineEntity({
  name: 'PaymentDispute',
  tableName: 'payment_dispute',
  indexes: [{ properties: ['attempt'] }],
  properties: {
    /** the provider's id */
    reference: textColumn().primary(),
    vendorId: () => p.manyToOne(Vendor).mapToPk().joinColumn('vendor_id'),
    customerId: () => p.manyToOne(Customer).mapToPk().joinColumn('customer_id'),
    attempt: () => p.manyToOne(PaymentAttempt).ref(),
    amount: moneyColumn(),
    currency: oneOf<Currency>(),
    state: oneOf<'open' | 'won' | 'lost'>(),
    reason: textColumn(),
    opened: instant(),
    closed: instant().strictNullable(),
    /** when the provider reported the state that this row has */
    reported: instant(),
  },
});
export type PaymentDisputeRecord = InferEntity<typeof PaymentDispute>;

/** What providers reported, each notice once. */
export const PaymentNotice = defineEntity({
  name: 'PaymentNotice',
  tableName: 'payment_notice',
  properties: { provider: oneOf<ProviderName>().primary(), id: textColumn().primary(), received: instant(), notice: json<KeptNotice>() },
});

/** The sandbox processor's own book; written through connections of its own. */
export const SandboxCharge = defineEntity({
  name: 'SandboxCharge',
  tableName: 'sandbox_charge',
  uniques: [{ name: 'sandbox_charge_reference_unique', properties: ['reference'] }],
  properties: {
    key: textColumn().primary(),
    reference: textColumn(),
    method: textColumn(),
    amount: moneyColumn(),
    currency: textColumn(),
    status: textColumn(),
    reason: textColumn().strictNullable(),
    /** on the customer's clock, epoch milliseconds */
    settlesAt: moneyColumn(),
  },
});

export const SandboxSetup = defineEntity({
  name: 'SandboxSetup',
  tableName: 'sandbox_setup',
  properties: { reference: textColumn().primary(), choice: textColumn().strictNullable(), confirmations: whole() },
});

export const SandboxRefund = defineEntity({
  name: 'SandboxRefund',
  tableName: 'sandbox_refund',
  indexes: [{ properties: ['chargeReference'] }],
  properties: { key: textColumn().primary(), chargeReference: textColumn(), amount: moneyColumn() },
});
