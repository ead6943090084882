import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { Contract } from '../../billing/contract/types.ts';
import type { LineUse } from '../../billing/credit/types.ts';
import type { PaymentGateState } from '../../billing/lifecycle/payment-gate.ts';
import type { Currency } from '../../billing/money/currency.ts';
import { instant, json, moneyColumn, oneOf, orderedJson, textColumn } from './columns.ts';
import { Customer } from './customer.ts';
import { PaymentMethod } from './payment-method.ts';
import { TestClock, Vendor } from './vendor.ts';

/**
 * A change or a signing that waits for its payment. One is open for a contract at most. While it is open, its contract
 * stands in `contract` as `scheduled` or `pending`; where the gate ends otherwise than by its payment, that row goes,
 * and only the copy here is left to be read.
 */
export const PaymentGate = defineEntity({
  name: 'PaymentGate',
  tableName: 'payment_gate',
  indexes: [{ properties: ['customerId', 'created', 'contractId'] }],
  uniques: [{ name: 'payment_gate_one_open', properties: ['fromContractId'], where: `status = 'waiting'` }],
  properties: {
    /** the contract that the payment makes */
    contractId: textColumn().primary(),
    vendorId: () => p.manyToOne(Vendor).mapToPk().joinColumn('vendor_id'),
    customerId: () => p.manyToOne(Customer).mapToPk().joinColumn('customer_id'),
    clockId: () => p.manyToOne(TestClock).mapToPk().joinColumn('test_clock_id').strictNullable().deleteRule('no action'),
    /** the contract that is to be changed; null for a signing */
    fromContractId: textColumn().strictNullable(),
    /** the workflow that waits for its end: the chain's */
    workflowId: textColumn(),
    /** the method that pays it: where another one was chosen, the attempt under way is given up for it */
    methodId: () => p.manyToOne(PaymentMethod).mapToPk().joinColumn('method_id'),
    /** an attempt that was to be given up for another method: its failure is no refusal, whatever was chosen since */
    givenUpId: textColumn().strictNullable(),
    status: oneOf<PaymentGateState>(),
    reason: textColumn().strictNullable(),
    currency: oneOf<Currency>(),
    invoiceAmount: moneyColumn(),
    fromCredits: moneyColumn(),
    /** what it holds of each grant, for which invoice, and what that pays of each line */
    holds: json<{ grant: string; invoice: string; amount: string; lines: LineUse[] }[]>(),
    fromWallet: moneyColumn(),
    toPay: moneyColumn(),
    /** the invoice that the charge pays first; the payment makes it */
    invoiceId: textColumn(),
    created: instant(),
    expires: instant(),
    ended: instant().strictNullable(),
    /** what was asked for */
    input: orderedJson<unknown>(),
    /** what it is computed from; null once it has ended */
    basis: orderedJson<unknown>().strictNullable(),
    /** the contract as it waits */
    contract: orderedJson<Contract>(),
  },
});
export type PaymentGateRecord = InferEntity<typeof PaymentGate>;
