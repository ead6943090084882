/** Why a rule refuses: because of the request, or of the state of the contract. */
type RuleCode =
  | 'nothing_to_change'
  | 'contract_ended'
  | 'contract_not_active'
  | 'contract_not_pending'
  | 'currency_change_mid_cycle'
  | 'past_date'
  | 'date_too_far'
  | 'cycle_end_unknown'
  | 'unknown_feature'
  | 'plan_mismatch'
  | 'pricing_not_found'
  | 'discount_currency'
  | 'not_on_demand'
  | 'no_pending_change'
  | 'no_cancellation'
  | 'usage_period_not_found'
  | 'usage_period_closed'
  | 'not_possible_in_state';

/** Why a service refuses: an object that isn't there, or isn't as the request needs it. */
type ServiceCode =
  | 'awaiting_payment'
  | 'change_in_progress'
  | 'change_scheduled'
  | 'clock_advancing'
  | 'contract_exists'
  | 'contract_not_found'
  | 'contract_not_live'
  | 'contract_state'
  | 'credit_grant_not_found'
  | 'credit_grant_state'
  | 'customer_erased'
  | 'customer_frozen'
  | 'customer_not_found'
  | 'discount_archived'
  | 'discount_not_found'
  | 'estimate_outdated'
  | 'event_not_awaited'
  | 'event_not_found'
  | 'feature_not_found'
  | 'feature_not_usage_priced'
  | 'idempotency_in_progress'
  | 'idempotency_key_reused'
  | 'import_line_changed'
  | 'import_not_found'
  | 'import_state'
  | 'invalid_request'
  | 'invoice_item_not_found'
  | 'invoice_not_found'
  | 'invoice_state'
  | 'alert_not_found'
  | 'limit_not_found'
  | 'limit_reached'
  | 'money_open'
  | 'payment_declined'
  | 'payment_in_progress'
  | 'payment_method_not_found'
  | 'payment_method_state'
  | 'period_closed'
  | 'plan_archived'
  | 'plan_move_not_found'
  | 'plan_not_found'
  | 'reservation_ended'
  | 'reservation_not_found'
  | 'slug_taken'
  | 'test_clock_not_found'
  | 'too_many_alerts'
  | 'too_many_limits'
  | 'unauthorized'
  | 'usage_discarded'
  | 'top_up_not_found'
  | 'usage_event_not_found'
  | 'usage_feature_taken'
  | 'usage_in_future'
  | 'usage_outside_contract'
  | 'usage_while_frozen'
  | 'wallet_insufficient'
  | 'webhook_endpoint_limit'
  | 'webhook_endpoint_not_found';

/**
 * The closed set of reasons for which a well-formed request may not be done; the API maps each to a status, a text and
 * a remedy.
 */
export type RefusalCode = RuleCode | ServiceCode;

/**
 * A request that was understood and may not be done, because of the state or of the request itself. Nothing has been
 * changed. It has no personal data.
 */
export class Refusal extends Error {
  readonly code: RefusalCode;
  /**
   * wire names of fields or subjects to correct, each with what is wrong; empty when it is the state that is in the way
   */
  readonly feedback: Readonly<Record<string, string>>;
  /** seconds after which the same request may succeed; undefined = waiting changes nothing */
  readonly retryAfter: number | undefined;

  constructor(
    code: RefusalCode,
    message: string,
    about: string | Record<string, string> | null = null,
    { retryAfter }: { retryAfter?: number } = {},
  ) {
    super(message);
    this.name = 'Refusal';
    this.code = code;
    this.feedback = typeof about === 'string' ? { [about]: message } : (about ?? {});
    this.retryAfter = retryAfter;
  }

  /** The first field or subject to correct, null when there is none. */
  get field(): string | null {
    return Object.keys(this.feedback)[0] ?? null;
  }
}

/** Throws a Refusal. */
export function refuse(code: RefusalCode, message: string, field: string | null = null): never {
  throw new Refusal(code, message, field);
}
