export const ledger = [
  `create function ledger_is_append_only() returns trigger language plpgsql as $$
    begin
      raise exception 'the ledger is append-only: % on % is refused', tg_op, tg_table_name using errcode = 'restrict_violation';
    end $$`,

  `create table ledger_account (
    id text primary key,
    vendor_id text not null,
    kind text not null,
    owner text not null default '',
    currency text not null,
    constraint ledger_account_unique unique (vendor_id, kind, owner, currency)
  )`,
  `create trigger ledger_account_append_only before update or delete on ledger_account
    for each row execute function ledger_is_append_only()`,

  `create table ledger_transaction (
    id text primary key,
    vendor_id text not null,
    clock_id text not null,
    customer_id text not null,
    kind text not null,
    occasion text not null,
    invoice_id text,
    at timestamptz(3) not null,
    xid bigint not null default (pg_current_xact_id())::text::bigint,
    constraint ledger_transaction_occasion_unique unique (kind, occasion)
  )`,
  `create index ledger_transaction_invoice_index on ledger_transaction (invoice_id) where invoice_id is not null`,
  `create index ledger_transaction_customer_id_index on ledger_transaction (customer_id)`,
  `create index ledger_transaction_vendor_id_clock_id_at_id_index on ledger_transaction (vendor_id, clock_id, at, id)`,
  `create trigger ledger_transaction_append_only before update or delete on ledger_transaction
    for each row execute function ledger_is_append_only()`,

  `create table ledger_posting (
    transaction_id text not null,
    account_id text not null,
    amount numeric not null,
    primary key (transaction_id, account_id)
  )`,
  `create index ledger_posting_account_id_index on ledger_posting (account_id)`,
  `create trigger ledger_posting_append_only before update or delete on ledger_posting
    for each row execute function ledger_is_append_only()`,
  // whole transactions are posted in one statement, so all are checked together at its end; by key, whatever the
  // planner knows of the tables
  `create function ledger_is_balanced() returns trigger language plpgsql as $$
    declare off text;
    begin
      select made.transaction_id into off
      from (select distinct transaction_id from written) made
      cross join lateral (
        select sum(p.amount) as total, count(distinct (select a.currency from ledger_account a where a.id = p.account_id)) as currencies
        from ledger_posting p where p.transaction_id = made.transaction_id
      ) sums
      where sums.total <> 0 or sums.currencies > 1
        or (select t.id from ledger_transaction t where t.id = made.transaction_id) is null
      limit 1;
      if off is not null then
        raise exception 'ledger transaction % does not balance', off using errcode = 'check_violation';
      end if;
      return null;
    end $$`,
  `create trigger ledger_posting_balanced after insert on ledger_posting referencing new table as written
    for each statement execute function ledger_is_balanced()`,
];
