import type { Database } from '../../db/connect.ts';
import { Groups } from '../../db/groups.ts';
import { CommitUnknown } from '../../db/sql/transaction/commit-fate.ts';
import { watchedOf } from '../../db/sql/usage/lock-watched.ts';
import type { Recorded, ReportedUsage } from '../../db/usage/event.ts';
import { recordLimited } from './limited.ts';
import { unwatch } from './unwatch.ts';

const LIMITS = { atOnce: 1, most: 2_000 };
/** Few statements, again and again, which look up by keys. */
const FEW_TEXTS = { prepare: true, generalPlans: true };
/** How many customers are remembered: an event of any other takes one more look. */
const MOST_REMEMBERED = 10_000;

/**
 * Takes usage of customers with limits in groups of its own: theirs is decided in a transaction, and other customers'
 * events never wait for that.
 */
export class LimitedIntake {
  readonly #db: Database;
  readonly #groups: Groups<ReportedUsage, Recorded | null>;
  /** Customers seen with limits. Only a short cut: what is decided is decided by their rows. */
  readonly #seen = new Set<string>();

  constructor(db: Database) {
    this.#db = db;
    this.#groups = new Groups((entries) => this.#record(entries), LIMITS);
  }

  /** Whether a customer had limits when it was last looked at. */
  knows(customerId: string): boolean {
    return this.#seen.has(customerId);
  }

  /**
   * @returns what became of each entry, in their order; null: it is to be recorded on its own. Rejects when Postgres is
   *   away
   */
  take(entries: readonly ReportedUsage[]): Promise<readonly (Recorded | null)[]> {
    return this.#groups.all(entries);
  }

  async #record(entries: readonly ReportedUsage[]): Promise<(Recorded | null)[]> {
    const customers = [...new Set(entries.map(({ customerId }) => customerId))];
    const watched = await watchedOf(this.#db, customers);
    this.#remember(customers, watched);
    const asked = entries.filter(({ customerId }) => watched.has(customerId));
    if (asked.length === 0) return entries.map(() => null);
    const group = this.#db.transaction((tx) => recordLimited(tx, asked, 'skip'), FEW_TEXTS);
    const { recorded, unwatched } = await group.catch((error: unknown) => ({ recorded: afterFailure(asked, error), unwatched: [] }));
    await this.#unwatch(unwatched);
    return entries.map(({ id }) => recorded.get(id) ?? null);
  }

  /** Its failure matters to no event: the next one looks again at a customer that stays watched. */
  async #unwatch(customerIds: readonly string[]): Promise<void> {
    if (customerIds.length > 0) await this.#db.transaction((tx) => unwatch(tx, customerIds)).catch(() => undefined);
  }

  #remember(customers: readonly string[], watched: ReadonlySet<string>): void {
    for (const id of customers) {
      if (!watched.has(id)) this.#seen.delete(id);
      else if (this.#seen.size < MOST_REMEMBERED) this.#seen.add(id);
    }
  }
}

/**
 * What fails as a group is recorded one by one, so that an event at fault refuses nobody else's. What was perhaps
 * committed isn't recorded again.
 */
const afterFailure = (asked: readonly ReportedUsage[], error: unknown): Map<string, Recorded> =>
  error instanceof CommitUnknown ? new Map(asked.map(({ id }) => [id, { error }])) : new Map();
