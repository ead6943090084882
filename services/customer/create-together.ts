import { callFor } from '../../db/audited-call.ts';
import type { Database, Tx } from '../../db/connect.ts';
import { Groups } from '../../db/groups.ts';
import { newId } from '../../db/id.ts';
import { insertTogether, type NewCustomer } from '../../db/sql/customer/insert-together.ts';
import { sqlState } from '../../db/sql-state.ts';

type Outcome = { isMade: boolean } | { error: unknown };

/** What comes while a group is written shares the next one; one that is held up keeps nobody waiting for long. */
const LIMITS = { atOnce: 2, besideAfterMs: 10, most: 200 };
/** What Postgres says of the data themselves: an encoding, a constraint. */
const BAD_DATA = /^2[23]/;

/**
 * Makes the customers of requests that arrive together in one transaction; each is answered after its commit. Only
 * customers of the wall clock: whether a test clock stands still is decided one by one.
 */
export class CustomerIntake {
  readonly #db: Database;
  readonly #groups: Groups<NewCustomer, Outcome>;

  constructor(db: Database) {
    this.#db = db;
    this.#groups = new Groups((entries) => this.#make(entries), LIMITS);
  }

  /**
   * Makes one customer.
   *
   * @returns false: nothing was written, because the request's Idempotency-Key was used before
   * @throws CommitUnknown as a transaction of its own would
   */
  async make(entry: Omit<NewCustomer, 'eventId'>): Promise<boolean> {
    const outcome = await this.#groups.one({ ...entry, eventId: newId('Evt') });
    if ('error' in outcome) throw outcome.error;
    return outcome.isMade;
  }

  async #make(entries: readonly NewCustomer[]): Promise<Outcome[]> {
    const first = firstOfEachKey(entries);
    const made = await this.#insert(first);
    return entries.map(({ customer }) => made.get(customer.id) ?? { isMade: false });
  }

  /** One whose data Postgres refuses takes nobody with it: then each is made alone. */
  async #insert(entries: readonly NewCustomer[]): Promise<Map<string, Outcome>> {
    try {
      const ids = await this.#db.transaction((tx) => makeAll(tx, entries), { prepare: true });
      return new Map(entries.map(({ customer: { id } }) => [id, { isMade: ids.has(id) }]));
    } catch (error) {
      const [only] = entries;
      if (only === undefined || !BAD_DATA.test(sqlState(error) ?? '')) throw error;
      if (entries.length === 1) return new Map([[only.customer.id, { error }]]);
      const alone: Map<string, Outcome>[] = [];
      for (const entry of entries)
        alone.push(await this.#insert([entry]).catch((lost: unknown) => new Map([[entry.customer.id, { error: lost }]])));
      return new Map(alone.flatMap((outcomes) => [...outcomes]));
    }
  }
}

async function makeAll(tx: Tx, entries: readonly NewCustomer[]): Promise<Set<string>> {
  const made = await insertTogether(tx, entries);
  tx.audited.push(...entries.flatMap(({ asker, customer: { id } }) => (made.has(id) ? callFor(asker, id) : [])));
  return made;
}

/** A repeat that came with the request it repeats waits until that one is written. */
function firstOfEachKey(entries: readonly NewCustomer[]): NewCustomer[] {
  const seen = new Set<string>();
  return entries.filter(({ answer }) => {
    if (answer === null) return true;
    const key = JSON.stringify([answer.ref.vendorId, answer.ref.operation, answer.ref.key]);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
