import type { RefusalCode } from '../../billing/contract/refusal.ts';
import type { ErrorCode } from './errors.ts';

/** What the wire says for each refusal of a billing rule. A wish that could never be granted is a 400, one in the way of the state a 409. */
export const refusalCodes: Readonly<Record<RefusalCode, ErrorCode>> = {
  nothing_to_change: 'nothing_changes',
  contract_ended: 'contract_not_live',
  contract_not_active: 'contract_state',
  contract_not_pending: 'contract_state',
  customer_frozen: 'customer_frozen',
  currency_change_mid_cycle: 'invalid_request',
  past_date: 'invalid_request',
  cycle_end_unknown: 'invalid_request',
  unknown_feature: 'invalid_request',
  plan_mismatch: 'invalid_request',
  pricing_not_found: 'pricing_not_found',
  discount_currency: 'invalid_request',
  not_on_demand: 'invalid_request',
  no_pending_change: 'no_pending_change',
  no_cancellation: 'no_pending_cancellation',
  usage_period_not_found: 'usage_period_not_found',
  usage_period_closed: 'period_closed',
  not_possible_in_state: 'conflict',
};
