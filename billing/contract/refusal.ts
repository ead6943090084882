/** Why a contract cannot do what was asked, as a closed set; the API maps each code to a status, a text and a remedy. */
export type RefusalCode =
  | 'nothing_to_change'
  | 'contract_ended'
  | 'contract_not_active'
  | 'contract_not_pending'
  | 'customer_frozen'
  | 'currency_change_mid_cycle'
  | 'past_date'
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

/**
 * A wish that the state of a contract, or the wish itself, rules out. Nothing has been changed. Carries no personal data.
 *
 * @example new Refusal('nothing_to_change', 'the plan, its units and its prices are the same already')
 */
export class Refusal extends Error {
  readonly code: RefusalCode;
  /** wire name of the field to mend, null when it is the state that is in the way */
  readonly field: string | null;

  constructor(code: RefusalCode, message: string, field: string | null = null) {
    super(message);
    this.name = 'Refusal';
    this.code = code;
    this.field = field;
  }
}

/**
 * Throws a Refusal.
 *
 * @example refuse('past_date', 'give a date from now on', 'activation.date') // throws
 */
export function refuse(code: RefusalCode, message: string, field: string | null = null): never {
  throw new Refusal(code, message, field);
}
