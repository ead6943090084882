/** The tables whose rows a vendor's lists show, and the column by which each is counted in parts. */
const COUNTED = { customer: 'status', contract: 'status', invoice: 'status', event: 'type', usage_event: 'feature_slug' };
/** Counted by other filters too, from indexes alone: only pages that were vacuumed since they were written allow it. */
const COUNTED_BY_INDEX = ['customer', 'contract', 'invoice', 'event'];

const isLive = (row: string): string => `${row}.status in ('not_ready', 'pending', 'scheduled', 'active')`;

/** The lists of a plan's contracts and customers, by the same triggers. */
const ofPlan = {
  contracts: (row: string, n: string): string =>
    `select ${row}.vendor_id, 'contract_of_plan', ${row}.plan_id || ' ' || ${row}.status, ${n}`,
  customers: (row: string, n: string): string => `select ${row}.vendor_id, ${row}.customer_id, by.list, by.part, ${n}`,
  lists: (row: string): string =>
    `(values ('customer_of_plan', ${row}.plan_id), ('customer_of_plan_name', ${row}.plan_name)) by (list, part)`,
};

/** Notes rows that one statement has inserted or deleted. */
const counting = (part: string): string => `create function ${counterOf(part)}() returns trigger language plpgsql as $$
    begin
      insert into list_count_change (vendor_id, list, part, n)
      select vendor_id, tg_table_name, ${part}, case tg_op when 'INSERT' then count(*) else -count(*) end
      from changed group by vendor_id, ${part};
      return null;
    end $$`;

const counterOf = (part: string): string => `list_is_counted_by_${part}`;

export const listCounts = [
  `create table list_count (
    vendor_id text not null,
    list text not null,
    part text not null,
    n bigint not null,
    primary key (vendor_id, list, part)
  )`,
  `create table list_count_change (
    vendor_id text not null,
    list text not null,
    id bigserial not null,
    part text not null,
    n bigint not null,
    primary key (vendor_id, list, id)
  )`,
  // by triggers, so that no statement that writes such rows can forget it
  ...new Set(Object.values(COUNTED).map(counting)),
  ...Object.entries(COUNTED).flatMap(([table, part]) => [
    `create trigger ${table}_counted_in after insert on ${table} referencing new table as changed
      for each statement execute function ${counterOf(part)}()`,
    `create trigger ${table}_counted_out after delete on ${table} referencing old table as changed
      for each statement execute function ${counterOf(part)}()`,
  ]),
  // for each row: most updates leave the status alone, and the condition is looked at without a call
  `create function status_is_counted() returns trigger language plpgsql as $$
    begin
      insert into list_count_change (vendor_id, list, part, n)
      values (old.vendor_id, tg_table_name, old.status, -1), (new.vendor_id, tg_table_name, new.status, 1);
      return null;
    end $$`,
  ...Object.entries(COUNTED)
    .filter(([, part]) => part === 'status')
    .map(
      ([table]) => `create trigger ${table}_status_counted after update on ${table}
        for each row when (old.status is distinct from new.status) execute function status_is_counted()`,
    ),
  // a customer may have several contracts of a plan or of its name, so they are kept customer by customer
  `create table customer_by_plan (
    vendor_id text not null,
    list text not null,
    part text not null,
    customer_id text not null,
    n int not null,
    primary key (vendor_id, list, part, customer_id)
  )`,
  // those that are to be deleted
  `create index customer_by_plan_empty_index on customer_by_plan (vendor_id, list, part, customer_id) where n = 0`,
  `create table customer_by_plan_change (
    vendor_id text not null,
    list text not null,
    part text not null,
    id bigserial not null,
    customer_id text not null,
    n int not null,
    primary key (vendor_id, list, part, id)
  )`,
  `create function contracts_of_plan_are_counted() returns trigger language plpgsql as $$
    declare sign int := case tg_op when 'INSERT' then 1 else -1 end;
    begin
      insert into list_count_change (vendor_id, list, part, n)
      ${ofPlan.contracts('c', 'sign * count(*)')} from changed c group by c.vendor_id, c.plan_id, c.status;
      insert into customer_by_plan_change (vendor_id, customer_id, list, part, n)
      ${ofPlan.customers('c', 'sign')} from changed c cross join lateral ${ofPlan.lists('c')} where ${isLive('c')};
      return null;
    end $$`,
  `create trigger contract_plan_counted_in after insert on contract referencing new table as changed
    for each statement execute function contracts_of_plan_are_counted()`,
  `create trigger contract_plan_counted_out after delete on contract referencing old table as changed
    for each statement execute function contracts_of_plan_are_counted()`,
  `create function contract_of_plan_is_counted() returns trigger language plpgsql as $$
    begin
      insert into list_count_change (vendor_id, list, part, n)
      ${ofPlan.contracts('old', '-1')} union all ${ofPlan.contracts('new', '1')};
      if (${isLive('old')}, old.plan_id, old.plan_name) is distinct from (${isLive('new')}, new.plan_id, new.plan_name) then
        insert into customer_by_plan_change (vendor_id, customer_id, list, part, n)
        ${ofPlan.customers('old', '-1')} from ${ofPlan.lists('old')} where ${isLive('old')}
        union all ${ofPlan.customers('new', '1')} from ${ofPlan.lists('new')} where ${isLive('new')};
      end if;
      return null;
    end $$`,
  `create trigger contract_plan_counted after update on contract
    for each row when (old.status <> new.status or old.plan_id <> new.plan_id or old.plan_name <> new.plan_name)
    execute function contract_of_plan_is_counted()`,
  ...COUNTED_BY_INDEX.map(
    (table) => `alter table ${table} set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02)`,
  ),
];
