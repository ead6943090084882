export const catalogue = [
  `create table plan (
    id text primary key,
    vendor_id text not null constraint plan_vendor_id_foreign references vendor (id),
    slug text not null,
    internal_name text not null,
    external_name text,
    description text,
    strategy text not null,
    free_trial_days int not null default 0,
    metadata jsonb not null,
    change_rules jsonb not null default '{}',
    pause_rules jsonb not null default '{}',
    status text not null default 'active',
    created timestamptz(3) not null,
    constraint plan_slug_unique unique (vendor_id, slug)
  )`,
  `create index plan_vendor_id_created_id_index on plan (vendor_id, created, id)`,

  `create table feature (
    id text primary key,
    vendor_id text not null constraint feature_vendor_id_foreign references vendor (id),
    plan_id text not null constraint feature_plan_id_foreign references plan (id),
    slug text not null,
    name text not null,
    charge_trigger text not null,
    group_name text,
    value jsonb,
    position int not null default 0,
    archived boolean not null default false,
    constraint feature_slug_unique unique (plan_id, slug)
  )`,
  `create index feature_vendor_id_slug_index on feature (vendor_id, slug)`,
  `create index feature_sold_index on feature (plan_id, position, id) where not archived`,

  `create table pricing (
    id text primary key,
    vendor_id text not null constraint pricing_vendor_id_foreign references vendor (id),
    plan_id text not null constraint pricing_plan_id_foreign references plan (id),
    currency text not null,
    cycle text not null,
    free_cycles int not null default 0,
    price jsonb,
    features jsonb not null,
    groups jsonb not null,
    credits jsonb,
    position int not null default 0,
    active boolean not null default true,
    created timestamptz(3) not null
  )`,
  `create index pricing_plan_id_index on pricing (plan_id)`,
  `create index pricing_vendor_id_index on pricing (vendor_id)`,
  `create unique index pricing_currency_cycle_unique on pricing (plan_id, currency, cycle) where active`,

  `create table plan_version (
    plan_id text not null constraint plan_version_plan_id_foreign references plan (id),
    number int not null,
    vendor_id text not null constraint plan_version_vendor_id_foreign references vendor (id),
    began timestamptz(3) not null,
    held jsonb not null,
    constraint plan_version_pkey primary key (plan_id, number)
  )`,
  `create index plan_version_vendor_id_index on plan_version (vendor_id)`,

  `create table discount (
    id text primary key,
    vendor_id text not null constraint discount_vendor_id_foreign references vendor (id),
    slug text not null,
    name text not null,
    discount_type text not null,
    amount numeric not null,
    duration int not null,
    currency text,
    status text not null default 'active',
    created timestamptz(3) not null,
    constraint discount_slug_unique unique (vendor_id, slug)
  )`,
  `create index discount_vendor_id_created_id_index on discount (vendor_id, created, id)`,
];
