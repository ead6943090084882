import type { Contract } from '../../billing/contract/types.ts';
import { type ContractRecordRow, toContract } from '../mapping/contract.ts';
import { Recent } from '../recent.ts';

/**
 * Names the state of a contract's row in SQL: every write of a row gives it another `xmin`, and the server's start
 * tells apart what a restore or a fail-over may count again.
 */
export const rowVersion = (row: string): string => `${row}.xmin::text || ' ' || pg_postmaster_start_time()::text`;

const MOST = 5_000;

/**
 * Contracts as they were read before, so that a read may ask for a row's version and leave out its long JSON. Never a
 * source by itself: what it gives is what the row said in the very version that the statement has just named.
 */
export class KnownContracts {
  readonly #known = new Recent<string, { version: string; contract: Contract }>(MOST);

  /** The contract in this version, or null when it has to be read. */
  get(id: string, version: string): Contract | null {
    const found = this.#known.get(id);
    return found?.version === version ? found.contract : null;
  }

  learn(row: ContractRecordRow, version: string): Contract {
    const contract = toContract(row);
    this.#known.set(row.id, { version, contract });
    return contract;
  }
}
