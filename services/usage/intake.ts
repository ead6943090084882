import { Refusal } from '../../billing/refusal.ts';
import type { Database } from '../../db/connect.ts';
import { mayPass } from '../../db/fault.ts';
import { Groups } from '../../db/groups.ts';
import { insertPlain } from '../../db/sql/usage/insert-plain.ts';
import { findKeys } from '../../db/sql/vendor-account/find-keys.ts';
import { distinctKeys } from '../../db/sql/vendor-account/live-key.ts';
import { sqlState } from '../../db/sql-state.ts';
import type { Recorded, ReportedUsage } from '../../db/usage/event.ts';
import { recordOne } from './record-one.ts';

const LIMITS = { atOnce: 2, most: 2_000 };
const RUN_AGAIN = new Set(['40001', '40P01']);
const TRIES = 3;

/** Takes usage in groups: requests that arrive together share a statement, and each is answered after the commit. */
export class UsageIntake {
  readonly #db: Database;
  readonly #groups: Groups<ReportedUsage, Recorded>;

  constructor(db: Database) {
    this.#db = db;
    this.#groups = new Groups((entries) => this.#record(entries), LIMITS);
  }

  /**
   * Records the entries; a bad one doesn't keep the good ones from being recorded. Results are in the order of the
   * entries. Throws when Postgres is away.
   */
  report(entries: readonly ReportedUsage[]): Promise<readonly Recorded[]> {
    return this.#groups.all(entries);
  }

  async #record(entries: readonly ReportedUsage[]): Promise<Recorded[]> {
    const written = await this.#insertPlain(entries.filter(afterNoMarker()));
    const refused = await this.#refusedKeys(entries.filter(({ id }) => !written.has(id)));
    const results: Recorded[] = [];
    let lost: { error: unknown } | null = null;
    // in the order of arrival, since markers count by it; what is on disk stays recorded, also where others fail
    for (const entry of entries) {
      if (written.has(entry.id)) results.push({ id: entry.id });
      else if (lost !== null) results.push(lost);
      else {
        const recorded = refused.get(entry.keyId) ?? (await recordOne(this.#db, entry).catch((error: unknown) => ({ error })));
        if ('error' in recorded && mayPass(recorded.error)) lost = recorded;
        results.push(recorded);
      }
    }
    return results;
  }

  /** Why entries that were left out can't be decided one by one: their key has ended, or can't be looked up. */
  async #refusedKeys(left: readonly ReportedUsage[]): Promise<Map<string, { error: unknown }>> {
    const keys = distinctKeys(left);
    if (keys.length === 0) return new Map();
    try {
      const found = await findKeys(this.#db, 'id', keys);
      const over = { error: new Refusal('unauthorized', 'the key is over') };
      return new Map(keys.filter((_, at) => found[at] === null).map((key) => [key, over]));
    } catch (error) {
      return new Map(keys.map((key) => [key, { error }]));
    }
  }

  async #insertPlain(entries: readonly ReportedUsage[]): Promise<Set<string>> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await insertPlain(this.#db, entries);
      } catch (error) {
        if (attempt >= TRIES || !RUN_AGAIN.has(sqlState(error) ?? '')) throw error;
      }
    }
  }
}

/**
 * Finds entries whose order among the others doesn't matter. Where an entry dated by its arrival comes after a marker,
 * it has to be dated after it.
 */
function afterNoMarker(): (entry: ReportedUsage) => boolean {
  const marked = new Set<string>();
  return ({ customerId, slug, isAbsolute, timestamp }) => {
    const counted = `${customerId} ${slug}`;
    if (isAbsolute) marked.add(counted);
    return !isAbsolute && (timestamp !== null || !marked.has(counted));
  };
}
