import { Migration } from '@mikro-orm/migrations';

export class UsageAndInvoices extends Migration {
  up(): void {
    this.addSql(`create table usage_period (
        contract_id text not null, idx int not null, start_at timestamptz(3) not null, end_at timestamptz(3) null,
        usage_from timestamptz(3) not null, usage_until timestamptz(3) null, closes_at timestamptz(3) null,
        status text not null default 'open', closed_at timestamptz(3) null, marked boolean not null default false,
        primary key (contract_id, idx)
    )`);

    this.addSql(`create table "usage_event" (
        "id" text not null, "seq" bigserial, "vendor_id" text not null, "customer_id" text not null, "contract_id" text not null,
        "period_idx" int not null, "feature_slug" text not null, "units" numeric not null,
        "is_absolute" boolean not null default false, "timestamp" timestamptz(3) not null, "arrived_at" timestamptz(3) not null,
        "metadata" jsonb not null, "idempotency_key" text null, "discarded_at" timestamptz(3) null,
        "allow_correction" boolean not null default false, "corrected" boolean not null default false, primary key ("id")
    )`);
    this.addSql(
      `create index "usage_event_period_index" on "usage_event" ("contract_id", "period_idx", "feature_slug", "timestamp", "seq")`,
    );
    this.addSql(
      `create index usage_event_marker_index on usage_event (contract_id, period_idx, feature_slug, timestamp, seq) where is_absolute`,
    );
    this.addSql(`create index "usage_event_vendor_id_timestamp_id_index" on "usage_event" ("vendor_id", "timestamp", "id")`);
    this.addSql(`create index "usage_event_customer_id_timestamp_id_index" on "usage_event" ("customer_id", "timestamp", "id")`);
    this.addSql(`alter table usage_event add constraint usage_event_idempotency_unique unique (vendor_id, idempotency_key)`);

    this.addSql(`create table "usage_event_history" (
        "id" bigserial primary key, "event_id" text not null, "at" timestamptz(3) not null, "kind" text not null,
        "units_before" numeric not null, "units_after" numeric null, "notes" text null, "key_id" text null
    )`);
    this.addSql(`create index usage_event_history_event_id_id_index on usage_event_history (event_id, id)`);

    this.addSql(`create table usage_counter (
        contract_id text not null, period_idx int not null, feature_slug text not null, units numeric not null,
        events bigint not null default '0', primary key (contract_id, period_idx, feature_slug)
    )`);

    this.addSql(`create table usage_correction (
        id bigserial primary key, contract_id text not null, period_idx int not null, feature_slug text not null,
        occasion text not null, created timestamptz(3) not null, settled_at timestamptz(3) null
    )`);
    this.addSql(
      `create unique index usage_correction_open_unique on usage_correction (contract_id, period_idx, feature_slug) where settled_at is null`,
    );
    this.addSql(
      `alter table usage_correction add constraint usage_correction_unique unique (contract_id, period_idx, feature_slug, occasion)`,
    );

    this.addSql(`create table "invoice_item" (
        "id" text not null, "vendor_id" text not null, "customer_id" text not null, "contract_id" text not null,
        "charge_key" text not null, "invoice_id" text null, "kind" text not null, "source" text not null, "name" text not null,
        "description" text null, "currency" text not null, "span_start" timestamptz(3) null, "span_end" timestamptz(3) null,
        "due_date" timestamptz(3) not null, "scheduling_policy" text not null, "unit_count" numeric not null,
        "unit_price" numeric not null, "subtotal" numeric not null, "discount_amount" numeric not null,
        "discount_description" text null, "total_excluding_tax" numeric not null, "tax_amount" numeric not null,
        "total_including_tax" numeric not null, "tax_code" text null, "tax_rate" numeric null, "tax_policy" text not null,
        "reverse_charge" boolean not null default false, "credit_of" text null, "period_idx" int null, "derivation" jsonb not null,
        "position" int not null default 0, "created" timestamptz(3) not null, "dead" boolean not null default false,
        primary key ("id")
    )`);
    this.addSql(`create index invoice_item_invoice_id_index on invoice_item (invoice_id)`);
    this.addSql(`create index invoice_item_waiting_index on invoice_item (contract_id) where invoice_id is null and not dead`);
    this.addSql(`create index invoice_item_span_index on invoice_item (contract_id, span_end)`);
    this.addSql(`create index invoice_item_credit_index on invoice_item (credit_of) where credit_of is not null`);
    this.addSql(`create index invoice_item_vendor_id_created_id_index on invoice_item (vendor_id, created, id)`);
    this.addSql(`alter table invoice_item add constraint invoice_item_charge_unique unique (contract_id, charge_key)`);

    this.addSql(`create table "invoice" (
        "id" text not null, "vendor_id" text not null, "customer_id" text not null, "contract_id" text not null,
        "test_clock_id" text null, "number" bigint not null, "series" text not null default '', "date" timestamptz(3) not null,
        "due_date" timestamptz(3) not null, "status" text not null, "currency" text not null, "total" numeric not null,
        "amount_due" numeric not null, "automatic" boolean not null, "trigger" text not null,
        "deposit_transaction_status" text not null default 'not_processed', "deposit_transaction_id" text null,
        "external_reference" text null, "created" timestamptz(3) not null, "validated_at" timestamptz(3) null,
        "voided_at" timestamptz(3) null, "paid_at" timestamptz(3) null, primary key ("id")
    )`);
    this.addSql(`create index "invoice_vendor_id_date_id_index" on "invoice" ("vendor_id", "date", "id")`);
    this.addSql(`create index invoice_vendor_id_status_index on invoice (vendor_id, status)`);
    this.addSql(`create index "invoice_customer_id_date_id_index" on "invoice" ("customer_id", "date", "id")`);
    this.addSql(`create index invoice_contract_id_index on invoice (contract_id)`);
    this.addSql(`create index invoice_open_index on invoice (customer_id, currency, due_date, id) where status = 'ready_for_payment'`);
    this.addSql(`alter table "invoice" add constraint "invoice_number_unique" unique ("vendor_id", "series", "number")`);
    this.addSql(`alter table invoice add constraint invoice_amount_due_check check (amount_due >= 0 and total >= 0)`);

    this.addSql(`create table "invoice_counter" (
        "vendor_id" text not null, "series" text not null, "last" bigint not null, primary key ("vendor_id", "series")
    )`);

    this.addSql(`create table wallet (
        id text not null, vendor_id text not null, customer_id text not null, currency text not null, balance numeric not null,
        primary key (id)
    )`);
    this.addSql(`alter table wallet add constraint wallet_currency_unique unique (customer_id, currency)`);
    this.addSql(`alter table wallet add constraint wallet_balance_check check (balance >= 0)`);

    this.addSql(`create table "wallet_transaction" (
        "id" text not null, "seq" bigserial, "wallet_id" text not null, "amount" numeric not null,
        "balance_after" numeric not null, "description" text not null, "invoice_id" text null, "at" timestamptz(3) not null,
        "kind" text not null, "occasion" text not null, primary key ("id")
    )`);
    this.addSql(`create index wallet_transaction_wallet_id_seq_index on wallet_transaction (wallet_id, seq)`);
    this.addSql(`create index wallet_transaction_invoice_id_index on wallet_transaction (invoice_id)`);
    this.addSql(`alter table wallet_transaction add constraint wallet_transaction_occasion_unique unique (wallet_id, occasion)`);
  }
}
