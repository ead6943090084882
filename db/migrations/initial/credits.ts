export const credits = [
  `create table credit_grant (
    id text primary key,
    vendor_id text not null constraint credit_grant_vendor_id_foreign references vendor (id),
    customer_id text not null constraint credit_grant_customer_id_foreign references customer (id),
    currency text not null,
    kind text not null,
    amount numeric not null,
    price numeric,
    invoice_id text,
    paid_at timestamptz(3),
    top_up_id text,
    balance numeric not null,
    held numeric not null default 0,
    priority int not null,
    effective_at timestamptz(3) not null,
    expires_at timestamptz(3),
    features jsonb,
    plans jsonb,
    description text,
    created timestamptz(3) not null,
    voided_at timestamptz(3),
    expired_at timestamptz(3),
    contract_id text constraint credit_grant_contract_id_foreign references contract (id),
    period_idx int,
    rollover_maximum numeric,
    rollover_until timestamptz(3),
    rolled_from text,
    constraint credit_grant_balance_check check (balance >= held and held >= 0 and balance <= amount)
  )`,
  `create index credit_grant_open_index on credit_grant (customer_id, currency) where balance > 0`,
  `create index credit_grant_vendor_id_created_id_index on credit_grant (vendor_id, created, id)`,
  `create index credit_grant_customer_id_created_id_index on credit_grant (customer_id, created, id)`,
  `create index credit_grant_contract_id_index on credit_grant (contract_id) where contract_id is not null`,
  `create unique index credit_grant_cycle_unique on credit_grant (contract_id, period_idx) where rolled_from is null`,
  `create unique index credit_grant_rolled_from_unique on credit_grant (rolled_from) where rolled_from is not null`,

  `create index credit_grant_invoice_index on credit_grant (invoice_id) where invoice_id is not null`,

  // one purchase of a top-up at a time, however often it is tried
  `create unique index credit_grant_one_top_up_unique on credit_grant (customer_id, currency)
    where top_up_id is not null and paid_at is null and voided_at is null`,

  `create table credit_top_up (
    id text primary key,
    vendor_id text not null constraint credit_top_up_vendor_id_foreign references vendor (id),
    customer_id text not null constraint credit_top_up_customer_id_foreign references customer (id),
    currency text not null,
    below numeric not null,
    amount numeric not null,
    price numeric not null,
    at_most_per_month numeric not null,
    created timestamptz(3) not null,
    paused_until timestamptz(3),
    declines int not null default 0,
    stopped_at timestamptz(3),
    constraint credit_top_up_currency_unique unique (customer_id, currency)
  )`,

  `create table credit_movement (
    id text primary key,
    seq bigserial,
    grant_id text not null constraint credit_movement_grant_id_foreign references credit_grant (id),
    kind text not null,
    amount numeric not null,
    balance_after numeric not null,
    invoice_id text,
    at timestamptz(3) not null,
    occasion text not null,
    place int,
    lines jsonb not null default '[]',
    constraint credit_movement_occasion_unique unique (grant_id, occasion)
  )`,
  `create index credit_movement_grant_id_seq_index on credit_movement (grant_id, seq)`,
  `create index credit_movement_invoice_id_index on credit_movement (invoice_id)`,
  `create trigger credit_movement_append_only before update or delete on credit_movement
    for each row execute function ledger_is_append_only()`,
];
