export const invoices = [
  `create table invoice_item (
    id text primary key,
    vendor_id text not null,
    customer_id text not null,
    contract_id text,
    charge_key text not null,
    invoice_id text,
    kind text not null,
    source text not null,
    name text not null,
    description text,
    currency text not null,
    span_start timestamptz(3),
    span_end timestamptz(3),
    due_date timestamptz(3) not null,
    scheduling_policy text not null,
    unit_count numeric not null,
    unit_price numeric not null,
    subtotal numeric not null,
    discount_amount numeric not null,
    discount_description text,
    total_excluding_tax numeric not null,
    tax_amount numeric not null,
    total_including_tax numeric not null,
    tax_code text,
    tax_rate numeric,
    tax_policy text not null,
    reverse_charge boolean not null default false,
    credit_of text,
    period_idx int,
    part int,
    derivation json not null,
    position int not null default 0,
    created timestamptz(3) not null,
    voided boolean not null default false,
    elsewhere boolean not null default false,
    xid bigint not null default (pg_current_xact_id())::text::bigint,
    constraint invoice_item_charge_unique unique (contract_id, charge_key)
  )`,
  `create unique index invoice_item_customer_charge_unique on invoice_item (customer_id, charge_key) where contract_id is null`,
  `create index invoice_item_invoice_id_index on invoice_item (invoice_id)`,
  `create index invoice_item_waiting_index on invoice_item (contract_id) where invoice_id is null and not voided and not elsewhere`,
  // lines that a change may give back: usage that invoice thresholds charge in a thousand parts isn’t among them
  `create index invoice_item_span_index on invoice_item (contract_id, span_end)
    where kind in ('recurring', 'custom') and span_start is not null and not voided`,
  // the latest part of a usage period, and those that are voided
  `create index invoice_item_elsewhere_index on invoice_item (contract_id) where elsewhere and kind = 'custom' and not voided`,
  `create index invoice_item_part_index on invoice_item (contract_id, period_idx, source, part, id) where part is not null`,
  `create index invoice_item_voided_part_index on invoice_item (contract_id, period_idx, source, part) where part is not null and voided`,
  // how many parts of a customer's usage are voided: its contracts are not gone through for it
  `create index invoice_item_voided_of_customer_index on invoice_item (customer_id) where part is not null and voided`,
  // whether a line is given back to its end: by an index, since a look into each credit would parse its derivation
  `create index invoice_item_given_back_index on invoice_item (credit_of)
    where credit_of is not null and not voided and derivation -> 'until' is null`,
  `create index invoice_item_credit_index on invoice_item (credit_of) where credit_of is not null`,
  `create index invoice_item_vendor_id_created_id_index on invoice_item (vendor_id, created, id)`,
  // an item's figures are fixed when it is written: later it only gets its invoice, once, and with it another due date,
  // or is voided with it; compared byte by byte, since json has no equality
  `create function invoice_item_is_final() returns trigger language plpgsql as $$
    declare kept invoice_item;
    begin
      if tg_op = 'DELETE' then
        raise exception 'invoice item % cannot be deleted', old.id using errcode = 'restrict_violation';
      end if;
      kept := new;
      kept.invoice_id := old.invoice_id;
      kept.position := old.position;
      kept.voided := old.voided;
      if old.invoice_id is null and new.invoice_id is not null then
        kept.due_date := old.due_date;
      end if;
      kept.xid := old.xid;
      if old.invoice_id is not null and new.invoice_id is distinct from old.invoice_id
         or (old.invoice_id is not null and new.voided and not old.voided
             and exists (select 1 from invoice where id = old.invoice_id and validated_at is not null))
         or kept *<> old then
        raise exception 'invoice item % cannot be changed', old.id using errcode = 'restrict_violation';
      end if;
      new.xid := pg_current_xact_id()::text::bigint;
      return new;
    end $$`,
  `create trigger invoice_item_final before update or delete on invoice_item for each row execute function invoice_item_is_final()`,

  `create table invoice (
    id text primary key,
    vendor_id text not null,
    customer_id text not null,
    contract_id text,
    test_clock_id text,
    number bigint not null,
    printed_number text not null,
    series text not null default '',
    date timestamptz(3) not null,
    due_date timestamptz(3) not null,
    status text not null,
    currency text not null,
    total numeric not null,
    amount_due numeric not null,
    automatic boolean not null,
    trigger text not null,
    deposit_transaction_status text not null default 'not_processed',
    deposit_transaction_id text,
    external_reference text,
    created timestamptz(3) not null,
    validated_at timestamptz(3),
    voided_at timestamptz(3),
    paid_at timestamptz(3),
    xid bigint not null default (pg_current_xact_id())::text::bigint,
    constraint invoice_number_unique unique (vendor_id, series, number),
    constraint invoice_amount_due_check check (amount_due >= 0 and total >= 0)
  )`,
  `create index invoice_vendor_id_date_id_index on invoice (vendor_id, date, id)`,
  `create index invoice_vendor_id_status_date_id_index on invoice (vendor_id, status, date, id)`,
  `create index invoice_customer_id_date_id_index on invoice (customer_id, date, id)`,
  `create index invoice_contract_id_date_index on invoice (contract_id, date)`,
  `create index invoice_open_index on invoice (customer_id, currency, due_date, id) where status = 'ready_for_payment'`,
  `create index invoice_pending_index on invoice (customer_id, contract_id, date, id) where status = 'pending_validation'`,
  // what a validated invoice says never changes again, only how far it is paid
  `create function invoice_is_final() returns trigger language plpgsql as $$
    declare kept invoice;
    begin
      if tg_op = 'DELETE' then
        raise exception 'invoice % cannot be deleted', old.id using errcode = 'restrict_violation';
      end if;
      kept := new;
      kept.status := old.status;
      kept.amount_due := old.amount_due;
      kept.paid_at := old.paid_at;
      kept.deposit_transaction_status := old.deposit_transaction_status;
      kept.deposit_transaction_id := old.deposit_transaction_id;
      kept.external_reference := old.external_reference;
      kept.xid := old.xid;
      if old.validated_at is not null and kept is distinct from old then
        raise exception 'invoice % is validated and cannot be changed', old.id using errcode = 'restrict_violation';
      end if;
      if old.validated_at is not null and new.status = 'pending_validation' then
        raise exception 'invoice % is validated already', old.id using errcode = 'restrict_violation';
      end if;
      new.xid := pg_current_xact_id()::text::bigint;
      return new;
    end $$`,
  `create trigger invoice_final before update or delete on invoice for each row execute function invoice_is_final()`,

  `create table invoice_counter (
    vendor_id text not null,
    series text not null,
    last bigint not null,
    primary key (vendor_id, series)
  )`,
];
