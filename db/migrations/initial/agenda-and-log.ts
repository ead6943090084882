export const agendaAndLog = [
  `create table agenda (
    id bigserial primary key,
    vendor_id text not null,
    customer_id text not null,
    contract_id text,
    test_clock_id text,
    workflow_id text not null,
    kind text not null,
    subject text not null,
    due_at timestamptz(3) not null,
    remind_at timestamptz(3),
    held boolean not null default false,
    detail jsonb not null,
    constraint agenda_subject_unique unique (kind, subject)
  )`,
  `create index agenda_due_index on agenda (due_at, workflow_id) where test_clock_id is null and not held`,
  `create index agenda_vendor_index on agenda (vendor_id, due_at, id) where test_clock_id is null and not held`,
  `create index agenda_reminder_index on agenda (test_clock_id, remind_at, contract_id) where remind_at is not null and not held`,
  `create index agenda_workflow_id_due_at_index on agenda (workflow_id, due_at)`,
  `create index agenda_clock_index on agenda (test_clock_id, due_at, contract_id) where test_clock_id is not null`,
  `create index agenda_contract_id_due_at_index on agenda (contract_id, due_at)`,
  `create index agenda_customer_id_due_at_index on agenda (customer_id, due_at)`,
  // what is due of a contract's invoices and gates, for its timeline: it is the customer's
  `create index agenda_of_contract_index on agenda ((detail ->> 'contract_id'), due_at) where detail ->> 'contract_id' is not null`,

  `create table outbox (
    kind text not null,
    workflow_id text not null,
    wanted bigint not null default 1,
    sent bigint not null default 0,
    tries int not null default 0,
    next_try timestamptz(3) not null default now(),
    leased_until timestamptz(3),
    failure text,
    created timestamptz(3) not null default now(),
    sent_at timestamptz(3),
    trace jsonb,
    begins_at timestamptz(3),
    seen bigint,
    primary key (kind, workflow_id)
  )`,
  `create index outbox_open_index on outbox (next_try) where sent < wanted`,
  `create index outbox_forget_index on outbox (greatest(sent_at, begins_at))`,
  // few of its rows are written often, many wait for a contract's first instant
  `alter table outbox set (autovacuum_vacuum_scale_factor = 0.02)`,

  // the transaction comes before the number: defaults are made in this order, and the mark of the log relies on it
  `create table event (
    xid bigint not null default (pg_current_xact_id())::text::bigint,
    seq bigserial,
    id text primary key,
    vendor_id text not null,
    type text not null,
    object_id text not null,
    object_sequence int not null,
    timestamp timestamptz(3) not null,
    data jsonb not null,
    actor text not null,
    caller_type text not null default 'system',
    caller_id text,
    timeline_of text,
    constraint event_object_sequence_unique unique (object_id, object_sequence)
  )`,
  // the order of no list: the log of one vendor is never read through the events of all
  `create unique index event_seq_unique on event (seq nulls first)`,
  `create index event_vendor_id_seq_index on event (vendor_id, seq)`,
  `create index event_vendor_id_type_seq_index on event (vendor_id, type, seq)`,
  // the pages of a contract's timeline: its events, those of its invoices and credits, and the freezes of its customer
  `create index event_timeline_index on event (timeline_of, timestamp) where timeline_of is not null`,
  `create index event_freeze_index on event (object_id, timestamp) where type in ('v1.customer.frozen', 'v1.customer.activated')`,
  // the audit log shows what time brought beside the entries of callers
  `create index event_of_system_index on event (vendor_id, seq) where caller_type = 'system'`,

  // what is left of events that were deleted: the last number of an object without later ones, and where a log begins
  `create table event_count (
    object_id text primary key,
    sequence int not null
  )`,
  `create table event_log_start (
    vendor_id text primary key,
    seq bigint not null,
    last_id text not null
  )`,

  `create table idempotency (
    vendor_id text not null,
    operation text not null,
    key text not null,
    subject text,
    body_hash text not null,
    leased_until timestamptz(3) not null,
    response_status int,
    response_body text,
    response_headers jsonb,
    secret boolean not null default false,
    created timestamptz(3) not null,
    effect_made boolean not null default false,
    effect text,
    primary key (vendor_id, operation, key)
  )`,
  `create index idempotency_created_index on idempotency (created)`,
  `create index idempotency_subject_index on idempotency (subject) where subject is not null`,
];
