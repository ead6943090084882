import { defineEntity, p } from '@mikro-orm/core';
import type { InvoiceTurn } from '../../billing/invoice/settlement.ts';
import type { Currency } from '../../billing/money/currency.ts';
import { id, instant, json, moneyColumn, oneOf, serial, textColumn } from './columns.ts';
import { Customer } from './customer.ts';
import { Invoice } from './invoice.ts';
import { Vendor } from './vendor.ts';

export const Wallet = defineEntity({
  name: 'Wallet',
  tableName: 'wallet',
  uniques: [{ name: 'wallet_currency_unique', properties: ['customerId', 'currency'] }],
  checks: [{ name: 'wallet_balance_check', expression: 'balance >= held and held >= 0' }],
  properties: {
    id: id(),
    vendorId: () => p.manyToOne(Vendor).mapToPk().joinColumn('vendor_id'),
    customerId: () => p.manyToOne(Customer).mapToPk().joinColumn('customer_id'),
    currency: oneOf<Currency>(),
    balance: moneyColumn(),
    /** the part of the balance that is kept for open payment gates: nothing else may use it */
    held: moneyColumn().default('0'),
    /**
     * the open invoice behind which it and the prepaid credits of its customer have yet to pay: until they have,
     * nothing else collects these; null: they have paid what they can
     */
    paysAfter: json<InvoiceTurn>().strictNullable(),
  },
});

export const WalletTransaction = defineEntity({
  name: 'WalletTransaction',
  tableName: 'wallet_transaction',
  indexes: [{ properties: ['wallet', 'seq'] }, { properties: ['invoiceId'] }],
  uniques: [{ name: 'wallet_transaction_occasion_unique', properties: ['wallet', 'occasion'] }],
  properties: {
    id: id(),
    seq: serial(),
    wallet: () => p.manyToOne(Wallet).ref(),
    /** positive: the customer gained; negative: an invoice was paid or the vendor took back */
    amount: moneyColumn(),
    balanceAfter: moneyColumn(),
    description: textColumn(),
    invoiceId: () => p.manyToOne(Invoice).mapToPk().joinColumn('invoice_id').strictNullable().createForeignKeyConstraint(false),
    at: instant(),
    kind: oneOf<'credit' | 'payment' | 'grant' | 'opening' | 'refund'>(),
    /** what makes the movement unique, so that a second run writes nothing */
    occasion: textColumn(),
  },
});
