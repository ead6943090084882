/** The tables whose rows a vendor's plain list shows, each counted by its name. */
const COUNTED = ['customer', 'contract', 'invoice', 'event', 'usage_event'];
/** Counted by filters too, from indexes alone: which only pages that were vacuumed since they were written allow. */
const COUNTED_BY_INDEX = ['customer', 'contract', 'invoice', 'event'];

/**
 * How many rows a vendor has in a table. A transaction that inserts or deletes rows adds one row with the difference,
 * so none waits for another; differences are added up into `list_count` from time to time.
 */
export const listCounts = [
  `create table list_count (
    vendor_id text not null,
    list text not null,
    n bigint not null,
    primary key (vendor_id, list)
  )`,
  `create table list_count_change (
    vendor_id text not null,
    list text not null,
    id bigserial not null,
    n bigint not null,
    xid bigint not null default (pg_current_xact_id())::text::bigint,
    primary key (vendor_id, list, id)
  )`,
  // by triggers, so that no statement that writes such rows can forget it
  `create function list_is_counted() returns trigger language plpgsql as $$
    begin
      insert into list_count_change (vendor_id, list, n)
      select vendor_id, tg_table_name, case tg_op when 'INSERT' then count(*) else -count(*) end from changed group by vendor_id;
      return null;
    end $$`,
  ...COUNTED.flatMap((table) => [
    `create trigger ${table}_counted_in after insert on ${table} referencing new table as changed
      for each statement execute function list_is_counted()`,
    `create trigger ${table}_counted_out after delete on ${table} referencing old table as changed
      for each statement execute function list_is_counted()`,
  ]),
  ...COUNTED_BY_INDEX.map(
    (table) => `alter table ${table} set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02)`,
  ),
];
