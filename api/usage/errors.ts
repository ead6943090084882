import type { ErrorCode } from '../http/errors.ts';

/** What an event may be refused for. */
export const usageErrors: readonly ErrorCode[] = [
  'customer_not_found',
  'feature_not_found',
  'feature_not_usage_priced',
  'usage_outside_contract',
  'usage_in_future',
  'usage_while_frozen',
  'period_closed',
  'customer_frozen',
  'clock_advancing',
];
