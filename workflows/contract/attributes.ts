import { defineSearchAttributeKey, SearchAttributeType, type SearchAttributeUpdatePair } from '@temporalio/common';
import { upsertSearchAttributes } from '@temporalio/workflow';
import type { Schedule } from '../messages.ts';

/** What operators filter by; the same names stand in `temporal/search-attributes.ts`, which registers them. */
const keys = {
  vendor: defineSearchAttributeKey('PerennialVendor', SearchAttributeType.KEYWORD),
  customer: defineSearchAttributeKey('PerennialCustomer', SearchAttributeType.KEYWORD),
  contracts: defineSearchAttributeKey('PerennialContracts', SearchAttributeType.KEYWORD_LIST),
  plan: defineSearchAttributeKey('PerennialPlan', SearchAttributeType.KEYWORD),
  status: defineSearchAttributeKey('PerennialStatus', SearchAttributeType.KEYWORD),
  next: defineSearchAttributeKey('PerennialNext', SearchAttributeType.DATETIME),
  parked: defineSearchAttributeKey('PerennialParked', SearchAttributeType.BOOL),
};

/** Keeps the search attributes up to date; an event is written only when one of them has changed. */
export class Attributes {
  #last = '';

  show({ vendorId, customerId, contracts, due }: Schedule): void {
    const [current] = contracts;
    if (current === undefined) return;
    const next = due[0]?.at ?? null;
    const ids = contracts.map(({ contractId }) => contractId);
    const isParked = contracts.some(({ parked }) => parked !== null);
    const shown = JSON.stringify([vendorId, customerId, ids, current.planId, current.status, next, isParked]);
    if (shown === this.#last) return;
    this.#last = shown;
    const pairs: SearchAttributeUpdatePair[] = [
      { key: keys.vendor, value: vendorId },
      { key: keys.customer, value: customerId },
      { key: keys.contracts, value: ids },
      { key: keys.plan, value: current.planId },
      { key: keys.status, value: current.status },
      { key: keys.next, value: next === null ? null : new Date(next) },
      { key: keys.parked, value: isParked },
    ];
    upsertSearchAttributes(pairs);
  }
}
