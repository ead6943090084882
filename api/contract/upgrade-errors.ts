import type { ErrorCode } from '../http/errors.ts';

/** Why an estimate or an upgrade can be refused. */
export const changeErrors: readonly ErrorCode[] = [
  'contract_not_found',
  'contract_not_live',
  'contract_state',
  'awaiting_payment',
  'customer_frozen',
  'customer_erased',
  'clock_advancing',
  'nothing_changes',
  'plan_not_found',
  'plan_archived',
  'pricing_not_found',
  'discount_not_found',
  'discount_archived',
  'contract_exists',
  'usage_feature_taken',
];
