import { Migration } from '@mikro-orm/migrations';

export class CatalogueAndContracts extends Migration {
  up(): void {
    this.addSql(`create table plan (
        id text not null, vendor_id text not null, slug text not null, internal_name text not null, external_name text null,
        description text null, strategy text not null, free_trial_days int not null default 0, metadata jsonb not null,
        status text not null default 'active', created timestamptz(3) not null, primary key (id)
    )`);
    this.addSql(`create index plan_vendor_id_created_id_index on plan (vendor_id, created, id)`);
    this.addSql(`alter table plan add constraint plan_slug_unique unique (vendor_id, slug)`);

    this.addSql(`create table "feature" (
        "id" text not null, "vendor_id" text not null, "plan_id" text not null, "slug" text not null, "name" text not null,
        "charge_trigger" text not null, "group_name" text null, "position" int not null default 0,
        "archived" boolean not null default false, primary key ("id")
    )`);
    this.addSql(`create index feature_vendor_id_slug_index on feature (vendor_id, slug)`);
    this.addSql(`alter table feature add constraint feature_slug_unique unique (plan_id, slug)`);

    this.addSql(`create table "pricing" (
        "id" text not null, "vendor_id" text not null, "plan_id" text not null, "currency" text not null, "cycle" text not null,
        "free_cycles" int not null default 0, "price" jsonb null, "features" jsonb not null, "groups" jsonb not null,
        "position" int not null default 0, "active" boolean not null default true, "created" timestamptz(3) not null,
        primary key ("id")
    )`);
    this.addSql(`create index pricing_plan_id_index on pricing (plan_id)`);
    this.addSql(`create index pricing_vendor_id_index on pricing (vendor_id)`);
    this.addSql(`create unique index pricing_currency_cycle_unique on pricing (plan_id, currency, cycle) where active`);

    this.addSql(`create table "discount" (
        "id" text not null, "vendor_id" text not null, "slug" text not null, "name" text not null, "discount_type" text not null,
        "amount" numeric not null, "duration" int not null, "currency" text null, "status" text not null default 'active',
        "created" timestamptz(3) not null, primary key ("id")
    )`);
    this.addSql(`create index discount_vendor_id_created_id_index on discount (vendor_id, created, id)`);
    this.addSql(`alter table discount add constraint discount_slug_unique unique (vendor_id, slug)`);

    this.addSql(`create table contract (
        id text not null, vendor_id text not null, customer_id text not null, plan_id text not null, pricing_id text not null,
        test_clock_id text null, root_id text not null, predecessor_id text null, successor_id text null,
        is_successor boolean not null default false, status text not null, cycle text not null, currency text not null,
        terms jsonb not null, discount jsonb null, configuration jsonb not null, free_cycles int not null default 0,
        created timestamptz(3) not null, activation timestamptz(3) null, trial_days int not null default 0,
        trial_end timestamptz(3) null, expiration_at timestamptz(3) null, expiration_set_at timestamptz(3) null,
        start_at timestamptz(3) null, cycle_offset int null, first_cycle int not null default 0,
        cycles_before int not null default 0, began timestamptz(3) null, ended timestamptz(3) null, current_idx int null,
        custom_charged jsonb not null, pending_change jsonb null, cancellation jsonb null, parked_reason text null,
        amount numeric not null, next_cycle_start timestamptz(3) null, version int not null default 1, primary key (id)
    )`);
    this.addSql(`create index contract_vendor_id_created_id_index on contract (vendor_id, created, id)`);
    this.addSql(`create index contract_vendor_id_status_index on contract (vendor_id, status)`);
    this.addSql(`create index contract_vendor_id_plan_id_index on contract (vendor_id, plan_id)`);
    this.addSql(`create index contract_customer_id_index on contract (customer_id)`);
    this.addSql(`create index contract_root_id_index on contract (root_id)`);
    this.addSql(
      `create index contract_live_index on contract (test_clock_id) where status in ('not_ready', 'pending', 'scheduled', 'active')`,
    );
    this.addSql(
      `create unique index contract_one_live_unique on contract (customer_id, plan_id) where status in ('not_ready', 'pending', 'scheduled', 'active') and not is_successor`,
    );

    this.addSql(`create table "contract_history" (
        "id" bigserial primary key, "contract_id" text not null, "at" timestamptz(3) not null, "kind" text not null,
        "detail" jsonb not null
    )`);
    this.addSql(`create index "contract_history_contract_id_at_id_index" on "contract_history" ("contract_id", "at", "id")`);

    this.addSql(`create table usage_claim (
        customer_id text not null, slug text not null, root_id text not null, primary key (customer_id, slug)
    )`);
    this.addSql(`create index usage_claim_root_id_index on usage_claim (root_id)`);
  }
}
