import { defineEntity } from '@mikro-orm/core';
import { id, instant, moneyColumn, textColumn, writtenBy, writtenByIndex } from './columns.ts';

/**
 * The accounts of a vendor's books. `receivable`, `wallet` and `credits` belong to a customer, `clearing` and
 * `disputed` to a provider. Debit is positive: what customers owe grows with debits, what is owed to them (wallet,
 * credits) or was earned (revenue) with credits.
 */
export const ACCOUNT_KINDS = [
  'receivable',
  'wallet',
  'credits',
  'revenue',
  'tax',
  'clearing',
  'grants',
  'openings',
  'promotions',
  'breakage',
  'disputed',
  'losses',
] as const;

/** One of these kinds of accounts. */
export type AccountKind = (typeof ACCOUNT_KINDS)[number];

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
    { properties: ['vendorId', 'clockId', 'at', 'id'] },
    writtenByIndex('ledger_transaction'),
  ],
  uniques: [{ name: 'ledger_transaction_occasion_unique', properties: ['kind', 'occasion'] }],
  properties: {
    id: id(),
    vendorId: textColumn(),
    /** the customer's test clock; '' for the wall clock */
    clockId: textColumn(),
    customerId: textColumn(),
    kind: textColumn(),
    /** what makes it unique, so that a second run writes nothing */
    occasion: textColumn(),
    invoiceId: textColumn().strictNullable(),
    at: instant(),
    xid: writtenBy(),
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
