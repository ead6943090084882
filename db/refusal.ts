import { Refusal as BillingRefusal, type RefusalCode } from '../billing/contract/refusal.ts';
import { BillingError } from '../billing/problem.ts';

/**
 * An expected failure of a write: the request was understood and may not be done. `code` is one of the API's closed list;
 * `feedback` names fields or subjects.
 */
export class Refusal extends Error {
  readonly code: string;
  readonly feedback: Record<string, string>;

  constructor(code: string, detail: string, feedback: Record<string, string> = {}) {
    super(detail);
    this.name = 'Refusal';
    this.code = code;
    this.feedback = feedback;
  }
}

/** What a rule's refusal is called towards callers. */
const CODES: Record<RefusalCode, string> = {
  nothing_to_change: 'nothing_changes',
  contract_ended: 'contract_not_live',
  contract_not_active: 'contract_state',
  contract_not_pending: 'contract_state',
  customer_frozen: 'customer_frozen',
  customer_not_frozen: 'conflict',
  currency_change_mid_cycle: 'invalid_request',
  past_date: 'invalid_request',
  date_required: 'invalid_request',
  cycle_end_unknown: 'invalid_request',
  unknown_feature: 'invalid_request',
  units_not_changeable: 'invalid_request',
  price_not_changeable: 'invalid_request',
  units_out_of_range: 'invalid_request',
  plan_mismatch: 'invalid_request',
  pricing_not_found: 'invalid_request',
  discount_currency: 'invalid_request',
  not_on_demand: 'invalid_request',
  no_pending_change: 'no_pending_change',
  no_cancellation: 'no_pending_cancellation',
  usage_period_not_found: 'usage_period_not_found',
  usage_period_closed: 'period_not_closable',
};

/** The refusal an error stands for, null when it is none: a fault of ours or of the machines. */
export function refusalOf(error: unknown): Refusal | null {
  if (error instanceof Refusal) return error;
  if (error instanceof BillingRefusal) {
    return new Refusal(CODES[error.code], error.message, error.field === null ? {} : { [error.field]: error.message });
  }
  if (error instanceof BillingError) {
    return new Refusal('invalid_request', error.message, Object.fromEntries(error.problems.map((one) => [one.field, one.message])));
  }
  return null;
}
