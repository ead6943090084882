import type { RefusalCode } from '../../billing/refusal.ts';
import type { ErrorCode } from './errors.ts';

/**
 * Codes of rules that the wire calls by another name; all others go over the wire as they are. A request that could
 * never be granted is a 400.
 */
const RENAMED = {
  nothing_to_change: 'nothing_changes',
  contract_ended: 'contract_not_live',
  contract_not_active: 'contract_state',
  contract_not_pending: 'contract_state',
  currency_change_mid_cycle: 'invalid_request',
  past_date: 'invalid_request',
  date_too_far: 'invalid_request',
  cycle_end_unknown: 'invalid_request',
  unknown_feature: 'invalid_request',
  plan_mismatch: 'invalid_request',
  discount_currency: 'invalid_request',
  not_on_demand: 'invalid_request',
  no_cancellation: 'no_pending_cancellation',
  usage_period_closed: 'period_closed',
  not_possible_in_state: 'conflict',
} as const satisfies Partial<Record<RefusalCode, ErrorCode>>;

type Renamed = keyof typeof RENAMED;

/** What the wire says for a refusal; the compiler checks that every code has an error. */
export const errorCodeOf = (code: RefusalCode): ErrorCode => {
  const same: Exclude<RefusalCode, Renamed> | ErrorCode =
    code in RENAMED ? RENAMED[code as Renamed] : (code as Exclude<RefusalCode, Renamed>);
  return same;
};
