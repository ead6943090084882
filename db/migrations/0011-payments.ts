import { Migration } from '@mikro-orm/migrations';

export class Payments extends Migration {
  up(): void {
    this.methods();
    this.attempts();
    this.creditNotes();
    this.sandbox();
  }

  private methods(): void {
    this.addSql(`create table payment_method (
        id text not null, vendor_id text not null, customer_id text not null, created timestamptz(3) not null, method_type text not null,
        provider text not null, status text not null default 'active', details jsonb not null, holder_name text null,
        reference text not null, customer_reference text null, detach_pending boolean not null default false, primary key (id)
    )`);
    this.addSql(`create index payment_method_customer_id_created_id_index on payment_method (customer_id, created, id)`);
    this.addSql(`alter table payment_method add constraint payment_method_reference_unique unique (provider, reference)`);

    this.addSql(`create table "payment_session" (
        "id" text not null, "vendor_id" text not null, "customer_id" text not null, "test_clock_id" text null,
        "created" timestamptz(3) not null, "expires" timestamptz(3) not null, "ended" timestamptz(3) null,
        "status" text not null default 'pending', "reason" text null, "provider" text not null,
        "address" boolean not null default false, "detach_previous" boolean not null default false, "plan_id" text null,
        "pricing_id" text null, "reference" text not null, "customer_reference" text null, "connected_account_id" text null,
        "publishable_key" text null, "method_id" text null, primary key ("id")
    )`);
    this.addSql(`create index payment_session_customer_id_created_index on payment_session (customer_id, created)`);
    this.addSql(`create index payment_session_provider_reference_index on payment_session (provider, reference)`);
  }

  private attempts(): void {
    this.addSql(`create table "payment_attempt" (
        "id" text not null, "vendor_id" text not null, "customer_id" text not null, "invoice_id" text not null,
        "test_clock_id" text null, "method_id" text null, "provider" text not null, "origin" text not null, "amount" numeric not null,
        "currency" text not null, "status" text not null, "reason" text null, "retryable" boolean null, "provider_key" text not null,
        "reference" text null, "fence" int not null default 1, "called_at" timestamptz(3) null, "ask_at" timestamptz(3) null,
        "created" timestamptz(3) not null, "ended" timestamptz(3) null, "ledger_transaction_id" text null, primary key ("id")
    )`);
    this.addSql(`create index payment_attempt_invoice_id_created_index on payment_attempt (invoice_id, created)`);
    this.addSql(`create index payment_attempt_provider_reference_index on payment_attempt (provider, reference)`);
    this.addSql(`create index payment_attempt_open_index on payment_attempt (customer_id) where status = 'processing'`);
    this.addSql(`create unique index payment_attempt_one_open on payment_attempt (invoice_id) where status = 'processing'`);
    this.addSql(`alter table payment_attempt add constraint payment_attempt_key_unique unique (provider, provider_key)`);

    this.addSql(`create table dunning (
        invoice_id text not null, customer_id text not null, method_id text not null, first_failure timestamptz(3) not null,
        failures int not null, retry_days jsonb not null, given_up boolean not null default false, primary key (invoice_id)
    )`);

    this.addSql(`create table "payment_refund" (
        "id" text not null, "vendor_id" text not null, "customer_id" text not null, "attempt_id" text not null,
        "credit_note_id" text null, "amount" numeric not null, "currency" text not null, "status" text not null, "reason" text null,
        "reference" text null, "created" timestamptz(3) not null, "ended" timestamptz(3) null, primary key ("id")
    )`);
    this.addSql(`create index payment_refund_attempt_id_index on payment_refund (attempt_id)`);
    this.addSql(`create index payment_refund_credit_note_id_index on payment_refund (credit_note_id)`);

    this.addSql(`create table payment_dispute (
        reference text not null, vendor_id text not null, customer_id text not null, attempt_id text not null, amount numeric not null,
        currency text not null, state text not null, reason text not null, opened timestamptz(3) not null,
        closed timestamptz(3) null, primary key (reference)
    )`);
    this.addSql(`create index payment_dispute_attempt_id_index on payment_dispute (attempt_id)`);

    this.addSql(`create table payment_notice (
        provider text not null, id text not null, received timestamptz(3) not null, notice jsonb not null, primary key (provider, id)
    )`);
  }

  private creditNotes(): void {
    this.addSql(`create table "credit_note" (
        "id" text not null, "vendor_id" text not null, "customer_id" text not null, "invoice_id" text not null, "number" bigint not null,
        "series" text not null, "created" timestamptz(3) not null, "currency" text not null, "target" text not null,
        "total" numeric not null, "tax_amount" numeric not null, "reduced" numeric not null, "to_wallet" numeric not null,
        "to_payment" numeric not null, "notes" text null, primary key ("id")
    )`);
    this.addSql(`create index credit_note_invoice_id_created_index on credit_note (invoice_id, created)`);
    this.addSql(`alter table credit_note add constraint credit_note_number_unique unique (vendor_id, series, number)`);
    this.addSql(
      `alter table credit_note add constraint credit_note_total_check check (total > 0 and total = reduced + to_wallet + to_payment)`,
    );

    this.addSql(`create table credit_note_item (
        credit_note_id text not null, invoice_item_id text not null, amount numeric not null, total_excluding_tax numeric not null,
        tax_amount numeric not null, primary key (credit_note_id, invoice_item_id)
    )`);
    this.addSql(`create index credit_note_item_invoice_item_id_index on credit_note_item (invoice_item_id)`);

    this.addSql(`create table document (
        id text not null, vendor_id text not null, seller jsonb not null, buyer jsonb not null, sha256 text null,
        printed timestamptz(3) null, primary key (id)
    )`);

    for (const table of ['credit_note', 'credit_note_item']) {
      this.addSql(
        `create trigger ${table}_append_only before update or delete on ${table} for each row execute function ledger_is_append_only()`,
      );
    }
  }

  private sandbox(): void {
    this.addSql(`create table sandbox_charge (
        key text not null, reference text not null, method text not null, amount numeric not null, currency text not null,
        status text not null, reason text null, settles_at numeric not null, primary key (key)
    )`);
    this.addSql(`alter table sandbox_charge add constraint sandbox_charge_reference_unique unique (reference)`);
    this.addSql(
      `create table sandbox_setup (reference text not null, choice text null, confirmations int not null, primary key (reference))`,
    );
    this.addSql(`create table sandbox_refund (
        key text not null, charge_reference text not null, amount numeric not null, primary key (key)
    )`);
    this.addSql(`create index sandbox_refund_charge_reference_index on sandbox_refund (charge_reference)`);
  }
}
