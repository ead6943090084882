export const contracts = [
  `create table contract (
    id text primary key,
    vendor_id text not null,
    customer_id text not null,
    customer_created timestamptz(3) not null default 'epoch',
    plan_id text not null,
    plan_name text not null,
    pricing_id text not null,
    test_clock_id text,
    root_id text not null,
    predecessor_id text,
    successor_id text,
    is_successor boolean not null default false,
    status text not null,
    cycle text not null,
    currency text not null,
    terms jsonb not null,
    discount jsonb,
    configuration jsonb not null,
    change_rules jsonb not null default '{}',
    pause_rules jsonb not null default '{}',
    free_cycles int not null default 0,
    created timestamptz(3) not null,
    activation timestamptz(3),
    trial_days int not null default 0,
    trial_end timestamptz(3),
    trial_ending_sent boolean not null default false,
    expiration_at timestamptz(3),
    expiration_set_at timestamptz(3),
    start_at timestamptz(3),
    cycle_offset int,
    first_cycle int not null default 0,
    cycles_before int not null default 0,
    began timestamptz(3),
    ended timestamptz(3),
    usage_to_close boolean not null default false,
    current_idx int,
    custom_charged jsonb not null,
    cycles_left jsonb,
    given_back jsonb not null default '[]',
    carried jsonb not null default '{"lost": [], "goesOn": [], "waiting": []}',
    pending_change jsonb,
    cancellation jsonb,
    parked_reason text,
    gate jsonb,
    amount numeric not null,
    next_cycle_start timestamptz(3),
    xid bigint not null default (pg_current_xact_id())::text::bigint
  )`,
  `create index contract_vendor_id_created_id_index on contract (vendor_id, created, id)`,
  `create index contract_vendor_id_status_created_id_index on contract (vendor_id, status, created, id)`,
  `create index contract_vendor_id_plan_id_created_id_index on contract (vendor_id, plan_id, created, id)`,
  `create index contract_live_plan_index on contract (vendor_id, plan_id, customer_created, customer_id)
    where status in ('active', 'scheduled', 'pending', 'not_ready')`,
  `create index contract_plan_name_index on contract (vendor_id, plan_name, customer_created, customer_id)
    where status in ('active', 'scheduled', 'pending', 'not_ready')`,
  `create index contract_customer_id_ended_began_index on contract (customer_id, ended, began)`,
  // what usage and freezes look at: every change leaves one more that has ended, and few of these have usage to close
  `create index contract_open_index on contract (customer_id) where ended is null or usage_to_close`,
  // what has not ended of a chain is found by it as well: every change leaves one more that has
  `create index contract_root_id_ended_index on contract (root_id, ended)`,
  `create index contract_trial_index on contract (vendor_id, trial_end, id)
    where status = 'active' and start_at is null and trial_end is not null`,
  `create index contract_parked_index on contract (id) where parked_reason is not null`,
  `create unique index contract_one_live_unique on contract (customer_id, plan_id)
    where status in ('not_ready', 'pending', 'scheduled', 'active') and not is_successor`,

  // a trigger, so that whatever makes a contract has it in the place of its customer's list
  `create function contract_has_customers_place() returns trigger language plpgsql as $$
    begin
      new.customer_created := coalesce((select c.created from customer c where c.id = new.customer_id), new.customer_created);
      return new;
    end $$`,
  `create trigger contract_customers_place before insert on contract for each row execute function contract_has_customers_place()`,

  `create table contract_history (
    id bigserial primary key,
    contract_id text not null,
    at timestamptz(3) not null,
    kind text not null,
    detail jsonb not null,
    caller_type text not null default 'system',
    caller_id text,
    seq bigint not null default nextval('event_seq_seq')
  )`,
  `create index contract_history_contract_id_at_id_index on contract_history (contract_id, at, id)`,

  `create table usage_owner (
    customer_id text not null,
    slug text not null,
    root_id text not null,
    primary key (customer_id, slug)
  )`,
  `create index usage_owner_root_id_index on usage_owner (root_id)`,
];
