/**
 * The closed list of expected failures. Every code has one status, one title and one remedy; the compiler checks that
 * the map is total, and the OpenAPI document and the tests are made from it.
 */
interface ErrorMeaning {
  readonly status: number;
  readonly title: string;
  readonly remedy: string;
}

const meaning = (status: number, title: string, remedy: string): ErrorMeaning => ({ status, title, remedy });
const missing = (thing: string) => meaning(404, `Unknown ${thing}`, `Check the id; only objects of your own vendor can be seen.`);

export const errors = {
  // the request itself
  invalid_request: meaning(400, 'The request is not valid', 'Correct the fields named in feedback.'),
  invalid_json: meaning(400, 'The body is not valid JSON', 'Send well-formed JSON in UTF-8.'),
  invalid_cursor: meaning(400, 'The cursor is not valid', 'Use a cursor from a previous answer of the same list, unchanged.'),
  feature_not_usage_priced: meaning(400, 'The feature has no usage price', 'Report usage only for features priced by usage.'),
  unauthorized: meaning(401, 'No or unknown key', 'Send a valid API key in the wb-key header.'),
  payment_declined: meaning(402, 'The payment was declined', 'Choose another payment method and try again; nothing has changed.'),
  forbidden: meaning(403, 'The key may not do this', 'Use a key with a wider scope.'),
  origin_refused: meaning(403, 'The origin may not do this', 'Send cookie-authenticated writes from the same origin.'),
  method_not_allowed: meaning(405, 'The method is not allowed here', 'Use one of the methods in the Allow header.'),
  body_too_large: meaning(413, 'The body is too large', 'Send at most 1 MiB.'),
  unsupported_media_type: meaning(415, 'The content type is not supported', 'Send Content-Type: application/json.'),
  rate_limited: meaning(429, 'Too many requests', 'Wait for the time given in Retry-After.'),

  // unknown here
  not_found: meaning(404, 'Unknown path', 'See /docs for the paths there are.'),
  customer_not_found: missing('customer'),
  contract_not_found: missing('contract'),
  plan_not_found: missing('plan'),
  plan_move_not_found: missing('move of a plan'),
  import_not_found: missing('import'),
  pricing_not_found: missing('pricing'),
  discount_not_found: missing('discount'),
  feature_not_found: meaning(404, 'Unknown feature', 'Give the slug of a feature that is sold.'),
  usage_event_not_found: missing('usage event'),
  usage_period_not_found: missing('usage period'),
  limit_not_found: missing('limit'),
  alert_not_found: missing('alert'),
  top_up_not_found: missing('top-up'),
  reservation_not_found: missing('reservation'),
  invoice_not_found: missing('invoice'),
  invoice_item_not_found: missing('invoice item'),
  credit_note_not_found: missing('credit note'),
  credit_grant_not_found: missing('credit grant'),
  event_not_found: missing('event'),
  audit_entry_not_found: missing('audit entry'),
  transaction_not_found: missing('transaction'),
  api_key_not_found: missing('API key'),
  webhook_endpoint_not_found: missing('webhook endpoint'),
  test_clock_not_found: missing('test clock'),
  payment_method_not_found: missing('payment method'),
  payment_session_not_found: missing('payment session'),

  // conflicts with the state
  customer_erased: meaning(409, 'The customer’s personal data are erased', 'Make a new customer.'),
  money_open: meaning(409, 'Money of the customer is open', 'Settle what feedback names, then erase the customer.'),
  limit_reached: meaning(409, 'A limit of the customer is reached', 'Wait for the next window, or raise the limit.'),
  reservation_ended: meaning(409, 'The reservation keeps nothing any more', 'Check again, or report the usage.'),
  too_many_limits: meaning(409, 'The customer has too many limits', 'Delete one that is no longer needed.'),
  too_many_alerts: meaning(409, 'The customer has too many alerts', 'Delete one that is no longer needed.'),
  customer_frozen: meaning(409, 'The customer is frozen', 'Activate the customer first.'),
  customer_ambiguous: meaning(409, 'More than one customer matches', 'Give the id of the customer.'),
  contract_exists: meaning(409, 'The customer already has a contract of this plan', 'Change or cancel the existing contract.'),
  contract_not_live: meaning(409, 'The contract is not live any more', 'Use the contract that followed it.'),
  contract_state: meaning(409, 'The contract is not in a state that allows this', 'Read the contract and its timeline.'),
  awaiting_payment: meaning(409, 'The contract waits for its payment', 'Wait for the payment, or cancel the contract to take it back.'),
  change_in_progress: meaning(409, 'A change of this contract is running', 'Try again after the time given in Retry-After.'),
  change_scheduled: meaning(409, 'A change of the contract is scheduled already', 'Undo the scheduled change, or wait for it.'),
  nothing_changes: meaning(409, 'The change would change nothing', 'Ask for another plan, price or number of units.'),
  no_pending_change: meaning(409, 'No change is scheduled', 'Read the contract to see what is scheduled.'),
  no_pending_cancellation: meaning(409, 'No cancellation is scheduled', 'Read the contract to see what is scheduled.'),
  import_line_changed: meaning(409, 'The line is not as it was', 'Give the line as it was, or change what it made by its own call.'),
  import_state: meaning(409, 'The import is not in a state that allows this', 'Read the import, or make another one.'),
  estimate_outdated: meaning(409, 'The estimate does not hold any more', 'Ask for a new estimate.'),
  usage_feature_taken: meaning(409, 'The usage feature is live in another contract', 'Use another plan or end the other contract.'),
  plan_archived: meaning(409, 'The plan is archived', 'Use a plan that is still sold.'),
  discount_archived: meaning(409, 'The discount is archived', 'Use a discount that is still given.'),
  slug_taken: meaning(409, 'The slug is already used', 'Choose another slug.'),
  usage_outside_contract: meaning(409, 'No contract takes usage at this time', 'Report usage between activation and end of a contract.'),
  usage_in_future: meaning(409, 'The usage lies in the future', 'Report usage at most one hour ahead.'),
  usage_while_frozen: meaning(
    409,
    'The customer was frozen at that time',
    'Report usage outside of freezes, or set the pause rule for usage to hold.',
  ),
  usage_discarded: meaning(409, 'The usage event is already discarded', 'Report a new event instead.'),
  period_closed: meaning(409, 'The usage period is closed', 'Set allow_correction to bill the difference on the next invoice.'),
  credit_grant_state: meaning(
    409,
    'The credit grant is not in a state that allows this',
    'Read the grant: what is left of it, and what holds it.',
  ),
  invoice_state: meaning(409, 'The invoice is not in a state that allows this', 'Read the invoice and its status.'),
  payment_in_progress: meaning(409, 'A payment of this invoice is running', 'Try again after the time given in Retry-After.'),
  payment_session_state: meaning(409, 'The payment session is over', 'Create a new payment session.'),
  payment_method_state: meaning(409, 'The payment method is not usable', 'Choose an active payment method.'),
  provider_not_configured: meaning(409, 'The payment provider is not configured', 'Configure the provider or choose another.'),
  wallet_insufficient: meaning(409, 'The wallet does not hold that much', 'Take back at most the balance.'),
  clock_advancing: meaning(409, 'The test clock is advancing', 'Wait until the clock is ready.'),
  webhook_endpoint_limit: meaning(
    409,
    'There are as many webhook endpoints as a vendor may have',
    'Delete one that you no longer need, or give one more types.',
  ),
  event_not_awaited: meaning(409, 'The endpoint does not wait for this event', 'Skip only events that were not delivered yet.'),
  api_key_revoked: meaning(409, 'The API key is revoked', 'Create a new key.'),
  idempotency_key_reused: meaning(409, 'The Idempotency-Key was used with another request', 'Use a new key for a new request.'),
  idempotency_in_progress: meaning(
    409,
    'The first request with this Idempotency-Key is still running',
    'Try again after the time given in Retry-After.',
  ),
  secret_already_shown: meaning(
    409,
    'The answer carried a secret and is shown only once',
    'Create or rotate the object to get a new secret.',
  ),
  conflict: meaning(409, 'The request conflicts with the present state', 'Read the object and try again.'),

  // ours
  internal_error: meaning(500, 'Something went wrong on our side', 'Report the request_id.'),
  outcome_unknown: meaning(
    503,
    'The connection broke while the change was committed',
    'Repeat the request with the same Idempotency-Key, or read the object.',
  ),
  unavailable: meaning(503, 'The service is not available now', 'Try again after the time given in Retry-After; nothing was done.'),
} as const satisfies Record<string, ErrorMeaning>;

export type ErrorCode = keyof typeof errors;
