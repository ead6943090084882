import { defineEntity } from '@mikro-orm/core';
import { id, instant, moneyColumn, textColumn } from './columns.ts';

/**
 * An account of a vendor's books, by kind, owner (a customer, a provider, or '') and currency. Made when first posted
 * to.
 */
export const LedgerAccount = defineEntity({
  name: 'LedgerAccount',
  tableName: 'ledger_account',
  uniques: [{ name: 'ledger_account_unique', properties: ['vendorId', 'kind', 'owner', 'currency'] }],
  properties: { id: id(), vendorId: textColumn(), kind: textColumn(), owner: textColumn().default(''), currency: textColumn() },
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
    vendorId: textColumn(),
    customerId: textColumn(),
    kind: textColumn(),
    /** what makes it unique, so that a second run writes nothing */
    occasion: textColumn(),
    invoiceId: textColumn().strictNullable(),
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
  properties: { transactionId: textColumn().primary(), accountId: textColumn().primary(), amount: moneyColumn() },
});
