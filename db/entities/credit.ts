import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { GrantKind } from '../../billing/credit/types.ts';
import type { Currency } from '../../billing/money/currency.ts';
import { id, instant, json, moneyColumn, oneOf, serial, textColumn, whole } from './columns.ts';
import { ContractRecord } from './contract.ts';
import { Customer } from './customer.ts';
import { Invoice } from './invoice.ts';
import { Vendor } from './vendor.ts';

/**
 * What a movement of a grant says: it was granted, paid an invoice, got something back, expired, was voided, a credit
 * note gave its price back, or a part of it was taken back by a change of the contract that had given it.
 */
export type CreditMovementKind = 'granted' | 'used' | 'returned' | 'expired' | 'voided' | 'refunded' | 'taken_back';

/** Prepaid credits of a customer, with what is left of them. */
export const CreditGrant = defineEntity({
  name: 'CreditGrant',
  tableName: 'credit_grant',
  indexes: [
    { name: 'credit_grant_open_index', properties: ['customerId', 'currency'], where: 'balance > 0' },
    { properties: ['vendorId', 'created', 'id'] },
    { properties: ['customerId', 'created', 'id'] },
    { name: 'credit_grant_invoice_index', properties: ['invoiceId'], where: 'invoice_id is not null' },
    { name: 'credit_grant_contract_id_index', properties: ['contractId'], where: 'contract_id is not null' },
  ],
  uniques: [
    { name: 'credit_grant_cycle_unique', properties: ['contractId', 'periodIdx'], where: 'rolled_from is null' },
    { name: 'credit_grant_rolled_from_unique', properties: ['rolledFrom'], where: 'rolled_from is not null' },
    {
      name: 'credit_grant_one_top_up_unique',
      properties: ['customerId', 'currency'],
      where: 'top_up_id is not null and paid_at is null and voided_at is null',
    },
  ],
  checks: [{ name: 'credit_grant_balance_check', expression: 'balance >= held and held >= 0 and balance <= amount' }],
  properties: {
    id: id(),
    vendorId: () => p.manyToOne(Vendor).mapToPk().joinColumn('vendor_id'),
    customerId: () => p.manyToOne(Customer).mapToPk().joinColumn('customer_id'),
    currency: oneOf<Currency>(),
    kind: oneOf<GrantKind>(),
    /** what is granted; of bought credits that await their payment, what will be */
    amount: moneyColumn(),
    /** of bought credits: what they cost, the invoice of that, and when it was paid, which granted them */
    price: moneyColumn().strictNullable(),
    invoiceId: () => p.manyToOne(Invoice).mapToPk().joinColumn('invoice_id').strictNullable().createForeignKeyConstraint(false),
    paidAt: instant().strictNullable(),
    /** what has bought them by itself; kept when that is deleted */
    topUpId: textColumn().strictNullable(),
    /** what is left of it */
    balance: moneyColumn(),
    /** the part of that which is kept for open payment gates: nothing else may use it */
    held: moneyColumn().default('0'),
    priority: whole(),
    /** its life; freezes move both */
    effectiveAt: instant(),
    expiresAt: instant().strictNullable(),
    /** slugs of the only features that it pays for; null: all */
    features: json<string[]>().strictNullable(),
    /** the only plans that it pays for; null: all */
    plans: json<string[]>().strictNullable(),
    description: textColumn().strictNullable(),
    created: instant(),
    voidedAt: instant().strictNullable(),
    /** when what was left of it expired */
    expiredAt: instant().strictNullable(),
    /** the contract whose plan gives it; null: it was granted by itself */
    contractId: () => p.manyToOne(ContractRecord).mapToPk().joinColumn('contract_id').strictNullable().deleteRule('no action'),
    /** the billing period of that contract that it came with; null for what lasted on from another grant */
    periodIdx: whole().strictNullable(),
    /** how much of what is left at its end lasts on, and until when; null: nothing does */
    rolloverMaximum: moneyColumn().strictNullable(),
    rolloverUntil: instant().strictNullable(),
    /** the grant of which it is what was left */
    rolledFrom: textColumn().strictNullable(),
  },
});
export type CreditGrantRecord = InferEntity<typeof CreditGrant>;

/** What a use paid of a line. */
export interface MovedLine {
  line: string;
  at: number;
  amount: string;
}

/** What happened to a grant; never changed. The order of use is written down here, and never computed again. */
export const CreditMovement = defineEntity({
  name: 'CreditMovement',
  tableName: 'credit_movement',
  indexes: [{ properties: ['grant', 'seq'] }, { properties: ['invoiceId'] }],
  uniques: [{ name: 'credit_movement_occasion_unique', properties: ['grant', 'occasion'] }],
  properties: {
    id: id(),
    seq: serial(),
    grant: () => p.manyToOne(CreditGrant).ref(),
    kind: oneOf<CreditMovementKind>(),
    /** positive: it has gained */
    amount: moneyColumn(),
    balanceAfter: moneyColumn(),
    invoiceId: () => p.manyToOne(Invoice).mapToPk().joinColumn('invoice_id').strictNullable().createForeignKeyConstraint(false),
    at: instant(),
    /** what makes the movement unique, so that a second run writes nothing */
    occasion: textColumn(),
    /** of a use: its place among the grants that paid the invoice together */
    place: whole().strictNullable(),
    /** of a use: what it paid of each line */
    lines: json<MovedLine[]>().default([]),
  },
});
