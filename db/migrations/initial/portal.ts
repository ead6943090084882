export const portal = [
  `create table portal_preferences (
    vendor_id text primary key constraint portal_preferences_vendor_id_foreign references vendor (id),
    plans jsonb,
    name text,
    logo_url text,
    color text,
    links jsonb not null,
    texts jsonb not null,
    return_urls jsonb not null
  )`,

  `create table portal_token (
    hash text primary key,
    vendor_id text not null constraint portal_token_vendor_id_foreign references vendor (id),
    customer_id text not null constraint portal_token_customer_id_foreign references customer (id),
    created timestamptz(3) not null,
    expires timestamptz(3) not null,
    used_at timestamptz(3),
    flow text,
    invoice_id text constraint portal_token_invoice_id_foreign references invoice (id),
    contract_id text constraint portal_token_contract_id_foreign references contract (id),
    return_url text
  )`,
  `create index portal_token_customer_id_index on portal_token (customer_id)`,
  `create index portal_token_expires_index on portal_token (expires)`,

  `create table portal_session (
    hash text primary key,
    vendor_id text not null constraint portal_session_vendor_id_foreign references vendor (id),
    customer_id text not null constraint portal_session_customer_id_foreign references customer (id),
    last_seen timestamptz(3) not null,
    expires timestamptz(3) not null,
    flow text,
    return_url text
  )`,
  `create index portal_session_customer_id_index on portal_session (customer_id)`,
  `create index portal_session_expires_index on portal_session (expires)`,
];
