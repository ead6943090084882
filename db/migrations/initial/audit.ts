import { WITHOUT_PERSONAL, withoutPersonal } from '../../sql/audit/personal.ts';

/**
 * The columns whose changes the audit log shows, and the column that names the object; of a column with `.*` each field
 * of its JSON counts on its own. None of them is a secret.
 */
const SHOWN: Readonly<Record<string, { key?: string; columns: readonly string[] }>> = {
  vendor: {
    columns: [
      ...['name', 'invoicing.*', 'number_format.*', 'change_rules.*', 'pause_rules.*', 'tax_policy', 'seller'],
      ...['payment_threshold', 'retry_days', 'language', 'email.*'],
    ],
  },
  portal_preferences: { key: 'vendor_id', columns: ['plans', 'name', 'logo_url', 'color', 'links', 'texts', 'return_urls'] },
  api_key: { columns: ['name', 'scope', 'expires_at', 'revoked_at'] },
  test_clock: { columns: ['name', 'target', 'status'] },
  customer: {
    columns: [
      ...['name', 'emails', 'addresses', 'metadata', 'status', 'customer_reference', 'notes', 'vat_id', 'language'],
      ...['configuration.*', 'default_payment', 'resume_at'],
    ],
  },
  plan: {
    columns: [
      'slug',
      'internal_name',
      'external_name',
      'description',
      'free_trial_days',
      'metadata',
      'change_rules',
      'pause_rules',
      'status',
    ],
  },
  discount: { columns: ['slug', 'name', 'amount', 'duration', 'currency', 'status'] },
  contract: {
    columns: ['status', 'activation', 'expiration_at', 'ended', 'successor_id', 'pending_change', 'cancellation', 'parked_reason'],
  },
  invoice: { columns: ['status', 'amount_due', 'external_reference'] },
  payment_method: { columns: ['status'] },
  webhook_endpoint: { columns: ['url', 'types', 'description', 'status', 'paused_reason'] },
};

/** What the audit log shows of a deleted row: each column, with the name that requests give it. */
const DELETED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  usage_limit: { feature_slug: 'feature_slug', units: 'units', amount: 'amount', time_window: 'window', action: 'action' },
  usage_alert: { watches: 'on', feature_slug: 'feature_slug', steps: 'at' },
  credit_top_up: { currency: 'currency', below: 'below', amount: 'amount', price: 'price', at_most_per_month: 'at_most_per_month' },
};

/** The arguments of `audited_deletion`. */
const namesOf = (shown: Readonly<Record<string, string>>): string =>
  Object.entries(shown)
    .flat()
    .map((name) => `'${name}'`)
    .join(', ');

export const audit = [
  // the transaction comes before the number: defaults are made in this order, and the mark of the log relies on it
  `create table audit (
    xid bigint not null default (pg_current_xact_id())::text::bigint,
    id text primary key,
    seq bigint not null default nextval('event_seq_seq'),
    vendor_id text not null,
    at timestamptz(3) not null default clock_timestamp(),
    caller_type text not null,
    caller_id text,
    action text not null,
    object_id text not null,
    before jsonb,
    after jsonb
  )`,
  // the order of no list, as in the log of events
  `create unique index audit_seq_unique on audit (seq nulls first)`,
  `create index audit_vendor_id_seq_index on audit (vendor_id, seq)`,
  `create index audit_object_id_seq_index on audit (object_id, seq)`,
  `create index audit_caller_id_seq_index on audit (caller_id, seq)`,
  // most entries are of keys: their number costs this index nothing
  `create index audit_not_of_keys_index on audit (vendor_id, caller_type, seq) where caller_type <> 'key'`,

  WITHOUT_PERSONAL,
  // an erasure replaces what is personal, and that is the only change there is
  `create function audit_is_final() returns trigger language plpgsql as $$
    declare kept audit;
    begin
      if tg_op = 'UPDATE' then
        kept := old;
        kept.before := ${withoutPersonal('old.before')};
        kept.after := ${withoutPersonal('old.after')};
        if new is not distinct from kept then
          return new;
        end if;
      end if;
      raise exception 'the audit log cannot be changed' using errcode = 'restrict_violation';
    end $$`,
  `create trigger audit_final before update or delete on audit for each row execute function audit_is_final()`,
  `create trigger audit_never_empty before truncate on audit for each statement execute function audit_is_final()`,

  // of each object that a transaction is about, by its id: the first old values and the last new ones of its row
  `create function audited_row_changes() returns trigger language plpgsql as $$
    declare
      was jsonb := to_jsonb(old);
      becomes jsonb := to_jsonb(new);
      object text := was ->> tg_argv[0];
      all_before jsonb := coalesce(nullif(current_setting('perennial.audited_before', true), ''), '{}');
      all_after jsonb := coalesce(nullif(current_setting('perennial.audited_after', true), ''), '{}');
      before jsonb := '{}';
      after jsonb := coalesce(all_after -> object, '{}');
      shown text;
      field text;
      one jsonb;
      other jsonb;
    begin
      foreach shown in array tg_argv[1:] loop
        field := rtrim(shown, '.*');
        one := was -> field;
        other := becomes -> field;
        continue when one is not distinct from other;
        if field = shown then
          -- money is text, as everywhere
          one := jsonb_build_object(field, case when field like 'amount%' then to_jsonb(one #>> '{}') else one end);
          other := jsonb_build_object(field, case when field like 'amount%' then to_jsonb(other #>> '{}') else other end);
        end if;
        select before || coalesce(jsonb_object_agg(k, one -> k), '{}') , after || coalesce(jsonb_object_agg(k, other -> k), '{}')
        into before, after
        from (select jsonb_object_keys(case jsonb_typeof(one) when 'object' then one else '{}' end)
              union select jsonb_object_keys(case jsonb_typeof(other) when 'object' then other else '{}' end)) as keys(k)
        where one -> k is distinct from other -> k;
      end loop;
      before := before || coalesce(all_before -> object, '{}');
      perform set_config('perennial.audited_before', (all_before || jsonb_build_object(object, before))::text, true),
        set_config('perennial.audited_after', (all_after || jsonb_build_object(object, after))::text, true);
      return null;
    end $$`,
  ...Object.entries(SHOWN).map(
    ([table, { key = 'id', columns }]) => `create trigger ${table}_audited after update on ${table} for each row
      when (strpos(current_setting('perennial.audited', true), old.${key}) > 0)
      execute function audited_row_changes('${key}', ${columns.map((column) => `'${column}'`).join(', ')})`,
  ),
  // numbers are text, as in requests
  `create function audited_deletion() returns trigger language plpgsql as $$
    declare
      was jsonb := to_jsonb(old);
      all_before jsonb := coalesce(nullif(current_setting('perennial.audited_before', true), ''), '{}');
      before jsonb := '{}';
    begin
      for at in 0 .. tg_nargs / 2 - 1 loop
        before := before || jsonb_build_object(tg_argv[2 * at + 1],
          case jsonb_typeof(was -> tg_argv[2 * at]) when 'number' then to_jsonb(was ->> tg_argv[2 * at]) else was -> tg_argv[2 * at] end);
      end loop;
      perform set_config('perennial.audited_before', (all_before || jsonb_build_object(old.id, jsonb_strip_nulls(before)))::text, true);
      return null;
    end $$`,
  ...Object.entries(DELETED).map(
    ([table, shown]) => `create trigger ${table}_deletion_audited after delete on ${table} for each row
      when (strpos(current_setting('perennial.audited', true), old.id) > 0)
      execute function audited_deletion(${namesOf(shown)})`,
  ),
  // a deleted endpoint keeps its row for a while; its name comes after that of the trigger for its changes, as its turn
  `create trigger webhook_endpoint_deletion_audited after update on webhook_endpoint for each row
    when (new.status = 'deleted' and strpos(current_setting('perennial.audited', true), old.id) > 0)
    execute function audited_deletion(${namesOf({ url: 'url', types: 'types', description: 'description', status: 'status' })})`,
  // the rates that a new list of rates replaces
  `create function audited_rate() returns trigger language plpgsql as $$
    declare
      all_before jsonb := coalesce(nullif(current_setting('perennial.audited_before', true), ''), '{}');
      before jsonb := coalesce(all_before -> old.vendor_id, '{}');
    begin
      before := before || jsonb_build_object('rates', coalesce(before -> 'rates', '[]') || jsonb_build_object(
        'tax_code', old.tax_code, 'country', old.country, 'state', old.state, 'rate', old.rate::text));
      perform set_config('perennial.audited_before', (all_before || jsonb_build_object(old.vendor_id, before))::text, true);
      return null;
    end $$`,
  `create trigger tax_rate_audited after delete on tax_rate for each row
    when (strpos(current_setting('perennial.audited', true), old.vendor_id) > 0) execute function audited_rate()`,
];
