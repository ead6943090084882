export const vendorsAndCustomers = [
  `create table vendor (
    id text primary key,
    name text not null,
    created timestamptz(3) not null,
    invoicing jsonb not null,
    number_format jsonb not null default '{"prefix": "", "width": 1, "creditNotePrefix": null}',
    change_rules jsonb not null default '{}',
    pause_rules jsonb not null default '{}',
    tax_policy text not null default 'tax_included',
    seller jsonb,
    payment_threshold jsonb not null,
    retry_days jsonb,
    language text not null default 'en',
    email jsonb
  )`,

  `create table api_key (
    id text primary key,
    vendor_id text not null constraint api_key_vendor_id_foreign references vendor (id),
    name text not null,
    hash text not null,
    scope text not null,
    created timestamptz(3) not null,
    expires_at timestamptz(3),
    revoked_at timestamptz(3),
    last_used_at timestamptz(3),
    constraint api_key_hash_unique unique (hash)
  )`,
  `create index api_key_vendor_id_created_id_index on api_key (vendor_id, created, id)`,

  `create table ended_session (
    id text primary key,
    expires timestamptz(3) not null
  )`,
  `create index ended_session_expires_index on ended_session (expires)`,

  `create table person (
    id text primary key,
    vendor_id text not null constraint person_vendor_id_foreign references vendor (id),
    issuer text not null,
    subject text not null,
    name text not null,
    email text,
    signed_in timestamptz(3) not null,
    constraint person_vendor_id_issuer_subject_unique unique (vendor_id, issuer, subject)
  )`,

  `create table console_session (
    hash text primary key,
    vendor_id text not null constraint console_session_vendor_id_foreign references vendor (id),
    key_id text constraint console_session_key_id_foreign references api_key (id),
    person_id text constraint console_session_person_id_foreign references person (id),
    scope text,
    created timestamptz(3) not null,
    last_seen timestamptz(3) not null,
    expires timestamptz(3) not null
  )`,
  `create index console_session_key_id_index on console_session (key_id)`,
  `create index console_session_person_id_index on console_session (person_id)`,
  `create index console_session_expires_index on console_session (expires)`,

  `create table tax_rate (
    id text primary key,
    vendor_id text not null constraint tax_rate_vendor_id_foreign references vendor (id),
    tax_code text,
    country text,
    state text,
    rate numeric not null,
    position int not null default 0
  )`,
  `create index tax_rate_vendor_id_index on tax_rate (vendor_id)`,

  `create table test_clock (
    id text primary key,
    vendor_id text not null constraint test_clock_vendor_id_foreign references vendor (id),
    name text,
    created timestamptz(3) not null,
    now timestamptz(3) not null,
    target timestamptz(3),
    moved_at timestamptz(3),
    status text not null default 'ready',
    reason text,
    used boolean not null default false
  )`,
  `create index test_clock_vendor_id_created_id_index on test_clock (vendor_id, created, id)`,

  `create table customer (
    id text primary key,
    vendor_id text not null constraint customer_vendor_id_foreign references vendor (id),
    created timestamptz(3) not null,
    name text not null default '',
    emails jsonb not null,
    email_keys text[] not null,
    addresses json not null,
    metadata jsonb not null,
    status text not null,
    customer_reference text,
    notes text,
    vat_id text,
    language text,
    test_clock_id text constraint customer_test_clock_id_foreign references test_clock (id),
    configuration jsonb not null,
    default_payment text not null default 'none',
    frozen_at timestamptz(3),
    resume_at timestamptz(3),
    watched boolean not null default false,
    erased_at timestamptz(3),
    erasure_ended timestamptz(3),
    search text not null default '',
    xid bigint not null default (pg_current_xact_id())::text::bigint
  )`,
  `create index customer_vendor_id_created_id_index on customer (vendor_id, created, id)`,
  `create index customer_vendor_id_status_created_id_index on customer (vendor_id, status, created, id)`,
  `create index customer_vendor_id_customer_reference_index on customer (vendor_id, customer_reference)`,
  `create index customer_test_clock_id_index on customer (test_clock_id)`,
  `create index customer_email_keys_index on customer using gin (email_keys)`,
  `create index customer_metadata_index on customer using gin (metadata)`,
  // part of a name, an e-mail or a reference is found by trigrams
  `create extension if not exists pg_trgm`,
  `create index customer_search_index on customer using gin (search gin_trgm_ops)`,

  `create table customer_pause (
    customer_id text not null constraint customer_pause_customer_id_foreign references customer (id),
    began timestamptz(3) not null,
    ended timestamptz(3),
    primary key (customer_id, began)
  )`,

  `create table customer_history (
    id bigserial primary key,
    customer_id text not null constraint customer_history_customer_id_foreign references customer (id),
    kind text not null,
    notes text,
    object text,
    caller_type text not null default 'system',
    key_id text constraint customer_history_key_id_foreign references api_key (id),
    person_id text constraint customer_history_person_id_foreign references person (id),
    at timestamptz(3) not null
  )`,
  `create index customer_history_customer_id_id_index on customer_history (customer_id, id)`,
];
