import type { Connection } from '@temporalio/client';

/** What operators can filter workflows by: ids and dates, nothing personal. The numbers are Temporal's own for the types. */
const TYPES = { Keyword: 2, Bool: 5, Datetime: 6 } as const;

export const SEARCH_ATTRIBUTES: Readonly<Record<string, keyof typeof TYPES>> = {
  PerennialVendor: 'Keyword',
  PerennialCustomer: 'Keyword',
  PerennialPlan: 'Keyword',
  PerennialStatus: 'Keyword',
  PerennialNext: 'Datetime',
  PerennialParked: 'Bool',
};

/** Registers what is missing; can be run at every start. */
export async function registerSearchAttributes(connection: Connection, namespace: string): Promise<string[]> {
  const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
  const missing = Object.entries(SEARCH_ATTRIBUTES).filter(([name]) => customAttributes?.[name] === undefined);
  if (missing.length === 0) return [];
  await connection.operatorService.addSearchAttributes({
    namespace,
    searchAttributes: Object.fromEntries(missing.map(([name, type]) => [name, TYPES[type]])),
  });
  return missing.map(([name]) => name);
}
