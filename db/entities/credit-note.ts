import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { Currency } from '../../billing/money/currency.ts';
import { big, id, instant, moneyColumn, oneOf, textColumn } from './columns.ts';
import { Customer } from './customer.ts';
import { Invoice, InvoiceItem } from './invoice.ts';
import { PaymentRefund } from './payment.ts';
import { Vendor } from './vendor.ts';

/** A correction of a validated invoice; never changed afterwards. */
export const CreditNote = defineEntity({
  name: 'CreditNote',
  tableName: 'credit_note',
  indexes: [{ properties: ['invoiceId', 'created'] }, { properties: ['customerId', 'created', 'id'] }],
  uniques: [{ name: 'credit_note_number_unique', properties: ['vendorId', 'series', 'serialNumber'] }],
  checks: [
    { name: 'credit_note_total_check', expression: 'total > 0 and total = reduced + to_credits + to_wallet + to_payment' },
    { name: 'credit_note_ended_check', expression: 'to_credits_ended >= 0 and to_credits_ended <= to_credits' },
  ],
  properties: {
    id: id(),
    vendorId: () => p.manyToOne(Vendor).mapToPk().joinColumn('vendor_id'),
    customerId: () => p.manyToOne(Customer).mapToPk().joinColumn('customer_id'),
    invoiceId: () => p.manyToOne(Invoice).mapToPk().joinColumn('invoice_id'),
    /** gap-free within vendor and series, a count apart from the invoices' */
    serialNumber: big().fieldName('number'),
    /** the same as it is printed */
    number: textColumn().fieldName('printed_number'),
    series: textColumn(),
    created: instant(),
    currency: oneOf<Currency>(),
    /** as asked */
    target: oneOf<'wallet' | 'payment'>(),
    total: moneyColumn(),
    taxAmount: moneyColumn(),
    /** the part that lowered what was still unpaid */
    reduced: moneyColumn(),
    /** the part that went back to the prepaid credits that had paid */
    toCredits: moneyColumn(),
    /** of that, what had expired or was voided and so ended again at once */
    toCreditsEnded: moneyColumn(),
    toWallet: moneyColumn(),
    toPayment: moneyColumn(),
    notes: textColumn().strictNullable(),
    items: () => p.oneToMany(CreditNoteItem).mappedBy('creditNote').orderBy({ item: 'asc' }),
    refunds: () => p.oneToMany(PaymentRefund).mappedBy('creditNote').orderBy({ id: 'asc' }),
  },
});
export type CreditNoteRecord = InferEntity<typeof CreditNote>;

export const CreditNoteItem = defineEntity({
  name: 'CreditNoteItem',
  tableName: 'credit_note_item',
  indexes: [{ properties: ['item'] }],
  properties: {
    creditNote: () => p.manyToOne(CreditNote).ref().primary().deleteRule('no action').updateRule('no action'),
    item: () => p.manyToOne(InvoiceItem).ref().primary().joinColumn('invoice_item_id').deleteRule('no action').updateRule('no action'),
    amount: moneyColumn(),
    totalExcludingTax: moneyColumn(),
    taxAmount: moneyColumn(),
  },
});
