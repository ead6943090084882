import type { Contract } from '../../billing/contract/types.ts';
import type { Database } from '../connect.ts';
import { type KnownContracts, rowVersion } from '../contract/known.ts';
import { Groups } from '../groups.ts';
import type { ContractRecordRow } from '../mapping/contract.ts';
import { distinctKeys, liveKey } from '../vendor-account/api-key.ts';

export interface EntitledContract {
  contract: Contract;
  /** units reported in the running period, by feature */
  used: Record<string, string>;
}

export interface CustomerAccess {
  status: 'active' | 'inactive' | 'temporary';
  contracts: EntitledContract[];
}

interface Ask {
  vendorId: string;
  keyId: string;
  customerId: string;
  contractId: string | null;
}

/** `n` counts the asks from 1. */
interface AccessRow {
  n: number;
  customer_status: CustomerAccess['status'];
  contract_id: string | null;
  contract_version: string;
  used: Record<string, string> | null;
}

/**
 * One statement for the answers to many: a contract's row holds its own copy of what was sold, the counters what was used of it. Each step is
 * looked up by key for each ask, whatever the planner knows of the tables.
 */
const COLUMNS = `ask.n::int as n, customer.status as customer_status, held.id as contract_id, ${rowVersion('held')} as contract_version, counted.used`;
const FROM = `(
    select * from unnest($1::text[], $2::text[], $3::text[], $4::text[]) with ordinality as e(vendor_id, customer_id, contract_id, key_id, n)
    where ${liveKey('e.key_id', '$5')}
  ) ask
  cross join lateral (
    select c.status from customer c where c.id = ask.customer_id and c.vendor_id is not distinct from ask.vendor_id offset 0
  ) customer
  left join lateral (
    select c.id, c.xmin, c.activation, c.created, case when c.start_at is null then 0 else coalesce(c.current_idx, 0) end as idx
    from contract c where c.customer_id = ask.customer_id and (c.status = 'active' or c.id = ask.contract_id) offset 0
  ) held on true
  left join lateral (
    select jsonb_object_agg(u.feature_slug, trim_scale(u.units)::text) as used
    from usage_counter u where u.contract_id = held.id and u.period_idx = held.idx
  ) counted on true`;
const ORDER = 'order by ask.n, held.activation desc nulls last, held.created desc, held.id desc';
const SQL = `select ${COLUMNS} from ${FROM} ${ORDER}`;
const WITH_CONTRACTS = `select ${COLUMNS}, contract.* from ${FROM} left join contract on contract.id = held.id ${ORDER}`;

const LIMITS = { atOnce: 2, most: 200 };

/** What customers may use, read for many requests in one statement. */
export class EntitlementReads {
  readonly #db: Database;
  readonly #known: KnownContracts;
  readonly #groups: Groups<Ask, CustomerAccess | null>;

  constructor(db: Database, known: KnownContracts) {
    this.#db = db;
    this.#known = known;
    this.#groups = new Groups((asks) => this.#read(asks), LIMITS);
  }

  /**
   * A customer's live contracts, the most recently activated first; with `contractId` that one first, whatever its state.
   *
   * @returns null when there is no such customer, for a key that is over too; an unknown contract leaves the list as it is
   */
  read(ask: Ask): Promise<CustomerAccess | null> {
    return this.#groups.one(ask);
  }

  async #read(asks: readonly Ask[]): Promise<(CustomerAccess | null)[]> {
    const rows = await this.#db.prepared<AccessRow>('entitlement_access', SQL, paramsOf(asks));
    const known = ({ contract_id, contract_version }: AccessRow) => this.#known.get(contract_id ?? '', contract_version);
    const unknown = new Set(rows.filter((row) => row.contract_id !== null && known(row) === null).map(({ n }) => n));
    const found = rows.filter(({ n }) => !unknown.has(n));
    const answers = answersOf(asks, found, known);
    if (unknown.size > 0) await this.#readWhole(asks, [...unknown], answers);
    return answers;
  }

  /** The asks whose contracts aren't known in the state they are in now, anew with the contracts themselves. */
  async #readWhole(asks: readonly Ask[], unknown: readonly number[], answers: (CustomerAccess | null)[]): Promise<void> {
    const again = unknown.flatMap((n) => asks[n - 1] ?? []);
    const rows = await this.#db.prepared<AccessRow & ContractRecordRow>('entitlement_access_whole', WITH_CONTRACTS, paramsOf(again));
    const read = answersOf(again, rows, (row) => this.#known.learn(row, row.contract_version));
    for (const [at, n] of unknown.entries()) answers[n - 1] = read[at] ?? null;
  }
}

function answersOf<R extends AccessRow>(
  asks: readonly Ask[],
  rows: readonly R[],
  contractOf: (row: R) => Contract | null,
): (CustomerAccess | null)[] {
  const answers: (CustomerAccess | null)[] = asks.map(() => null);
  for (const row of rows) {
    const at = row.n - 1;
    const answer = answers[at] ?? { status: row.customer_status, contracts: [] };
    answers[at] = answer;
    const contract = row.contract_id === null ? null : contractOf(row);
    if (contract === null) continue;
    const entitled = { contract, used: row.used ?? {} };
    if (contract.id === asks[at]?.contractId) answer.contracts.unshift(entitled);
    else answer.contracts.push(entitled);
  }
  return answers;
}

const paramsOf = (asks: readonly Ask[]): unknown[] => [
  asks.map(({ vendorId }) => vendorId),
  asks.map(({ customerId }) => customerId),
  asks.map(({ contractId }) => contractId),
  asks.map(({ keyId }) => keyId),
  distinctKeys(asks),
];
