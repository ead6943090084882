export const usage = [
  `create table usage_period (
    contract_id text not null,
    idx int not null,
    start_at timestamptz(3) not null,
    end_at timestamptz(3),
    usage_from timestamptz(3) not null,
    usage_until timestamptz(3),
    closes_at timestamptz(3),
    status text not null default 'open',
    closed_at timestamptz(3),
    marked boolean not null default false,
    follows_contract_id text,
    follows_idx int,
    goes_on jsonb not null default '[]',
    primary key (contract_id, idx)
  )`,
  `create index usage_period_follows_index on usage_period (follows_contract_id, follows_idx) where follows_contract_id is not null`,
  // what every step of a contract asks for, whose closed periods become more for ever
  `create index usage_period_open_index on usage_period (contract_id, idx) where status <> 'closed'`,
  // the pages of a timeline
  `create index usage_period_contract_id_usage_from_index on usage_period (contract_id, usage_from)`,
  `create index usage_period_closed_index on usage_period (contract_id, closed_at) where closed_at is not null`,
  // without those that only a caller closes: of a contract whose periods nobody closes these become more for ever
  `create index usage_period_running_index on usage_period (contract_id, idx)
    where status <> 'closed' and (status = 'open' or closes_at is not null)`,

  `create table usage_event (
    id text primary key,
    seq bigserial,
    vendor_id text not null,
    customer_id text not null,
    contract_id text not null,
    period_idx int not null,
    feature_slug text not null,
    units numeric not null,
    is_absolute boolean not null default false,
    timestamp timestamptz(3) not null,
    arrived_at timestamptz(3) not null,
    metadata jsonb not null,
    discarded_at timestamptz(3),
    allow_correction boolean not null default false,
    corrected boolean not null default false,
    xid bigint not null default (pg_current_xact_id())::text::bigint
  ) partition by range (id)`,
  // takes what comes in a month that has no partition of its own, so that no event is refused
  `create table usage_month_other partition of usage_event default`,
  `create index usage_event_period_index on usage_event (contract_id, period_idx, feature_slug, timestamp, seq)`,
  `create index usage_event_marker_index on usage_event (contract_id, period_idx, feature_slug, timestamp, seq) where is_absolute`,
  `create index usage_event_vendor_id_timestamp_id_index on usage_event (vendor_id, timestamp, id)`,
  `create index usage_event_customer_id_timestamp_id_index on usage_event (customer_id, timestamp, id)`,

  // beside the events: a unique key of theirs would hold within one month only
  `create table usage_key (
    vendor_id text not null,
    key text not null,
    event_id text not null,
    primary key (vendor_id, key)
  )`,

  `create table usage_event_history (
    id bigserial primary key,
    event_id text not null,
    at timestamptz(3) not null,
    kind text not null,
    units_before numeric not null,
    units_after numeric,
    notes text,
    key_id text
  )`,
  `create index usage_event_history_event_id_id_index on usage_event_history (event_id, id)`,

  `create table usage_counter (
    contract_id text not null,
    period_idx int not null,
    feature_slug text not null,
    units numeric not null,
    events bigint not null default '0',
    own_units numeric not null default '0',
    own_events bigint not null default '0',
    listed bigint not null default '0',
    marker numeric,
    marker_at timestamptz(3),
    latest_at timestamptz(3),
    room_to numeric,
    room_in text,
    primary key (contract_id, period_idx, feature_slug)
  )`,

  `create table usage_limit (
    id text primary key,
    customer_id text not null constraint usage_limit_customer_id_foreign references customer (id),
    feature_slug text,
    units numeric,
    amount numeric,
    time_window text not null,
    action text not null,
    created timestamptz(3) not null
  )`,
  `create index usage_limit_customer_id_created_id_index on usage_limit (customer_id, created, id)`,

  `create table usage_alert (
    id text primary key,
    customer_id text not null constraint usage_alert_customer_id_foreign references customer (id),
    watches text not null,
    feature_slug text,
    steps text[] not null,
    created timestamptz(3) not null
  )`,
  `create index usage_alert_customer_id_created_id_index on usage_alert (customer_id, created, id)`,

  `create table usage_alert_reached (
    watch_id text not null,
    place text not null,
    step text not null,
    primary key (watch_id, place, step)
  )`,

  `create table usage_reservation (
    id text primary key,
    customer_id text not null constraint usage_reservation_customer_id_foreign references customer (id),
    feature_slug text not null,
    units numeric not null,
    reserved_at timestamptz(3) not null,
    expires_at timestamptz(3) not null,
    status text not null default 'open',
    event_id text,
    confirmed_units numeric,
    made_at timestamptz(3) not null
  )`,
  `create index usage_reservation_open_index on usage_reservation (customer_id, feature_slug, reserved_at) where status = 'open'`,
  `create index usage_reservation_made_at_index on usage_reservation (made_at)`,

  `create table usage_window (
    customer_id text not null,
    feature_slug text not null,
    time_window text not null,
    began timestamptz(3) not null,
    units numeric not null,
    primary key (customer_id, feature_slug, time_window, began)
  )`,

  `create table usage_room (
    customer_id text primary key constraint usage_room_customer_id_foreign references customer (id),
    state text not null,
    since timestamptz(3),
    until timestamptz(3),
    rooms jsonb not null
  )`,

  `create table usage_correction (
    id bigserial primary key,
    contract_id text not null,
    root_id text not null,
    period_idx int not null,
    feature_slug text not null,
    occasion text not null,
    created timestamptz(3) not null,
    settled_at timestamptz(3),
    constraint usage_correction_unique unique (contract_id, period_idx, feature_slug, occasion)
  )`,
  `create unique index usage_correction_open_unique on usage_correction (contract_id, period_idx, feature_slug) where settled_at is null`,
  `create index usage_correction_root_open_index on usage_correction (root_id) where settled_at is null`,
];
