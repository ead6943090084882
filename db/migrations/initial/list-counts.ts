/** The tables whose rows a vendor's lists show, and the column by which each is counted in parts. */
const COUNTED = { customer: 'status', contract: 'status', invoice: 'status', event: 'type', usage_event: 'feature_slug' };
/** Counted by other filters too, from indexes alone: only pages that were vacuumed since they were written allow it. */
const COUNTED_BY_INDEX = ['customer', 'contract', 'invoice', 'event'];

/** A customer has at most one such contract of a plan (`contract_one_live_unique`), so as many customers have one. */
const isLive = (row: string): string => `${row}.status in ('not_ready', 'pending', 'scheduled', 'active') and not ${row}.is_successor`;

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
  // a change that waits is not counted: its contract may be a second one of the same plan
  `create function customers_of_plan_are_counted() returns trigger language plpgsql as $$
    begin
      insert into list_count_change (vendor_id, list, part, n)
      select vendor_id, 'customer_of_plan', plan_id, case tg_op when 'INSERT' then count(*) else -count(*) end
      from changed where ${isLive('changed')} group by vendor_id, plan_id;
      return null;
    end $$`,
  `create trigger contract_plan_counted_in after insert on contract referencing new table as changed
    for each statement execute function customers_of_plan_are_counted()`,
  `create trigger contract_plan_counted_out after delete on contract referencing old table as changed
    for each statement execute function customers_of_plan_are_counted()`,
  `create function customer_of_plan_is_counted() returns trigger language plpgsql as $$
    begin
      insert into list_count_change (vendor_id, list, part, n)
      select old.vendor_id, 'customer_of_plan', old.plan_id, -1 where ${isLive('old')}
      union all select new.vendor_id, 'customer_of_plan', new.plan_id, 1 where ${isLive('new')};
      return null;
    end $$`,
  `create trigger contract_plan_counted after update on contract
    for each row when ((${isLive('old')}) is distinct from (${isLive('new')}) or old.plan_id <> new.plan_id)
    execute function customer_of_plan_is_counted()`,
  ...COUNTED_BY_INDEX.map(
    (table) => `alter table ${table} set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02)`,
  ),
];
