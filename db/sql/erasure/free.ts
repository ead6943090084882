/**
 * Columns of text and JSON without personal data of a customer, table by table, so that nothing is left out by
 * oversight: ids, words of closed lists, what a vendor says of itself and of what it sells, and names of requests. Keys
 * that callers choose name requests, not people (`docs/decisions/customer-erasure.md`).
 */
export const FREE: Readonly<Record<string, string>> = {
  agenda: 'vendor_id customer_id contract_id test_clock_id workflow_id kind subject detail',
  api_key: 'id vendor_id name hash scope',
  audit: 'id vendor_id caller_type caller_id action object_id',
  contract:
    'id vendor_id customer_id plan_id plan_name pricing_id test_clock_id root_id predecessor_id successor_id status cycle currency terms discount configuration change_rules pause_rules custom_charged cycles_left given_back carried pending_change parked_reason gate',
  contract_history: 'contract_id kind caller_type caller_id',
  credit_note: 'id vendor_id customer_id invoice_id series currency target',
  credit_note_item: 'credit_note_id invoice_item_id',
  customer: 'id vendor_id status language test_clock_id configuration default_payment',
  customer_history: 'customer_id kind object caller_type key_id',
  customer_pause: 'customer_id',
  discount: 'id vendor_id slug name discount_type currency status',
  document: 'id vendor_id seller',
  dunning: 'invoice_id customer_id method_id retry_days',
  ended_session: 'id',
  event: 'id vendor_id type object_id data actor caller_type caller_id',
  feature: 'id vendor_id plan_id slug name charge_trigger group_name',
  idempotency: 'vendor_id operation key subject body_hash response_headers effect',
  invoice:
    'id vendor_id customer_id contract_id test_clock_id series status currency trigger deposit_transaction_status deposit_transaction_id external_reference',
  invoice_counter: 'vendor_id series',
  invoice_item:
    'id vendor_id customer_id contract_id charge_key invoice_id kind source name description currency scheduling_policy discount_description tax_code tax_policy credit_of derivation',
  ledger_account: 'id vendor_id kind owner currency',
  ledger_posting: 'transaction_id account_id',
  ledger_transaction: 'id vendor_id customer_id kind occasion invoice_id',
  list_count: 'vendor_id list part',
  list_count_change: 'vendor_id list part',
  outbox: 'kind workflow_id failure',
  payment_attempt:
    'id vendor_id customer_id invoice_id gate_id test_clock_id method_id provider origin currency status reason provider_key ledger_transaction_id',
  payment_dispute: 'reference vendor_id customer_id attempt_id currency state reason',
  payment_gate:
    'contract_id vendor_id customer_id test_clock_id from_contract_id given_up_id workflow_id method_id status reason currency invoice_id input basis contract',
  payment_method: 'id vendor_id customer_id method_type provider status',
  payment_notice: 'provider id notice',
  payment_refund: 'id vendor_id customer_id attempt_id credit_note_id currency status reason reference',
  payment_session:
    'id vendor_id customer_id test_clock_id status reason provider plan_id pricing_id connected_account_id publishable_key caller_type method_id',
  plan: 'id vendor_id slug internal_name external_name description strategy metadata change_rules pause_rules status',
  plan_move: 'id vendor_id plan_id to_plan_id time key_id status listed_to',
  plan_move_contract: 'move_id contract_id outcome code new_contract_id',
  plan_version: 'plan_id vendor_id held',
  portal_preferences: 'vendor_id plans name logo_url color links texts return_urls',
  pricing: 'id vendor_id plan_id currency cycle price features groups',
  sandbox_charge: 'key reference method currency status reason',
  sandbox_refund: 'key charge_reference',
  sandbox_setup: 'reference choice',
  tax_rate: 'id vendor_id tax_code country state',
  test_clock: 'id vendor_id name status reason',
  usage_correction: 'contract_id root_id feature_slug occasion',
  usage_counter: 'contract_id feature_slug',
  usage_event: 'id vendor_id customer_id contract_id feature_slug',
  usage_event_history: 'event_id kind key_id',
  usage_key: 'vendor_id key event_id',
  usage_owner: 'customer_id slug root_id',
  usage_period: 'contract_id status follows_contract_id goes_on',
  vendor: 'id name invoicing change_rules pause_rules tax_policy seller payment_threshold retry_days language email',
  wallet: 'id vendor_id customer_id currency',
  wallet_transaction: 'id wallet_id invoice_id kind occasion',
};
