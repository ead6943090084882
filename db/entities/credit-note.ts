import { defineEntity, type InferEntity } from '@mikro-orm/core';
import { big, id, instant, money, text } from './columns.ts';

/** A correction of a validated invoice; never changed afterwards. */
export const CreditNote = defineEntity({
  name: 'CreditNote',
  tableName: 'credit_note',
  indexes: [{ properties: ['invoiceId', 'created'] }],
  uniques: [{ name: 'credit_note_number_unique', properties: ['vendorId', 'series', 'number'] }],
  checks: [{ name: 'credit_note_total_check', expression: 'total > 0 and total = reduced + to_wallet + to_payment' }],
  properties: {
    id: id(),
    vendorId: text(),
    customerId: text(),
    invoiceId: text(),
    /** gap-free within vendor and series, a count apart from the invoices' */
    number: big(),
    series: text(),
    created: instant(),
    currency: text(),
    /** wallet | payment, as asked */
    target: text(),
    total: money(),
    taxAmount: money(),
    /** the part that lowered what was still unpaid */
    reduced: money(),
    toWallet: money(),
    toPayment: money(),
    notes: text().strictNullable(),
  },
});
export type CreditNoteRow = InferEntity<typeof CreditNote>;

export const CreditNoteItem = defineEntity({
  name: 'CreditNoteItem',
  tableName: 'credit_note_item',
  indexes: [{ properties: ['invoiceItemId'] }],
  properties: {
    creditNoteId: text().primary(),
    invoiceItemId: text().primary(),
    amount: money(),
    totalExcludingTax: money(),
    taxAmount: money(),
  },
});
