import type { Pause } from '../../billing/calendar/pauses.ts';
import type { Contract } from '../../billing/contract/types.ts';
import type { TaxContext } from '../../billing/invoice/types.ts';
import { contractMachine } from '../../billing/lifecycle/contract.ts';
import { next } from '../../billing/lifecycle/machine.ts';
import type { Database } from '../../db/connect.ts';
import type { KnownContracts } from '../../db/contract/known.ts';
import { Groups } from '../../db/groups.ts';
import { type DetailRow, readDetails, readNamedDetails, readWholeDetails } from '../../db/sql/contract/detail.ts';
import { toPauses } from '../../db/sql/customer/pauses.ts';
import { readEndedGate } from '../../db/sql/payment-gate/read-ended.ts';
import { contractProjection } from '../../db/sql/projections.ts';
import { toTaxContext } from '../../db/sql/tax/context.ts';
import { distinctKeys } from '../../db/sql/vendor-account/live-key.ts';
import type { StandingReads } from './standing.ts';

/** A contract as its detail shows it. */
export interface ContractDetail {
  contract: Contract;
  customerName: string;
  pauses: Pause[];
  tax: TaxContext;
  /** units reported in the running period, by feature */
  used: Record<string, string>;
  /** more is due than a read advances in memory: this is the committed state */
  catchingUp: boolean;
}

interface Ask {
  vendorId: string;
  keyId: string;
  contractId: string;
}

interface DetailFound {
  detail: ContractDetail;
  isLate: boolean;
}

const LIMITS = { atOnce: 2, most: 100 };

/** Contracts with what surrounds them, read for many requests in one statement. */
export class ContractReads {
  readonly #db: Database;
  readonly #known: KnownContracts;
  readonly #standings: StandingReads;
  readonly #groups: Groups<Ask, DetailFound | null>;

  constructor(db: Database, known: KnownContracts, standings: StandingReads) {
    this.#db = db;
    this.#known = known;
    this.#standings = standings;
    this.#groups = new Groups((asks) => this.#read(asks), LIMITS);
  }

  /**
   * A contract of the vendor, or null, for a key that has ended too. Where something is due and undone it is advanced
   * in memory.
   */
  async read(ask: Ask): Promise<ContractDetail | null> {
    const found = await this.#groups.one(ask);
    if (found === null) return endedBehindGate(this.#db, ask);
    return found.isLate ? this.#asOfNow(found.detail) : found.detail;
  }

  async #asOfNow(detail: ContractDetail): Promise<ContractDetail> {
    const { id: contractId, customerId, rootId } = detail.contract;
    const found = await this.#standings.one({ customerId, contractId, rootId });
    const now = found?.contracts.get(contractId);
    if (found == null || now === undefined) return detail;
    const { contract, used, catchingUp } = now;
    return { ...detail, contract, used, catchingUp, pauses: found.customer.pauses };
  }

  async #read(asks: readonly Ask[]) {
    const details: (DetailFound | null)[] = asks.map(() => null);
    const unknown: number[] = [];
    for (const row of await readDetails(this.#db, paramsOf(asks))) {
      const contract = this.#known.get(row.contractId, row.contractVersion);
      if (contract === null) unknown.push(row.n - 1);
      else details[row.n - 1] = found(row, contract);
    }
    if (unknown.length === 0) return details;
    const again = unknown.flatMap((at) => asks[at] ?? []);
    for (const row of await readWholeDetails(this.#db, paramsOf(again))) {
      details[unknown[row.n - 1] ?? 0] = found(row, this.#known.learn(row, row.contractVersion));
    }
    return details;
  }
}

/** Contracts as they are stored, by id, for the bodies of events. */
export async function storedDetails(db: Database, vendorId: string, ids: readonly string[]): Promise<Map<string, ContractDetail>> {
  const rows = await readNamedDetails(db, vendorId, ids);
  return new Map(rows.map((row) => [row.contractId, found(row, contractProjection.read(row)).detail]));
}

/** A contract that was never paid, as its ended payment gate has kept it; null where there is no such gate. */
async function endedBehindGate(db: Database, ask: Ask): Promise<ContractDetail | null> {
  const row = await readEndedGate(db, ask, distinctKeys([ask]));
  if (row === null) return null;
  const { contract, ended, customerName, pauses } = row;
  const status = next(contractMachine, contract.status, 'cancel');
  const canceled = { ...contract, status, ended, gate: null };
  return { contract: canceled, customerName, pauses: toPauses(pauses), tax: toTaxContext(row), used: {}, catchingUp: false };
}

const paramsOf = (asks: readonly Ask[]): unknown[] => [
  asks.map(({ vendorId }) => vendorId),
  asks.map(({ contractId }) => contractId),
  asks.map(({ keyId }) => keyId),
  distinctKeys(asks),
];

const found = (row: DetailRow, contract: Contract): DetailFound => {
  const { customerName, pauses, used, isLate } = row;
  const detail = { contract, customerName, pauses: toPauses(pauses), tax: toTaxContext(row), used: used ?? {}, catchingUp: false };
  return { detail, isLate };
};
