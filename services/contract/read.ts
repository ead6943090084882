import type { Pause } from '../../billing/calendar/pauses.ts';
import type { Contract } from '../../billing/contract/types.ts';
import type { TaxContext, TaxPolicy, TaxRate } from '../../billing/invoice/types.ts';
import type { Database, Queryable } from '../../db/connect.ts';
import { type KnownContracts, rowVersion } from '../../db/contract/known.ts';
import type { Address, Seller } from '../../db/entities/vendor.ts';
import { Groups } from '../../db/groups.ts';
import type { ContractRecordRow } from '../../db/mapping/contract.ts';
import { toPauses } from '../../db/mapping/pauses.ts';
import { toTaxContext } from '../../db/mapping/tax.ts';
import { nowOf } from '../../db/sql/clock/now-of.ts';
import { distinctKeys, liveKey } from '../../db/sql/vendor-account/live-key.ts';
import { advancedSnapshot } from './advance.ts';
import { loadSnapshots } from './load.ts';

/** A contract as its detail shows it. */
export interface ContractDetail {
  contract: Contract;
  customerName: string;
  pauses: Pause[];
  tax: TaxContext;
  /** units reported in the running period, by feature */
  used: Record<string, string>;
  /** more is due than a read brings up in memory: this is the committed state */
  catchingUp: boolean;
}

interface Ask {
  vendorId: string;
  keyId: string;
  contractId: string;
}

/** `n` counts the asks from 1. */
interface DetailRow {
  n: number;
  contract_id: string;
  contract_version: string;
  customer_name: string;
  addresses: Record<string, Address>;
  vat_id: string | null;
  pauses: { from: string; to: string | null }[] | null;
  tax_policy: TaxPolicy;
  seller: Seller | null;
  rates: TaxRate[] | null;
  used: Record<string, string> | null;
  next_due: number | null;
}

/**
 * Each step is looked up by key for each ask, whatever the planner knows of the tables. Counters serve reads, whatever
 * the number of events.
 */
const COLUMNS = `ask.n::int as n, held.id as contract_id, ${rowVersion('held')} as contract_version, customer.name as customer_name, customer.addresses,
    customer.vat_id, vendor.tax_policy, vendor.seller, pauses.pauses, rates.rates, counted.used, due.next_due`;
const FROM = `(
    select * from unnest($1::text[], $2::text[], $3::text[]) with ordinality as e(vendor_id, contract_id, key_id, n)
    where ${liveKey('e.key_id', '$4')}
  ) ask
  cross join lateral (
    select c.id, c.xmin, c.customer_id, c.vendor_id, case when c.start_at is null then 0 else coalesce(c.current_idx, 0) end as idx
    from contract c where c.id = ask.contract_id and c.vendor_id is not distinct from ask.vendor_id offset 0
  ) held
  cross join lateral (select c.name, c.addresses, c.vat_id from customer c where c.id = held.customer_id offset 0) customer
  cross join lateral (select v.tax_policy, v.seller from vendor v where v.id = held.vendor_id offset 0) vendor
  left join lateral (
    select jsonb_agg(jsonb_build_object('from', p.began, 'to', p.ended) order by p.began) as pauses from customer_pause p where p.customer_id = held.customer_id
  ) pauses on true
  left join lateral (
    select jsonb_agg(jsonb_build_object('taxCode', r.tax_code, 'country', r.country, 'state', r.state, 'rate', r.rate::text) order by r.position, r.id) as rates
    from tax_rate r where r.vendor_id = held.vendor_id
  ) rates on true
  left join lateral (
    select jsonb_object_agg(u.feature_slug, trim_scale(u.units)::text) as used
    from usage_counter u where u.contract_id = held.id and u.period_idx = held.idx
  ) counted on true
  left join lateral (select min(a.due_at) as next_due from agenda a where a.contract_id = held.id) due on true`;
const SQL = `select ${COLUMNS} from ${FROM}`;
const WITH_CONTRACTS = `select ${COLUMNS}, contract.* from ${FROM} join contract on contract.id = held.id`;

const LIMITS = { atOnce: 2, most: 100 };

/** Contracts with what surrounds them, read for many requests in one statement. */
export class ContractReads {
  readonly #db: Database;
  readonly #known: KnownContracts;
  readonly #groups: Groups<Ask, { detail: ContractDetail; nextDue: number | null } | null>;

  constructor(db: Database, known: KnownContracts) {
    this.#db = db;
    this.#known = known;
    this.#groups = new Groups((asks) => this.#read(asks), LIMITS);
  }

  /**
   * A contract of the vendor, or null, for a key that has ended too. One whose rollover is late is brought up in
   * memory.
   */
  async read(ask: Ask): Promise<ContractDetail | null> {
    const found = await this.#groups.one(ask);
    if (found === null) return null;
    const { detail, nextDue } = found;
    const { status, clockId, parkedReason } = detail.contract;
    // until its first step has committed a contract says so
    const isFirst = status === 'not_ready';
    if (isFirst || nextDue === null || clockId !== null || nextDue > Date.now() || parkedReason !== null) return detail;
    return broughtUp(this.#db.preparing, detail);
  }

  async #read(asks: readonly Ask[]) {
    const answers: ({ detail: ContractDetail; nextDue: number | null } | null)[] = asks.map(() => null);
    const unknown: number[] = [];
    for (const row of await this.#db.prepared<DetailRow>('contract_detail', SQL, paramsOf(asks))) {
      const contract = this.#known.get(row.contract_id, row.contract_version);
      if (contract === null) unknown.push(row.n - 1);
      else answers[row.n - 1] = { detail: toDetail(row, contract), nextDue: row.next_due };
    }
    if (unknown.length === 0) return answers;
    const again = unknown.flatMap((at) => asks[at] ?? []);
    for (const row of await this.#db.prepared<DetailRow & ContractRecordRow>('contract_detail_whole', WITH_CONTRACTS, paramsOf(again))) {
      const contract = this.#known.learn(row, row.contract_version);
      answers[unknown[row.n - 1] ?? 0] = { detail: toDetail(row, contract), nextDue: row.next_due };
    }
    return answers;
  }
}

const paramsOf = (asks: readonly Ask[]): unknown[] => [
  asks.map(({ vendorId }) => vendorId),
  asks.map(({ contractId }) => contractId),
  asks.map(({ keyId }) => keyId),
  distinctKeys(asks),
];

const toDetail = (row: DetailRow, contract: Contract): ContractDetail => ({
  contract,
  customerName: row.customer_name,
  pauses: toPauses(row.pauses),
  tax: toTaxContext({ tax_policy: row.tax_policy, seller: row.seller }, row.rates ?? [], { addresses: row.addresses, vat_id: row.vat_id }),
  used: row.used ?? {},
  catchingUp: false,
});

async function broughtUp(db: Queryable, detail: ContractDetail): Promise<ContractDetail> {
  const now = await nowOf(db, detail.contract.clockId);
  const [snapshot] = await loadSnapshots(db, [detail.contract.id], now);
  if (snapshot === undefined || snapshot.customer.status === 'inactive') return detail;
  const advanced = advancedSnapshot(snapshot, now);
  if (advanced === null) return { ...detail, catchingUp: true };
  const { contract } = advanced;
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
