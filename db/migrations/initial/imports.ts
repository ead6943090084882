export const imports = [
  `create table import (
    id text primary key,
    vendor_id text not null constraint import_vendor_id_foreign references vendor (id),
    key_id text constraint import_key_id_foreign references api_key (id),
    status text not null default 'open',
    created timestamptz(3) not null,
    ended timestamptz(3)
  )`,
  `create index import_vendor_id_created_id_index on import (vendor_id, created, id)`,
  `create index import_open_index on import (created) where status = 'open'`,

  `create table import_line (
    import_id text not null constraint import_line_import_id_foreign references import (id),
    number int not null,
    type text not null,
    position bigint not null,
    ref_key text,
    fingerprint text not null,
    input text,
    outcome text,
    code text,
    problems jsonb,
    object_id text,
    at timestamptz(3),
    constraint import_line_pkey primary key (import_id, number)
  )`,
  `create index import_line_waiting_index on import_line (import_id, position) where outcome is null`,
  `create index import_line_outcome_index on import_line (import_id, outcome, number)`,
  `create index import_line_ref_index on import_line (ref_key) where input is not null`,

  `create table import_ref (
    vendor_id text not null constraint import_ref_vendor_id_foreign references vendor (id),
    ref_key text not null,
    object_id text not null,
    customer_id text not null constraint import_ref_customer_id_foreign references customer (id),
    fingerprint text not null,
    constraint import_ref_pkey primary key (vendor_id, ref_key)
  )`,
  `create index import_ref_customer_id_ref_key_index on import_ref (customer_id, ref_key)`,
];
