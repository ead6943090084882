import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { Derivation, Line } from '../../billing/invoice/types.ts';
import type { InvoiceState } from '../../billing/lifecycle/invoice.ts';
import type { Currency } from '../../billing/money/currency.ts';
import {
  big,
  flag,
  id,
  inside,
  instant,
  moneyColumn,
  oneOf,
  orderedJson,
  textColumn,
  whole,
  writtenBy,
  writtenByIndex,
} from './columns.ts';
import { ContractRecord } from './contract.ts';
import { Customer } from './customer.ts';
import { TestClock, Vendor } from './vendor.ts';

const Span = defineEntity({ name: 'Span', embeddable: true, properties: { start: instant(), end: instant().strictNullable() } });

/**
 * Without foreign keys: they are written with every bill run (docs/decisions/persistence-mikroorm.md). Unique
 * (contract, charge key) is the guard against charging twice; of what belongs to no contract (customer, charge key).
 */
export const InvoiceItem = defineEntity({
  name: 'InvoiceItem',
  tableName: 'invoice_item',
  indexes: [
    { properties: ['invoiceId'] },
    { name: 'invoice_item_waiting_index', properties: ['contractId'], where: 'invoice_id is null and not voided and not elsewhere' },
    {
      name: 'invoice_item_span_index',
      properties: ['contractId', inside('span.end')],
      where: `kind in ('recurring', 'custom') and span_start is not null and not voided`,
    },
    { name: 'invoice_item_elsewhere_index', properties: ['contractId'], where: `elsewhere and kind = 'custom' and not voided` },
    { name: 'invoice_item_part_index', properties: ['contractId', 'periodIdx', 'source', 'part', 'id'], where: 'part is not null' },
    {
      name: 'invoice_item_voided_part_index',
      properties: ['contractId', 'periodIdx', 'source', 'part'],
      where: 'part is not null and voided',
    },
    { name: 'invoice_item_voided_of_customer_index', properties: ['customerId'], where: 'part is not null and voided' },
    {
      name: 'invoice_item_given_back_index',
      properties: ['creditOf'],
      where: `credit_of is not null and not voided and derivation -> 'until' is null`,
    },
    { name: 'invoice_item_credit_index', properties: ['creditOf'], where: 'credit_of is not null' },
    { properties: ['vendorId', 'created', 'id'] },
    writtenByIndex('invoice_item'),
  ],
  uniques: [
    { name: 'invoice_item_charge_unique', properties: ['contractId', 'chargeKey'] },
    { name: 'invoice_item_customer_charge_unique', properties: ['customerId', 'chargeKey'], where: 'contract_id is null' },
  ],
  properties: {
    id: id(),
    vendorId: () => p.manyToOne(Vendor).mapToPk().joinColumn('vendor_id').createForeignKeyConstraint(false),
    customerId: () => p.manyToOne(Customer).mapToPk().joinColumn('customer_id').createForeignKeyConstraint(false),
    contractId: () => p.manyToOne(ContractRecord).mapToPk().joinColumn('contract_id').strictNullable().createForeignKeyConstraint(false),
    chargeKey: textColumn(),
    invoiceId: () => p.manyToOne(Invoice).mapToPk().joinColumn('invoice_id').strictNullable().createForeignKeyConstraint(false),
    kind: oneOf<Line['kind']>(),
    source: textColumn(),
    name: textColumn(),
    description: textColumn().strictNullable(),
    currency: oneOf<Currency>(),
    span: p.embedded(Span).prefix('span_').strictNullable(),
    dueDate: instant(),
    schedulingPolicy: oneOf<Line['schedulingPolicy']>(),
    unitCount: moneyColumn(),
    unitPrice: moneyColumn(),
    subtotal: moneyColumn(),
    discountAmount: moneyColumn(),
    discountDescription: textColumn().strictNullable(),
    totalExcludingTax: moneyColumn(),
    taxAmount: moneyColumn(),
    totalIncludingTax: moneyColumn(),
    taxCode: textColumn().strictNullable(),
    taxRate: moneyColumn().strictNullable(),
    taxPolicy: oneOf<Line['taxPolicy']>(),
    reverseCharge: flag().default(false),
    creditOf: () => p.manyToOne(InvoiceItem).mapToPk().joinColumn('credit_of').strictNullable().createForeignKeyConstraint(false),
    periodIdx: whole().strictNullable(),
    /** of usage that an invoice threshold has charged before its period closed: which of the period it is, from 1 */
    part: whole().strictNullable(),
    /** json, not jsonb: it is only read whole, and making jsonb of it was a third of what writing a line cost */
    derivation: orderedJson<Derivation>(),
    position: whole().default(0),
    created: instant(),
    /** doesn't count: its invoice was voided, or it says only that nothing was used */
    voided: flag().default(false),
    /** of an imported contract: another system has charged it, so it is on no invoice here */
    elsewhere: flag().default(false),
    xid: writtenBy(),
  },
});
export type InvoiceItemRecord = InferEntity<typeof InvoiceItem>;

export const Invoice = defineEntity({
  name: 'Invoice',
  tableName: 'invoice',
  indexes: [
    { properties: ['vendorId', 'date', 'id'] },
    { properties: ['vendorId', 'status', 'date', 'id'] },
    { properties: ['customerId', 'date', 'id'] },
    { properties: ['contractId', 'date'] },
    { name: 'invoice_open_index', properties: ['customerId', 'currency', 'dueDate', 'id'], where: `status = 'ready_for_payment'` },
    { name: 'invoice_pending_index', properties: ['customerId', 'contractId', 'date', 'id'], where: `status = 'pending_validation'` },
    writtenByIndex('invoice'),
  ],
  uniques: [{ name: 'invoice_number_unique', properties: ['vendorId', 'series', 'serialNumber'] }],
  checks: [{ name: 'invoice_amount_due_check', expression: 'amount_due >= 0 and total >= 0' }],
  properties: {
    id: id(),
    vendorId: () => p.manyToOne(Vendor).mapToPk().joinColumn('vendor_id').createForeignKeyConstraint(false),
    customerId: () => p.manyToOne(Customer).mapToPk().joinColumn('customer_id').createForeignKeyConstraint(false),
    contractId: () => p.manyToOne(ContractRecord).mapToPk().joinColumn('contract_id').strictNullable().createForeignKeyConstraint(false),
    clockId: () => p.manyToOne(TestClock).mapToPk().joinColumn('test_clock_id').strictNullable().createForeignKeyConstraint(false),
    /** gap-free within vendor and series, given when the invoice is made */
    serialNumber: big().fieldName('number'),
    /** the same as it is printed, by the vendor's format of that time */
    number: textColumn().fieldName('printed_number'),
    /** '' for the wall clock, else the clock's id */
    series: textColumn().default(''),
    date: instant(),
    dueDate: instant(),
    status: oneOf<InvoiceState>(),
    currency: oneOf<Currency>(),
    total: moneyColumn(),
    /** what remains to be paid */
    amountDue: moneyColumn(),
    automatic: flag(),
    trigger: textColumn(),
    depositTransactionStatus: oneOf<'not_processed' | 'processing' | 'succeeded' | 'failed'>().default('not_processed'),
    depositTransactionId: textColumn().strictNullable(),
    externalReference: textColumn().strictNullable(),
    created: instant(),
    validatedAt: instant().strictNullable(),
    voidedAt: instant().strictNullable(),
    paidAt: instant().strictNullable(),
    xid: writtenBy(),
  },
});
export type InvoiceEntity = InferEntity<typeof Invoice>;

export const InvoiceCounter = defineEntity({
  name: 'InvoiceCounter',
  tableName: 'invoice_counter',
  properties: { vendorId: textColumn().primary(), series: textColumn().primary(), last: big() },
});
