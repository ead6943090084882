import { type Database, sqlState } from '../connect.ts';
import type { Recorded, ReportedUsage } from './event.ts';
import { insertPlain } from './insert-plain.ts';
import { recordOne } from './record-one.ts';

interface Waiting {
  entries: readonly ReportedUsage[];
  settle: PromiseWithResolvers<Recorded[]>;
}

const MOST_PER_FLUSH = 2_000;
const RUN_AGAIN = new Set(['40001', '40P01']);
const TRIES = 3;

/**
 * Takes usage in groups: requests that arrive while a flush is running share the next one, and each is answered after the commit.
 * One flush at a time per process, so that the group grows with the load.
 */
export class UsageIntake {
  readonly #db: Database;
  #waiting: Waiting[] = [];
  #flushing = false;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Records the entries, good ones whatever becomes of bad ones; results in the order of the entries. Throws when Postgres is away. */
  report(entries: readonly ReportedUsage[]): Promise<Recorded[]> {
    if (entries.length === 0) return Promise.resolve([]);
    const settle = Promise.withResolvers<Recorded[]>();
    this.#waiting.push({ entries, settle });
    if (!this.#flushing) void this.#flushAll();
    return settle.promise;
  }

  async #flushAll(): Promise<void> {
    this.#flushing = true;
    while (this.#waiting.length > 0) {
      const group = this.#takeGroup();
      try {
        const results = await this.#record(group.flatMap(({ entries }) => entries));
        let at = 0;
        for (const { entries, settle } of group) {
          settle.resolve(results.slice(at, at + entries.length));
          at += entries.length;
        }
      } catch (error) {
        for (const { settle } of group) settle.reject(error);
      }
    }
    this.#flushing = false;
  }

  #takeGroup(): Waiting[] {
    let size = 0;
    const upTo = this.#waiting.findIndex(({ entries }) => {
      size += entries.length;
      return size > MOST_PER_FLUSH;
    });
    return this.#waiting.splice(0, upTo === -1 ? this.#waiting.length : Math.max(1, upTo));
  }

  async #record(entries: readonly ReportedUsage[]): Promise<Recorded[]> {
    const written = await this.#insertPlain(entries);
    const results: Recorded[] = [];
    // in the order of arrival, since markers count by it
    for (const entry of entries) {
      results.push(written.has(entry.id) ? { id: entry.id } : await recordOne(this.#db, entry));
    }
    return results;
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
