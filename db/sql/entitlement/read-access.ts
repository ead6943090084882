import type { CustomerState } from '../../../billing/lifecycle/customer.ts';
import type { Database } from '../../connect.ts';
import { isCustomerLate } from '../agenda/late.ts';
import { rowVersion } from '../contract/row-version.ts';
import { contractProjection } from '../projections.ts';
import { unsized } from '../unsized.ts';
import { distinctKeys, liveKey } from '../vendor-account/live-key.ts';

/** What one request asks for. */
export interface Ask {
  vendorId: string;
  keyId: string;
  customerId: string;
  contractId: string | null;
}

/** A contract a customer may use, or a customer without any; `n` counts the asks from 1. */
export interface AccessRow {
  n: number;
  customer_status: CustomerState;
  /** something is due and undone that may change what follows */
  is_late: boolean;
  contract_id: string | null;
  contract_version: string;
  used: Record<string, string> | null;
}

const HELD = 'c.id, c.xmin, c.activation, c.created, case when c.start_at is null then 0 else coalesce(c.current_idx, 0) end as idx';
/**
 * One statement for many requests: a contract's row has its own copy of what was sold, the counters what was used of
 * it. Each step is looked up by key for each ask, whatever the planner knows of the tables. Contracts that have ended
 * aren't looked at: each change leaves one more of them.
 */
const COLUMNS = `ask.n::int as n, customer.status as customer_status, customer.is_late, held.id as contract_id, ${rowVersion('held')} as contract_version, counted.used`;
const FROM = `(
    select * from unnest(${unsized('$1', 'text[]')}, $2::text[], $3::text[], $4::text[]) with ordinality as e(vendor_id, customer_id, contract_id, key_id, n)
    where ${liveKey('e.key_id', '$5')}
  ) ask
  cross join lateral (
    select c.status, c.test_clock_id is null and ${isCustomerLate('c.id')} as is_late
    from customer c where c.id = ask.customer_id and c.vendor_id is not distinct from ask.vendor_id offset 0
  ) customer
  left join lateral (
    select ${HELD} from contract c where c.customer_id = ask.customer_id and c.ended is null and c.status = 'active'
    union all
    select ${HELD} from contract c where c.id = ask.contract_id and c.customer_id = ask.customer_id and c.status <> 'active'
    offset 0
  ) held on true
  left join lateral (
    select jsonb_object_agg(u.feature_slug, trim_scale(u.units)::text) as used
    from usage_counter u where u.contract_id = held.id and u.period_idx = held.idx
  ) counted on true`;
const ORDER = 'order by ask.n, held.activation desc nulls last, held.created desc, held.id desc';
const SQL = `select ${COLUMNS} from ${FROM} ${ORDER}`;
const WITH_CONTRACTS = `select ${COLUMNS}, ${contractProjection.columns('contract')} from ${FROM} left join contract on contract.id = held.id ${ORDER}`;

/** What customers may use, without the long JSON of their contracts. SQL, because it is what the API reads most. */
export const readAccess = (db: Database, asks: readonly Ask[]): Promise<AccessRow[]> =>
  db.prepared<AccessRow>('entitlement_access', SQL, paramsOf(asks));

/** The same with the contracts themselves. */
export const readAccessWhole = (db: Database, asks: readonly Ask[]): Promise<AccessRow[]> =>
  db.prepared<AccessRow>('entitlement_access_whole', WITH_CONTRACTS, paramsOf(asks));

const paramsOf = (asks: readonly Ask[]): unknown[] => [
  asks.map(({ vendorId }) => vendorId),
  asks.map(({ customerId }) => customerId),
  asks.map(({ contractId }) => contractId),
  asks.map(({ keyId }) => keyId),
  distinctKeys(asks),
];
