import type { Concern } from './concern.ts';

/**
 * Comes once a payment gate has ended, which held early invoices back. Usage that has come to the invoice threshold
 * meanwhile is invoiced.
 */
export const usageThreshold: Concern = { words: () => 'open usage is compared with the invoice threshold', activity: 'invoiceUsageSoFar' };
