import type { Contract } from '../../billing/contract/types.ts';
import { Recent } from '../recent.ts';
import { contractProjection } from '../sql/projections.ts';

const MOST = 5_000;

/**
 * Contracts as they were read before, so that a read may ask for a row's version and leave out its long JSON. Never a
 * source of its own: it gives a contract only in the version of the row that the statement has just read.
 */
export class KnownContracts {
  readonly #known = new Recent<string, { version: string; contract: Contract }>(MOST);

  /** The contract in this version, or null when it has to be read. */
  get(id: string, version: string): Contract | null {
    const found = this.#known.get(id);
    return found?.version === version ? found.contract : null;
  }

  /** @param row with the columns of `contractProjection` */
  learn(row: object, version: string): Contract {
    const contract = contractProjection.read(row);
    this.#known.set(contract.id, { version, contract });
    return contract;
  }
}
