export const payments = [
  `create table payment_method (
    id text primary key,
    vendor_id text not null constraint payment_method_vendor_id_foreign references vendor (id),
    customer_id text not null constraint payment_method_customer_id_foreign references customer (id),
    test_clock_id text constraint payment_method_test_clock_id_foreign references test_clock (id),
    created timestamptz(3) not null,
    method_type text not null,
    provider text not null,
    status text not null default 'active',
    details jsonb not null,
    holder_name text,
    reference text not null,
    customer_reference text,
    detach_pending boolean not null default false,
    remind_at timestamptz(3),
    constraint payment_method_reference_unique unique (provider, reference)
  )`,
  `create index payment_method_reminder_index on payment_method (test_clock_id, remind_at, id) where remind_at is not null`,
  `create index payment_method_customer_id_created_id_index on payment_method (customer_id, created, id)`,
  `create index payment_method_detach_pending_index on payment_method (id) where detach_pending`,

  `create table payment_session (
    id text primary key,
    vendor_id text not null constraint payment_session_vendor_id_foreign references vendor (id),
    customer_id text not null constraint payment_session_customer_id_foreign references customer (id),
    test_clock_id text constraint payment_session_test_clock_id_foreign references test_clock (id),
    created timestamptz(3) not null,
    expires timestamptz(3) not null,
    ended timestamptz(3),
    status text not null,
    reason text,
    provider text not null,
    address boolean not null default false,
    detach_previous boolean not null default false,
    plan_id text constraint payment_session_plan_id_foreign references plan (id),
    pricing_id text constraint payment_session_pricing_id_foreign references pricing (id),
    reference text not null,
    customer_reference text,
    connected_account_id text,
    publishable_key text,
    caller_type text not null default 'system',
    method_id text constraint payment_session_method_id_foreign references payment_method (id)
  )`,
  `create index payment_session_customer_id_created_index on payment_session (customer_id, created)`,
  `create index payment_session_provider_reference_index on payment_session (provider, reference)`,
  `create index payment_session_open_index on payment_session (customer_id) where ended is null`,

  `create table payment_gate (
    contract_id text primary key,
    vendor_id text not null constraint payment_gate_vendor_id_foreign references vendor (id),
    customer_id text not null constraint payment_gate_customer_id_foreign references customer (id),
    test_clock_id text constraint payment_gate_test_clock_id_foreign references test_clock (id),
    from_contract_id text,
    workflow_id text not null,
    method_id text not null constraint payment_gate_method_id_foreign references payment_method (id),
    given_up_id text,
    status text not null,
    reason text,
    currency text not null,
    invoice_amount numeric not null,
    from_credits numeric not null,
    holds jsonb not null,
    from_wallet numeric not null,
    to_pay numeric not null,
    invoice_id text not null,
    created timestamptz(3) not null,
    expires timestamptz(3) not null,
    ended timestamptz(3),
    input json not null,
    basis json,
    contract json not null
  )`,
  `create index payment_gate_customer_id_created_contract_id_index on payment_gate (customer_id, created, contract_id)`,
  `create unique index payment_gate_one_open on payment_gate (from_contract_id) where status = 'waiting'`,

  `create table payment_attempt (
    id text primary key,
    vendor_id text not null constraint payment_attempt_vendor_id_foreign references vendor (id),
    customer_id text not null constraint payment_attempt_customer_id_foreign references customer (id),
    invoice_id text constraint payment_attempt_invoice_id_foreign references invoice (id) deferrable initially deferred,
    gate_id text constraint payment_attempt_gate_id_foreign references payment_gate (contract_id),
    test_clock_id text constraint payment_attempt_test_clock_id_foreign references test_clock (id),
    method_id text constraint payment_attempt_method_id_foreign references payment_method (id),
    provider text not null,
    origin text not null,
    amount numeric not null,
    currency text not null,
    status text not null,
    reason text,
    retryable boolean,
    provider_key text not null,
    reference text,
    called_at timestamptz(3),
    ask_at timestamptz(3),
    return_url text,
    created timestamptz(3) not null,
    ended timestamptz(3),
    ledger_transaction_id text,
    constraint payment_attempt_key_unique unique (provider, provider_key),
    constraint payment_attempt_for_check check (invoice_id is not null or gate_id is not null)
  )`,
  `create index payment_attempt_invoice_id_created_index on payment_attempt (invoice_id, created)`,
  `create index payment_attempt_gate_id_index on payment_attempt (gate_id)`,
  `create index payment_attempt_customer_id_created_id_index on payment_attempt (customer_id, created, id)`,
  `create index payment_attempt_provider_reference_index on payment_attempt (provider, reference)`,
  `create index payment_attempt_open_index on payment_attempt (customer_id) where status = 'processing'`,
  `create index payment_attempt_under_way_index on payment_attempt (id) where status = 'processing' and ask_at is null`,
  // every step of a test clock asks for its own: those of the wall clock may wait for their banks by the thousand
  `create index payment_attempt_clock_index on payment_attempt (test_clock_id) where status = 'processing' and test_clock_id is not null`,
  `create unique index payment_attempt_one_open on payment_attempt (invoice_id) where status = 'processing'`,
  `create unique index payment_attempt_one_open_of_gate on payment_attempt (gate_id) where status = 'processing'`,

  `create table dunning (
    invoice_id text primary key constraint dunning_invoice_id_foreign references invoice (id),
    customer_id text not null constraint dunning_customer_id_foreign references customer (id),
    method_id text not null constraint dunning_method_id_foreign references payment_method (id),
    first_failure timestamptz(3) not null,
    failures int not null,
    retry_days jsonb not null,
    given_up boolean not null default false,
    ended timestamptz(3)
  )`,
  `create index dunning_customer_id_index on dunning (customer_id)`,

  `create table credit_note (
    id text primary key,
    vendor_id text not null constraint credit_note_vendor_id_foreign references vendor (id),
    customer_id text not null constraint credit_note_customer_id_foreign references customer (id),
    invoice_id text not null constraint credit_note_invoice_id_foreign references invoice (id),
    number bigint not null,
    printed_number text not null,
    series text not null,
    created timestamptz(3) not null,
    currency text not null,
    target text not null,
    total numeric not null,
    tax_amount numeric not null,
    reduced numeric not null,
    to_credits numeric not null,
    to_credits_ended numeric not null,
    to_wallet numeric not null,
    to_payment numeric not null,
    notes text,
    constraint credit_note_number_unique unique (vendor_id, series, number),
    constraint credit_note_total_check check (total > 0 and total = reduced + to_credits + to_wallet + to_payment),
    constraint credit_note_ended_check check (to_credits_ended >= 0 and to_credits_ended <= to_credits)
  )`,
  `create index credit_note_invoice_id_created_index on credit_note (invoice_id, created)`,
  `create index credit_note_customer_id_created_id_index on credit_note (customer_id, created, id)`,
  // only the notes go, with the customer's personal data
  `create function credit_note_is_final() returns trigger language plpgsql as $$
    declare kept credit_note;
    begin
      if tg_op = 'UPDATE' then
        kept := new;
        kept.notes := old.notes;
        if new.notes is null and kept is not distinct from old then
          return new;
        end if;
      end if;
      raise exception 'credit note % cannot be changed: % is refused', old.id, tg_op using errcode = 'restrict_violation';
    end $$`,
  `create trigger credit_note_append_only before update or delete on credit_note
    for each row execute function credit_note_is_final()`,

  `create table credit_note_item (
    credit_note_id text not null constraint credit_note_item_credit_note_id_foreign references credit_note (id),
    invoice_item_id text not null constraint credit_note_item_invoice_item_id_foreign references invoice_item (id),
    amount numeric not null,
    total_excluding_tax numeric not null,
    tax_amount numeric not null,
    primary key (credit_note_id, invoice_item_id)
  )`,
  `create index credit_note_item_invoice_item_id_index on credit_note_item (invoice_item_id)`,
  `create trigger credit_note_item_append_only before update or delete on credit_note_item
    for each row execute function ledger_is_append_only()`,

  `create table payment_refund (
    id text primary key,
    vendor_id text not null constraint payment_refund_vendor_id_foreign references vendor (id),
    customer_id text not null constraint payment_refund_customer_id_foreign references customer (id),
    attempt_id text not null constraint payment_refund_attempt_id_foreign references payment_attempt (id),
    credit_note_id text constraint payment_refund_credit_note_id_foreign references credit_note (id),
    amount numeric not null,
    currency text not null,
    status text not null,
    reason text,
    reference text,
    created timestamptz(3) not null,
    ended timestamptz(3)
  )`,
  `create index payment_refund_attempt_id_index on payment_refund (attempt_id)`,
  `create index payment_refund_credit_note_id_index on payment_refund (credit_note_id)`,
  `create index payment_refund_under_way_index on payment_refund (id) where status = 'processing'`,

  `create table payment_dispute (
    reference text primary key,
    vendor_id text not null constraint payment_dispute_vendor_id_foreign references vendor (id),
    customer_id text not null constraint payment_dispute_customer_id_foreign references customer (id),
    attempt_id text not null constraint payment_dispute_attempt_id_foreign references payment_attempt (id),
    amount numeric not null,
    currency text not null,
    state text not null,
    reason text not null,
    opened timestamptz(3) not null,
    closed timestamptz(3),
    reported timestamptz(3) not null
  )`,
  `create index payment_dispute_attempt_id_index on payment_dispute (attempt_id)`,

  `create table payment_notice (
    provider text not null,
    id text not null,
    received timestamptz(3) not null,
    notice jsonb not null,
    primary key (provider, id)
  )`,

  `create table document (
    id text primary key,
    vendor_id text not null,
    seller jsonb not null,
    buyer jsonb not null
  )`,
  `create table document_print (
    document_id text not null constraint document_print_document_id_foreign references document (id),
    edition text not null,
    basis text not null,
    bytes bytea not null,
    sha256 text not null,
    printed timestamptz(3) not null,
    primary key (document_id, edition)
  )`,
  `create index document_print_since_index on document_print (printed) where edition = 'since'`,
  // PDFs are compressed already
  `alter table document_print alter column bytes set storage external`,

  `create table sandbox_charge (
    key text primary key,
    reference text not null,
    method text not null,
    amount numeric not null,
    currency text not null,
    status text not null,
    reason text,
    settles_at numeric not null,
    constraint sandbox_charge_reference_unique unique (reference)
  )`,

  `create table sandbox_setup (
    reference text primary key,
    choice text,
    confirmations int not null
  )`,

  `create table sandbox_refund (
    key text primary key,
    charge_reference text not null,
    amount numeric not null
  )`,
  `create index sandbox_refund_charge_reference_index on sandbox_refund (charge_reference)`,
];
