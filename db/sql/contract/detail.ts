import type { Database } from '../../connect.ts';
import { isContractLate } from '../agenda/late.ts';
import { pausesOf, type StoredPauses } from '../customer/pauses.ts';
import { contractProjection } from '../projections.ts';
import { ratesOf, type TaxFacts } from '../tax/context.ts';
import { unsized } from '../unsized.ts';
import { liveKey } from '../vendor-account/live-key.ts';
import { rowVersion } from './row-version.ts';

/** What a contract's detail shows beside the contract itself; `n` counts the requests from 1. */
export interface DetailRow extends TaxFacts {
  n: number;
  contractId: string;
  contractVersion: string;
  customerName: string;
  pauses: StoredPauses;
  used: Record<string, string> | null;
  /** something is due and undone that may change how the contract stands */
  isLate: boolean;
}

/**
 * Each step is looked up by key for each request, whatever the planner knows of the tables. Counters serve reads,
 * whatever the number of events.
 */
const COLUMNS = `ask.n::int as n, found.id as "contractId", ${rowVersion('found')} as "contractVersion", customer.name as "customerName",
    customer.addresses, customer.vat_id as "vatId", vendor.tax_policy as "taxPolicy", vendor.seller, ${pausesOf('found.customer_id')} as pauses,
    ${ratesOf('found.vendor_id')} as rates, counted.used,
    found.test_clock_id is null and (${isContractLate('found')} or coalesce(customer.status = 'inactive' and customer.resume_at <= now(), false)) as "isLate"`;
const ASKED = `select * from unnest(${unsized('$1', 'text[]')}, $2::text[], $3::text[]) with ordinality as e(vendor_id, contract_id, key_id, n)
    where ${liveKey('e.key_id', '$4')}`;
const NAMED = `select $1::text as vendor_id, e.* from unnest(${unsized('$2', 'text[]')}) with ordinality as e(contract_id, n)`;
const from = (asks: string): string => `(${asks}) ask
  cross join lateral (
    select c.id, c.xmin, c.customer_id, c.vendor_id, c.test_clock_id, c.is_successor, c.predecessor_id, case when c.start_at is null then 0 else coalesce(c.current_idx, 0) end as idx
    from contract c where c.id = ask.contract_id and c.vendor_id is not distinct from ask.vendor_id offset 0
  ) found
  cross join lateral (select c.name, c.addresses, c.vat_id, c.status, c.resume_at from customer c where c.id = found.customer_id offset 0) customer
  cross join lateral (select v.tax_policy, v.seller from vendor v where v.id = found.vendor_id offset 0) vendor
  left join lateral (
    select jsonb_object_agg(u.feature_slug, trim_scale(u.units)::text) as used
    from usage_counter u where u.contract_id = found.id and u.period_idx = found.idx
  ) counted on true`;
const SQL = `select ${COLUMNS} from ${from(ASKED)}`;
const withContracts = (asks: string): string =>
  `select ${COLUMNS}, ${contractProjection.columns('contract')} from ${from(asks)} join contract on contract.id = found.id`;

/** What surrounds the contracts of many requests, with their versions. SQL: the read that callers ask for most. */
export const readDetails = (db: Database, params: readonly unknown[]): Promise<DetailRow[]> =>
  db.prepared<DetailRow>('contract_detail', SQL, params);

/** The same with the contracts' own columns, for those whose version isn't known. */
export const readWholeDetails = (db: Database, params: readonly unknown[]): Promise<DetailRow[]> =>
  db.prepared<DetailRow>('contract_detail_whole', withContracts(ASKED), params);

/** The same for contracts that no key asks for. SQL: the bodies of hundreds of events are made of them at once. */
export const readNamedDetails = (db: Database, vendorId: string, contractIds: readonly string[]): Promise<DetailRow[]> =>
  db.prepared<DetailRow>('contract_detail_named', withContracts(NAMED), [vendorId, contractIds]);
