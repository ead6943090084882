export const wallets = [
  `create table wallet (
    id text primary key,
    vendor_id text not null constraint wallet_vendor_id_foreign references vendor (id),
    customer_id text not null constraint wallet_customer_id_foreign references customer (id),
    currency text not null,
    balance numeric not null,
    held numeric not null default 0,
    pays_after jsonb,
    constraint wallet_currency_unique unique (customer_id, currency),
    constraint wallet_balance_check check (balance >= held and held >= 0)
  )`,

  `create table wallet_transaction (
    id text primary key,
    seq bigserial,
    wallet_id text not null constraint wallet_transaction_wallet_id_foreign references wallet (id),
    amount numeric not null,
    balance_after numeric not null,
    description text not null,
    invoice_id text,
    at timestamptz(3) not null,
    kind text not null,
    occasion text not null,
    constraint wallet_transaction_occasion_unique unique (wallet_id, occasion)
  )`,
  `create index wallet_transaction_wallet_id_seq_index on wallet_transaction (wallet_id, seq)`,
  `create index wallet_transaction_invoice_id_index on wallet_transaction (invoice_id)`,
];
