import { defineEntity, p } from '@mikro-orm/core';
import { id, instant, moneyColumn, oneOf, textColumn } from './columns.ts';
import { Customer } from './customer.ts';

/** Units of a feature that are kept for a customer until they are used, given back, or their time has come. */
export const UsageReservation = defineEntity({
  name: 'UsageReservation',
  tableName: 'usage_reservation',
  indexes: [
    { name: 'usage_reservation_open_index', properties: ['customerId', 'slug', 'at'], where: "status = 'open'" },
    { properties: ['madeAt'] },
  ],
  properties: {
    id: id(),
    customerId: () => p.manyToOne(Customer).mapToPk().joinColumn('customer_id'),
    slug: textColumn().fieldName('feature_slug'),
    units: moneyColumn(),
    /** when it was made, on the customer's clock: the timestamp of the event it becomes */
    at: instant().fieldName('reserved_at'),
    /** from then on it keeps nothing, on the customer's clock */
    expiresAt: instant(),
    /** `open` also once its time has come: that is compared wherever it matters */
    status: oneOf<'open' | 'confirmed' | 'released'>().default('open'),
    /** the event it has become, and its units */
    eventId: textColumn().strictNullable(),
    confirmedUnits: moneyColumn().strictNullable(),
    /** when it was made, on the wall clock: old rows go by it */
    madeAt: instant(),
  },
});
