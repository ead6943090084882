import type { ErrorCode } from '../http/errors.ts';

/** Why a signing or its estimate can be refused. */
export const signErrors: readonly ErrorCode[] = [
  'customer_not_found',
  'customer_frozen',
  'customer_erased',
  'clock_advancing',
  'plan_not_found',
  'plan_archived',
  'pricing_not_found',
  'discount_not_found',
  'discount_archived',
  'contract_exists',
  'usage_feature_taken',
];
