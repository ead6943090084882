import { defineSearchAttributeKey, SearchAttributeType, type SearchAttributeUpdatePair } from '@temporalio/common';
import type { Schedule } from '../messages.ts';

/** What operators filter workflows by; `temporal/search-attributes.ts` registers the same names. */
export const ATTRIBUTE_KEYS = {
  vendor: defineSearchAttributeKey('PerennialVendor', SearchAttributeType.KEYWORD),
  customer: defineSearchAttributeKey('PerennialCustomer', SearchAttributeType.KEYWORD),
  contracts: defineSearchAttributeKey('PerennialContracts', SearchAttributeType.KEYWORD_LIST),
  plan: defineSearchAttributeKey('PerennialPlan', SearchAttributeType.KEYWORD),
  status: defineSearchAttributeKey('PerennialStatus', SearchAttributeType.KEYWORD),
  next: defineSearchAttributeKey('PerennialNext', SearchAttributeType.DATETIME),
  parked: defineSearchAttributeKey('PerennialParked', SearchAttributeType.BOOL),
};

/** The attributes of a chain's workflow; null: the workflow has none of this name. */
export function chainAttributes({ vendorId, customerId, contracts, due }: Schedule): SearchAttributeUpdatePair[] {
  const [current] = contracts;
  if (current === undefined) return [];
  const [next] = due;
  return [
    { key: ATTRIBUTE_KEYS.vendor, value: vendorId },
    { key: ATTRIBUTE_KEYS.customer, value: customerId },
    { key: ATTRIBUTE_KEYS.contracts, value: contracts.map(({ contractId }) => contractId) },
    { key: ATTRIBUTE_KEYS.plan, value: current.planId },
    { key: ATTRIBUTE_KEYS.status, value: current.status },
    { key: ATTRIBUTE_KEYS.next, value: next === undefined ? null : new Date(next.at) },
    { key: ATTRIBUTE_KEYS.parked, value: contracts.some(({ parked }) => parked !== null) },
  ];
}
