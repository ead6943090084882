import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { Currency } from '../../billing/money/currency.ts';
import { id, instant, moneyColumn, oneOf, whole } from './columns.ts';
import { Customer } from './customer.ts';
import { Vendor } from './vendor.ts';

/** Credits that are bought whenever those of a customer fall below a level. */
export const CreditTopUp = defineEntity({
  name: 'CreditTopUp',
  tableName: 'credit_top_up',
  uniques: [{ name: 'credit_top_up_currency_unique', properties: ['customerId', 'currency'] }],
  properties: {
    id: id(),
    vendorId: () => p.manyToOne(Vendor).mapToPk().joinColumn('vendor_id'),
    customerId: () => p.manyToOne(Customer).mapToPk().joinColumn('customer_id'),
    currency: oneOf<Currency>(),
    /** the level of the live balance */
    below: moneyColumn(),
    /** the credits that are bought each time, and what they cost */
    amount: moneyColumn(),
    price: moneyColumn(),
    /** the most money in a calendar month */
    atMostPerMonth: moneyColumn(),
    created: instant(),
    /** nothing is bought before, since a payment was declined */
    pausedUntil: instant().strictNullable(),
    /** payments in a row that were declined */
    declines: whole().default(0),
    /** since when nothing is bought, because payments were declined */
    stoppedAt: instant().strictNullable(),
  },
});
export type CreditTopUpRecord = InferEntity<typeof CreditTopUp>;
