import { defineSearchAttributeKey, SearchAttributeType, type SearchAttributeUpdatePair } from '@temporalio/common';
import { upsertSearchAttributes } from '@temporalio/workflow';
import type { Schedule } from '../messages.ts';

/** What operators filter by. Registered at start-up by the worker. */
const keys = {
  vendor: defineSearchAttributeKey('PerennialVendor', SearchAttributeType.KEYWORD),
  customer: defineSearchAttributeKey('PerennialCustomer', SearchAttributeType.KEYWORD),
  plan: defineSearchAttributeKey('PerennialPlan', SearchAttributeType.KEYWORD),
  status: defineSearchAttributeKey('PerennialStatus', SearchAttributeType.KEYWORD),
  next: defineSearchAttributeKey('PerennialNext', SearchAttributeType.DATETIME),
  parked: defineSearchAttributeKey('PerennialParked', SearchAttributeType.BOOL),
};

/** Keeps the search attributes true; an event is written only when one of them has changed. */
export class Attributes {
  #last = '';

  show({ vendorId, customerId, planId, status, due, parked }: Schedule): void {
    const next = due[0]?.at ?? null;
    const shown = JSON.stringify([vendorId, customerId, planId, status, next, parked !== null]);
    if (shown === this.#last) return;
    this.#last = shown;
    const pairs: SearchAttributeUpdatePair[] = [
      { key: keys.vendor, value: vendorId },
      { key: keys.customer, value: customerId },
      { key: keys.plan, value: planId },
      { key: keys.status, value: status },
      { key: keys.next, value: next === null ? null : new Date(next) },
      { key: keys.parked, value: parked !== null },
    ];
    upsertSearchAttributes(pairs);
  }
}
