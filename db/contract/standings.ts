import type { Instant } from '../../billing/calendar/instant.ts';
import type { Contract, SnapshotCustomer } from '../../billing/contract/types.ts';
import type { Queryable } from '../connect.ts';
import { readStandings, type StandingAsk, type StandingRow } from '../sql/contract/read-standings.ts';
import { contractVersions } from '../sql/contract/versions-by-ids.ts';
import { toPauses } from '../sql/customer/pauses.ts';
import type { KnownContracts } from './known.ts';

/** A contract, with the units reported in its running period and later ones, by idx and feature. */
export interface CountedContract {
  contract: Contract;
  counted: Record<string, Record<string, string>>;
}

/** A customer's live contracts, and what tells how they stand at an instant. */
export interface StoredStanding {
  now: Instant;
  customer: SnapshotCustomer & { resumeAt: Instant | null };
  contracts: CountedContract[];
}

/** What the asks find, in their order; null for a customer that there isn't. */
export async function storedStandings(
  db: Queryable,
  known: KnownContracts,
  asks: readonly StandingAsk[],
): Promise<(StoredStanding | null)[]> {
  const rows = await readStandings(db, asks);
  const contracts = await contractsOf(db, known, rows);
  const found: (StoredStanding | null)[] = asks.map(() => null);
  for (const row of rows) {
    const at = row.n - 1;
    const standing = found[at] ?? { now: row.now, customer: customerOf(row), contracts: [] };
    found[at] = standing;
    const contract = contracts.get(row.contractId ?? '');
    if (contract !== undefined) standing.contracts.push({ contract, counted: row.counted ?? {} });
  }
  return found;
}

const customerOf = ({ customerId: id, status, hasMethod, resumeAt, pauses }: StandingRow): StoredStanding['customer'] => ({
  id,
  status,
  hasMethod,
  resumeAt,
  pauses: toPauses(pauses),
});

/** Contracts in the versions that were found; of those that aren't known the rows are read. */
async function contractsOf(db: Queryable, known: KnownContracts, rows: readonly StandingRow[]): Promise<Map<string, Contract>> {
  const contracts = new Map<string, Contract>();
  const unknown: string[] = [];
  for (const { contractId, contractVersion } of rows) {
    if (contractId === null) continue;
    const contract = known.get(contractId, contractVersion);
    if (contract === null) unknown.push(contractId);
    else contracts.set(contractId, contract);
  }
  const read = unknown.length === 0 ? [] : await contractVersions(db, [...new Set(unknown)]);
  for (const row of read) {
    const contract = known.learn(row, row.contractVersion);
    contracts.set(contract.id, contract);
  }
  return contracts;
}
