import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { MethodDetails, MethodType, ProviderName } from '../../billing/payment/types.ts';
import { flag, id, instant, json, oneOf, textColumn } from './columns.ts';
import { Customer } from './customer.ts';
import { TestClock, Vendor } from './vendor.ts';

/** A method as its provider knows it, and what may be shown of it. */
export const PaymentMethod = defineEntity({
  name: 'PaymentMethod',
  tableName: 'payment_method',
  indexes: [
    { properties: ['customer', 'created', 'id'] },
    { name: 'payment_method_reminder_index', properties: ['clockId', 'remindAt', 'id'], where: 'remind_at is not null' },
    { name: 'payment_method_detach_pending_index', properties: ['id'], where: 'detach_pending' },
  ],
  uniques: [{ name: 'payment_method_reference_unique', properties: ['provider', 'reference'] }],
  properties: {
    id: id(),
    vendorId: () => p.manyToOne(Vendor).mapToPk().joinColumn('vendor_id'),
    customer: () => p.manyToOne(Customer).ref(),
    clockId: () => p.manyToOne(TestClock).mapToPk().joinColumn('test_clock_id').strictNullable().deleteRule('no action'),
    created: instant(),
    type: oneOf<MethodType>().fieldName('method_type'),
    provider: oneOf<ProviderName>(),
    status: oneOf<'active' | 'inactive' | 'detached' | 'invalid'>().default('active'),
    details: json<MethodDetails>(),
    holderName: textColumn().strictNullable(),
    reference: textColumn(),
    customerReference: textColumn().strictNullable(),
    /** detached for us, but the provider still has to be asked to delete it */
    detachPending: flag().default(false),
    /** when a reminder is sent that it will expire; null: it has been sent, or its end isn't known */
    remindAt: instant().strictNullable(),
  },
});
export type PaymentMethodRecord = InferEntity<typeof PaymentMethod>;
