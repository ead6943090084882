export const planMoves = [
  `create table plan_move (
    id text primary key,
    vendor_id text not null constraint plan_move_vendor_id_foreign references vendor (id),
    plan_id text not null constraint plan_move_plan_id_foreign references plan (id),
    to_plan_id text not null constraint plan_move_to_plan_id_foreign references plan (id),
    time text not null,
    caller_type text not null,
    key_id text constraint plan_move_key_id_foreign references api_key (id),
    person_id text constraint plan_move_person_id_foreign references person (id),
    status text not null default 'running',
    total int not null,
    listed_to text,
    is_listed boolean not null default false,
    created timestamptz(3) not null,
    ended timestamptz(3)
  )`,
  `create index plan_move_vendor_id_index on plan_move (vendor_id)`,
  `create index plan_move_plan_id_created_id_index on plan_move (plan_id, created, id)`,

  `create table plan_move_contract (
    move_id text not null constraint plan_move_contract_move_id_foreign references plan_move (id),
    contract_id text not null,
    outcome text,
    code text,
    new_contract_id text,
    at timestamptz(3),
    constraint plan_move_contract_pkey primary key (move_id, contract_id)
  )`,
  `create index plan_move_contract_waiting_index on plan_move_contract (move_id, contract_id) where outcome is null`,
  `create index plan_move_contract_outcome_index on plan_move_contract (move_id, outcome, at, contract_id)`,
];
