import { defineEntity } from '@mikro-orm/core';
import { id, instant, money, text } from './columns.ts';

/**
 * An account of a vendor's books, by kind, owner (a customer, a provider, or '') and currency. Made when first posted
 * to.
 */
export const LedgerAccount = defineEntity({
  name: 'LedgerAccount',
  tableName: 'ledger_account',
  uniques: [{ name: 'ledger_account_unique', properties: ['vendorId', 'kind', 'owner', 'currency'] }],
  properties: { id: id(), vendorId: text(), kind: text(), owner: text().default(''), currency: text() },
});

/** One thing that happened to money. Never changed, never deleted. */
export const LedgerTransaction = defineEntity({
  name: 'LedgerTransaction',
  tableName: 'ledger_transaction',
  indexes: [
    { name: 'ledger_transaction_invoice_index', properties: ['invoiceId'], where: 'invoice_id is not null' },
    { properties: ['customerId'] },
  ],
  uniques: [{ name: 'ledger_transaction_occasion_unique', properties: ['kind', 'occasion'] }],
  properties: {
    id: id(),
    vendorId: text(),
    customerId: text(),
    kind: text(),
    /** what makes it unique, so that a second run writes nothing */
    occasion: text(),
    invoiceId: text().strictNullable(),
    at: instant(),
  },
});

/**
 * Debits are positive, credits negative; those of a transaction add up to zero, which a trigger checks at the end of
 * each statement.
 */
export const LedgerPosting = defineEntity({
  name: 'LedgerPosting',
  tableName: 'ledger_posting',
  indexes: [{ properties: ['accountId'] }],
  properties: { transactionId: text().primary(), accountId: text().primary(), amount: money() },
});
