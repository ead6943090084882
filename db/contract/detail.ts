import type { Pause } from '../../billing/calendar/pauses.ts';
import type { Contract, TaxContext, TaxPolicy, TaxRate } from '../../billing/contract/types.ts';
import { nowOf } from '../clock/now.ts';
import type { Queryable } from '../connect.ts';
import type { Address, Seller } from '../entities/vendor.ts';
import { type ContractRecordRow, toContract } from '../mapping/contract.ts';
import { toTaxContext } from '../mapping/tax.ts';
import { advancedLife } from './advance.ts';
import { loadLives, toPauses } from './load.ts';

/** A contract as its detail shows it. */
export interface ContractDetail {
  contract: Contract;
  customerName: string;
  pauses: Pause[];
  tax: TaxContext;
  /** units reported in the running period, by feature */
  used: Record<string, string>;
}

type DetailRow = ContractRecordRow & {
  customer_name: string;
  addresses: Record<string, Address>;
  vat_id: string | null;
  pauses: { from: string; to: string | null }[] | null;
  tax_policy: TaxPolicy;
  seller: Seller | null;
  rates: TaxRate[] | null;
  used: Record<string, string> | null;
  next_due: number | null;
};

const SQL = `select contract.*, customer.name as customer_name, customer.addresses, customer.vat_id, vendor.tax_policy, vendor.seller,
    (select jsonb_agg(jsonb_build_object('from', p.began, 'to', p.ended) order by p.began) from customer_pause p where p.customer_id = customer.id) as pauses,
    (select jsonb_agg(jsonb_build_object('taxCode', r.tax_code, 'country', r.country, 'state', r.state, 'rate', r.rate::text) order by r.position, r.id)
       from tax_rate r where r.vendor_id = vendor.id) as rates,
    (select jsonb_object_agg(u.feature_slug, trim_scale(u.units)::text) from usage_counter u
       where u.contract_id = contract.id and u.period_idx = case when contract.start_at is null then 0 else coalesce(contract.current_idx, 0) end) as used,
    (select min(a.due_at) from agenda a where a.contract_id = contract.id) as next_due
  from contract join customer on customer.id = contract.customer_id join vendor on vendor.id = contract.vendor_id
  where contract.vendor_id = $1 and contract.id = $2`;

/** One statement, whatever the number of events: counters serve reads. A contract whose rollover is late is brought up in memory. */
export async function readContractDetail(db: Queryable, vendorId: string, contractId: string): Promise<ContractDetail | null> {
  const [row] = await db.query<DetailRow>(SQL, [vendorId, contractId]);
  if (row === undefined) return null;
  const detail = toDetail(row);
  // until its first step has committed a contract says so
  const isFirst = row.status === 'not_ready';
  if (isFirst || row.next_due === null || row.test_clock_id !== null || row.next_due > Date.now() || row.parked_reason !== null)
    return detail;
  return broughtUp(db, detail);
}

const toDetail = (row: DetailRow): ContractDetail => ({
  contract: toContract(row),
  customerName: row.customer_name,
  pauses: toPauses(row.pauses),
  tax: toTaxContext({ tax_policy: row.tax_policy, seller: row.seller }, row.rates ?? [], { addresses: row.addresses, vat_id: row.vat_id }),
  used: row.used ?? {},
});

async function broughtUp(db: Queryable, detail: ContractDetail): Promise<ContractDetail> {
  const now = await nowOf(db, detail.contract.clockId);
  const [life] = await loadLives(db, [detail.contract.id], now);
  if (life === undefined || life.customer.status === 'inactive') return detail;
  const { contract } = advancedLife(life, now);
  if (contract.currentIdx === detail.contract.currentIdx && contract.status === detail.contract.status) return { ...detail, contract };
  const used = await usedIn(db, contract);
  return { ...detail, contract, used };
}

async function usedIn(db: Queryable, contract: Contract): Promise<Record<string, string>> {
  const rows = await db.query<{ slug: string; units: string }>(
    'select feature_slug as slug, trim_scale(units)::text as units from usage_counter where contract_id = $1 and period_idx = $2',
    [contract.id, contract.start === null ? 0 : (contract.currentIdx ?? 0)],
  );
  return Object.fromEntries(rows.map(({ slug, units }) => [slug, units]));
}

/** Whether the first step has been carried out. */
export async function isReady(db: Queryable, contractId: string): Promise<boolean> {
  const [row] = await db.query<{ status: string }>('select status from contract where id = $1', [contractId]);
  return row !== undefined && row.status !== 'not_ready';
}
