import type { Tx } from '../../db/connect.ts';
import { ImportRef } from '../../db/entities/import.ts';
import { insertMany } from '../../db/sql/write-many.ts';

/** What a line has made, and whose it is. */
interface Made {
  objectId: string;
  customerId: string;
  fingerprint: string;
}

/** What lines of a vendor have made, by their refs: those of the database, and those of this transaction. */
export class Refs {
  readonly #vendorId: string;
  readonly #known = new Map<string, Made>();
  readonly #fresh: ({ refKey: string } & Made)[] = [];

  constructor(vendorId: string) {
    this.#vendorId = vendorId;
  }

  async read({ em }: Tx, refKeys: readonly string[]): Promise<void> {
    const wanted = { vendorId: this.#vendorId, refKey: { $in: [...refKeys] } };
    for (const row of await em.find(ImportRef, wanted, { disableIdentityMap: true })) this.#known.set(row.refKey, row);
  }

  get(refKey: string): Made | undefined {
    return this.#known.get(refKey);
  }

  add(refKey: string, made: Made): void {
    this.#known.set(refKey, made);
    this.#fresh.push({ refKey, ...made });
  }

  /** Writes what this transaction has made; an import beside it that has made the same waits here, and fails. */
  async write(tx: Tx): Promise<void> {
    await insertMany(
      tx,
      ImportRef,
      this.#fresh.splice(0).map((row) => ({ vendorId: this.#vendorId, ...row })),
    );
  }
}
