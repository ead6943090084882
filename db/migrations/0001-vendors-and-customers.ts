import { Migration } from '@mikro-orm/migrations';

export class VendorsAndCustomers extends Migration {
  up(): void {
    this.addSql(`create table "vendor" (
        "id" text not null, "name" text not null, "created" timestamptz(3) not null, "invoicing" jsonb not null,
        "tax_policy" text not null default 'tax_included', "seller" jsonb null, "payment_threshold" jsonb not null,
        "retry_days" jsonb null, primary key ("id")
    )`);

    this.addSql(`create table "api_key" (
        "id" text not null, "vendor_id" text not null, "name" text not null, "hash" text not null, "scope" text not null,
        "created" timestamptz(3) not null, "expires_at" timestamptz(3) null, "revoked_at" timestamptz(3) null,
        "last_used_at" timestamptz(3) null, primary key ("id")
    )`);
    this.addSql(`alter table api_key add constraint api_key_hash_unique unique (hash)`);
    this.addSql(`create index api_key_vendor_id_created_id_index on api_key (vendor_id, created, id)`);

    this.addSql(`create table "tax_rate" (
        "id" text not null, "vendor_id" text not null, "tax_code" text null, "country" text null, "state" text null,
        "rate" numeric not null, "position" int not null default 0, primary key ("id")
    )`);
    this.addSql(`create index tax_rate_vendor_id_index on tax_rate (vendor_id)`);

    this.addSql(`create table "test_clock" (
        "id" text not null, "vendor_id" text not null, "name" text null, "created" timestamptz(3) not null,
        "now" timestamptz(3) not null, "target" timestamptz(3) null, "status" text not null default 'ready', "reason" text null,
        "used" boolean not null default false, primary key ("id")
    )`);
    this.addSql(`create index test_clock_vendor_id_created_id_index on test_clock (vendor_id, created, id)`);

    this.addSql(`create table "customer" (
        "id" text not null, "vendor_id" text not null, "created" timestamptz(3) not null, "name" text not null default '',
        "emails" jsonb not null, "email_keys" text[] not null, "addresses" json not null, "metadata" jsonb not null,
        "status" text not null default 'temporary', "customer_reference" text null, "notes" text null, "vat_id" text null,
        "test_clock_id" text null, "configuration" jsonb not null, "default_payment" text not null default 'none',
        "frozen_at" timestamptz(3) null, "search" text not null default '', primary key ("id")
    )`);
    this.addSql(`create index customer_vendor_id_created_id_index on customer (vendor_id, created, id)`);
    this.addSql(`create index customer_vendor_id_status_index on customer (vendor_id, status)`);
    this.addSql(`create index customer_vendor_id_customer_reference_index on customer (vendor_id, customer_reference)`);
    this.addSql(`create index customer_test_clock_id_index on customer (test_clock_id)`);
    this.addSql(`create index customer_email_keys_index on customer using gin (email_keys)`);
    this.addSql(`create index customer_metadata_index on customer using gin (metadata)`);

    this.addSql(`create table customer_pause (
        customer_id text not null, began timestamptz(3) not null, ended timestamptz(3) null, primary key (customer_id, began)
    )`);

    this.addSql(`create table "customer_history" (
        "id" bigserial primary key, "customer_id" text not null, "kind" text not null, "notes" text null, "key_id" text null,
        "at" timestamptz(3) not null
    )`);
    this.addSql(`create index customer_history_customer_id_id_index on customer_history (customer_id, id)`);

    this.addSql(`create table portal_token (
        hash text not null, vendor_id text not null, customer_id text not null, created timestamptz(3) not null,
        expires timestamptz(3) not null, used_at timestamptz(3) null, primary key (hash)
    )`);

    this.addSql(`create table portal_session (
        hash text not null, vendor_id text not null, customer_id text not null, last_seen timestamptz(3) not null,
        expires timestamptz(3) not null, primary key (hash)
    )`);
  }
}
