import { Migration } from '@mikro-orm/migrations';

export class AgendaAndLog extends Migration {
  up(): void {
    this.addSql(`create table agenda (
        id bigserial primary key, vendor_id text not null, customer_id text not null, contract_id text null,
        test_clock_id text null, kind text not null, subject text not null, due_at timestamptz(3) not null, detail jsonb not null
    )`);
    this.addSql(`create index agenda_wall_index on agenda (due_at, contract_id) where test_clock_id is null`);
    this.addSql(`create index agenda_clock_index on agenda (test_clock_id, due_at) where test_clock_id is not null`);
    this.addSql(`create index agenda_contract_id_due_at_index on agenda (contract_id, due_at)`);
    this.addSql(`create index agenda_customer_id_index on agenda (customer_id)`);
    this.addSql(`alter table agenda add constraint agenda_subject_unique unique (kind, subject)`);

    this.addSql(`create table wish (
        id bigserial primary key, kind text not null, workflow_id text not null, payload jsonb not null,
        created timestamptz(3) not null, delivered_at timestamptz(3) null, tries int not null default 0
    )`);
    this.addSql(`create index wish_open_index on wish (id) where delivered_at is null`);

    this.addSql(`create table "event" (
        "seq" bigserial primary key, "id" text not null, "vendor_id" text not null, "type" text not null,
        "object_id" text not null, "object_sequence" int not null, "timestamp" timestamptz(3) not null, "data" jsonb not null,
        "xid" bigint not null default (pg_current_xact_id())::text::bigint
    )`);
    this.addSql(`create index event_vendor_id_seq_index on event (vendor_id, seq)`);
    this.addSql(`create index "event_vendor_id_type_seq_index" on "event" ("vendor_id", "type", "seq")`);
    this.addSql(`alter table event add constraint event_id_unique unique (id)`);
    this.addSql(`alter table event add constraint event_object_sequence_unique unique (object_id, object_sequence)`);

    this.addSql(`create table "idempotency" (
        "vendor_id" text not null, "operation" text not null, "key" text not null, "body_hash" text not null,
        "claimed_until" timestamptz(3) not null, "answer_status" int null, "answer_body" text null, "answer_headers" jsonb null,
        "secret" boolean not null default false, "created" timestamptz(3) not null, primary key ("vendor_id", "operation", "key")
    )`);
    this.addSql(`create index idempotency_created_index on idempotency (created)`);
  }
}
