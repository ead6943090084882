export const figures = [
  `create table mrr_move (
    id text primary key,
    vendor_id text not null,
    clock_id text not null,
    customer_id text not null,
    root_id text not null,
    contract_id text not null,
    currency text not null,
    number int not null,
    at timestamptz(3) not null,
    kind text not null,
    before numeric not null,
    after numeric not null,
    amount numeric not null,
    constraint mrr_move_number_unique unique (root_id, currency, number)
  )`,
  `create index mrr_move_vendor_id_clock_id_at_id_index on mrr_move (vendor_id, clock_id, at, id)`,
  `create trigger mrr_move_append_only before update or delete on mrr_move for each row execute function ledger_is_append_only()`,

  `create table figure_sum (
    vendor_id text not null,
    clock_id text not null,
    figure text not null,
    part text not null,
    currency text not null,
    day timestamptz(3) not null,
    amount numeric not null,
    n bigint not null,
    primary key (vendor_id, clock_id, figure, part, currency, day)
  )`,
  `create table figure_sum_change (
    vendor_id text not null,
    clock_id text not null,
    figure text not null,
    id bigserial not null,
    part text not null,
    currency text not null,
    day timestamptz(3) not null,
    amount numeric not null,
    n bigint not null,
    primary key (vendor_id, clock_id, figure, id)
  )`,
];
