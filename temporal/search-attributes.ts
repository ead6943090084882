import type { Connection } from '@temporalio/client';
import { TypedSearchAttributes } from '@temporalio/common';
import type { MessageSubject } from '../db/sql/outbox/read-subjects.ts';
import { ATTRIBUTE_KEYS } from '../workflows/contract/attributes.messages.ts';

/**
 * What operators can filter workflows by: ids and dates, nothing personal. The numbers are Temporal's own for the
 * types.
 */
const TYPES = { Keyword: 2, Bool: 5, Datetime: 6, KeywordList: 7 } as const;

export const SEARCH_ATTRIBUTES: Readonly<Record<string, keyof typeof TYPES>> = {
  PerennialVendor: 'Keyword',
  PerennialCustomer: 'Keyword',
  PerennialContracts: 'KeywordList',
  PerennialPlan: 'Keyword',
  PerennialStatus: 'Keyword',
  PerennialNext: 'Datetime',
  PerennialParked: 'Bool',
};

/** What the namespace doesn't know yet. */
export async function missingSearchAttributes(connection: Connection, namespace: string): Promise<string[]> {
  const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
  return Object.keys(SEARCH_ATTRIBUTES).filter((name) => customAttributes?.[name] === undefined);
}

/** Registers what is missing; can be run at every start. */
export async function registerSearchAttributes(connection: Connection, namespace: string): Promise<string[]> {
  const missing = await missingSearchAttributes(connection, namespace);
  if (missing.length === 0) return [];
  const typeOf = (name: string): number => TYPES[SEARCH_ATTRIBUTES[name] ?? 'Keyword'];
  await connection.operatorService.addSearchAttributes({
    namespace,
    searchAttributes: Object.fromEntries(missing.map((name) => [name, typeOf(name)])),
  });
  return missing;
}

/** The attributes that a payment's, a customer's or a clock's workflow is started with. */
export const attributesOf = ({ vendorId, customerId, contractIds }: MessageSubject): TypedSearchAttributes =>
  new TypedSearchAttributes([
    { key: ATTRIBUTE_KEYS.vendor, value: vendorId },
    ...(customerId === null ? [] : [{ key: ATTRIBUTE_KEYS.customer, value: customerId }]),
    ...(contractIds.length === 0 ? [] : [{ key: ATTRIBUTE_KEYS.contracts, value: [...contractIds] }]),
  ]);
