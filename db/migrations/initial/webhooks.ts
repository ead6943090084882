export const webhooks = [
  `create table event_mark (
    id int primary key default 1,
    seq bigint not null default 0,
    xid bigint not null default 0,
    settled_seq bigint not null default 0,
    constraint event_mark_one_check check (id = 1)
  )`,
  `insert into event_mark (id) values (1)`,

  `create table event_body (
    event_seq bigint primary key,
    vendor_id text not null,
    customer_id text,
    object_id text not null,
    made timestamptz(3) not null,
    body text not null
  )`,
  `create index event_body_customer_id_index on event_body (customer_id)`,
  `create index event_body_object_id_index on event_body (object_id)`,

  `create table webhook_endpoint (
    id text primary key,
    vendor_id text not null constraint webhook_endpoint_vendor_id_foreign references vendor (id),
    created timestamptz(3) not null,
    url text not null,
    types text[] not null,
    description text,
    status text not null default 'active',
    paused_reason text,
    secret text not null,
    former_secrets jsonb not null default '[]',
    read_seq bigint not null,
    notified_seq bigint not null default 0,
    busy_until timestamptz(3),
    opens boolean not null default false
  )`,
  `create index webhook_endpoint_vendor_id_created_id_index on webhook_endpoint (vendor_id, created, id)`,

  `create table webhook_backlog (
    endpoint_id text not null constraint webhook_backlog_endpoint_id_foreign references webhook_endpoint (id),
    lane text not null,
    object_id text not null,
    event_seq bigint not null,
    object_sequence int not null,
    attempts int not null default 0,
    failures int not null default 0,
    failing_since timestamptz(3),
    next_try timestamptz(3) not null,
    asked int not null default 1,
    primary key (endpoint_id, lane)
  )`,
  `create index webhook_backlog_endpoint_id_next_try_index on webhook_backlog (endpoint_id, next_try)`,
  `create index webhook_backlog_endpoint_id_event_seq_index on webhook_backlog (endpoint_id, event_seq)`,
  `create index webhook_backlog_failing_index on webhook_backlog (endpoint_id, failing_since) where failures > 0`,

  `create table webhook_skip (
    endpoint_id text not null constraint webhook_skip_endpoint_id_foreign references webhook_endpoint (id),
    event_seq bigint not null,
    primary key (endpoint_id, event_seq)
  )`,

  `create table webhook_try (
    id bigserial primary key,
    endpoint_id text not null constraint webhook_try_endpoint_id_foreign references webhook_endpoint (id),
    event_id text not null,
    at timestamptz(3) not null,
    attempt int not null,
    status text not null,
    status_code int,
    duration_ms int not null,
    error text,
    answer text
  )`,
  `create index webhook_try_endpoint_id_id_index on webhook_try (endpoint_id, id)`,
  `create index webhook_try_endpoint_id_event_id_id_index on webhook_try (endpoint_id, event_id, id)`,
  `create index webhook_try_at_index on webhook_try (at)`,
];
