import type { Contract } from '../../billing/contract/types.ts';
import type { Database } from '../connect.ts';
import type { KnownContracts } from '../contract/known.ts';
import { Groups } from '../groups.ts';
import { type AccessRow, type Ask, readAccess, readAccessWhole } from '../sql/entitlement/read-access.ts';

export interface EntitledContract {
  contract: Contract;
  /** units reported in the running period, by feature */
  used: Record<string, string>;
}

export interface CustomerAccess {
  status: 'active' | 'inactive' | 'temporary';
  /** something is due and undone that may change what follows */
  isLate: boolean;
  contracts: EntitledContract[];
}

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
   * A customer's live contracts, the most recently activated first; with `contractId` that one first, whatever its
   * state.
   *
   * @returns null when there is no such customer, for a key that has ended too; an unknown contract leaves the list as
   *   it is
   */
  read(ask: Ask): Promise<CustomerAccess | null> {
    return this.#groups.one(ask);
  }

  async #read(asks: readonly Ask[]): Promise<(CustomerAccess | null)[]> {
    const rows = await readAccess(this.#db, asks);
    const known = ({ contract_id, contract_version }: AccessRow) => this.#known.get(contract_id ?? '', contract_version);
    const unknown = new Set(rows.filter((row) => row.contract_id !== null && known(row) === null).map(({ n }) => n));
    const found = rows.filter(({ n }) => !unknown.has(n));
    const results = accessOf(asks, found, known);
    if (unknown.size > 0) await this.#readWhole(asks, [...unknown], results);
    return results;
  }

  /** The asks whose contracts aren't known in the state they are in now, again with the contracts themselves. */
  async #readWhole(asks: readonly Ask[], unknown: readonly number[], results: (CustomerAccess | null)[]): Promise<void> {
    const again = unknown.flatMap((n) => asks[n - 1] ?? []);
    const rows = await readAccessWhole(this.#db, again);
    const read = accessOf(again, rows, (row) => this.#known.learn(row, row.contract_version));
    for (const [at, n] of unknown.entries()) results[n - 1] = read[at] ?? null;
  }
}

function accessOf<R extends AccessRow>(
  asks: readonly Ask[],
  rows: readonly R[],
  contractOf: (row: R) => Contract | null,
): (CustomerAccess | null)[] {
  const results: (CustomerAccess | null)[] = asks.map(() => null);
  for (const row of rows) {
    const at = row.n - 1;
    const access = results[at] ?? { status: row.customer_status, isLate: row.is_late, contracts: [] };
    results[at] = access;
    const contract = row.contract_id === null ? null : contractOf(row);
    if (contract === null) continue;
    const entitled = { contract, used: row.used ?? {} };
    if (contract.id === asks[at]?.contractId) access.contracts.unshift(entitled);
    else access.contracts.push(entitled);
  }
  return results;
}
