import type { ErrorCode } from '../http/errors.ts';

/** Why a usage event can be refused. */
export const usageErrors: readonly ErrorCode[] = [
  'customer_not_found',
  'feature_not_found',
  'feature_not_usage_priced',
  'usage_outside_contract',
  'usage_in_future',
  'usage_while_frozen',
  'period_closed',
  'limit_reached',
  'customer_frozen',
  'customer_erased',
  'clock_advancing',
];
