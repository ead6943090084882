import { defineEntity } from '@mikro-orm/core';
import { id, instant, money, serial, text } from './columns.ts';

export const Wallet = defineEntity({
  name: 'Wallet',
  tableName: 'wallet',
  uniques: [{ name: 'wallet_currency_unique', properties: ['customerId', 'currency'] }],
  checks: [{ name: 'wallet_balance_check', expression: 'balance >= 0' }],
  properties: { id: id(), vendorId: text(), customerId: text(), currency: text(), balance: money() },
});

export const WalletTransaction = defineEntity({
  name: 'WalletTransaction',
  tableName: 'wallet_transaction',
  indexes: [{ properties: ['walletId', 'seq'] }, { properties: ['invoiceId'] }],
  uniques: [{ name: 'wallet_transaction_occasion_unique', properties: ['walletId', 'occasion'] }],
  properties: {
    id: id(),
    seq: serial(),
    walletId: text(),
    /** positive: the customer gained; negative: an invoice was paid or the vendor took back */
    amount: money(),
    balanceAfter: money(),
    description: text(),
    invoiceId: text().strictNullable(),
    at: instant(),
    /** credit | payment | grant | refund */
    kind: text(),
    /** what makes the movement unique, so that a second run writes nothing */
    occasion: text(),
  },
});
