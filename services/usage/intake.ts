import type { Database } from '../../db/connect.ts';
import { Groups } from '../../db/groups.ts';
import { insertPlain } from '../../db/sql/usage/insert-plain.ts';
import { sqlState } from '../../db/sql-state.ts';
import type { Recorded, ReportedUsage } from '../../db/usage/event.ts';
import { LeftOutUsage } from './left-out.ts';
import { LimitedIntake } from './limited-intake.ts';

/**
 * What comes while a group is written shares the next one; one that is held up keeps nobody waiting for long. Larger
 * groups cost as much for each event, and leave the process idle meanwhile.
 */
const LIMITS = { atOnce: 2, besideAfterMs: 10, most: 500 };
const RUN_AGAIN = new Set(['40001', '40P01']);
const TRIES = 3;

/** What is known of an entry when its group ends. */
type Outcome = { now: Recorded } | { later: Promise<Recorded> };

/**
 * Takes usage in groups: requests that arrive together share a statement, and each is answered after the commit. What
 * the statement leaves out is recorded on its own, and only its caller waits for that.
 */
export class UsageIntake {
  readonly #db: Database;
  readonly #groups: Groups<ReportedUsage, Outcome>;
  readonly #leftOut: LeftOutUsage;
  readonly #limited: LimitedIntake;

  /** @param inARowMs how long events that are decided one by one may hold the locks of the first of them */
  constructor(db: Database, inARowMs?: number) {
    this.#db = db;
    this.#leftOut = new LeftOutUsage(db, inARowMs);
    this.#limited = new LimitedIntake(db);
    this.#groups = new Groups((entries) => this.#record(entries), LIMITS);
  }

  /**
   * Records the entries; a bad one doesn't keep the good ones from being recorded. Results are in the order of the
   * entries. Throws when Postgres is away.
   */
  async report(entries: readonly ReportedUsage[]): Promise<readonly Recorded[]> {
    const outcomes = await this.#groups.all(entries);
    return Promise.all(outcomes.map((outcome) => ('now' in outcome ? outcome.now : outcome.later)));
  }

  async #record(entries: readonly ReportedUsage[]): Promise<Outcome[]> {
    const ordered = new Set(entries.filter(afterNoMarker()));
    const written = await this.#insertPlain([...ordered].filter(({ customerId }) => !this.#limited.knows(customerId)));
    const left = entries.filter(({ id }) => !written.has(id));
    const before = new Set(left.filter(beforeEachMarker()));
    const later = this.#recordLimited([...before]);
    const decided = Map.groupBy(before, ({ customerId }) => customerId);
    // a marker, and what its customer has reported after it, waits for what came before it
    const turn = async (customerId: string): Promise<void> => {
      await Promise.allSettled((decided.get(customerId) ?? []).map((entry) => later.get(entry)));
    };
    for (const [entry, recorded] of this.#recordLeft(
      left.filter((entry) => !before.has(entry)),
      turn,
    ))
      later.set(entry, recorded);
    return entries.map((entry) => {
      const recorded = later.get(entry);
      return recorded === undefined ? { now: { id: entry.id } } : { later: recorded };
    });
  }

  /** What may have been left out because its customer has limits; all else then goes on to be recorded on its own. */
  #recordLimited(left: readonly ReportedUsage[]): Map<ReportedUsage, Promise<Recorded>> {
    if (left.length === 0) return new Map();
    const decided = this.#limited.take(left).then((found) => {
      const rest = this.#recordLeft(left.filter((_, at) => found[at] === null));
      return left.map((entry, at) => found[at] ?? (rest.get(entry) as Promise<Recorded>));
    });
    const one = async (at: number): Promise<Recorded> => (await decided)[at] as Recorded | Promise<Recorded>;
    return new Map(left.map((entry, at) => [entry, one(at).catch((error: unknown) => ({ error }))]));
  }

  /** @param turn resolves when it is a customer's turn */
  #recordLeft(left: readonly ReportedUsage[], turn?: (customerId: string) => Promise<void>): Map<ReportedUsage, Promise<Recorded>> {
    const later = new Map<ReportedUsage, Promise<Recorded>>();
    for (const [customerId, entries] of Map.groupBy(left, (entry) => entry.customerId)) {
      const since = performance.now();
      const results = Promise.resolve(turn?.(customerId)).then(() => this.#leftOut.record(customerId, entries, since));
      const resultAt = async (at: number): Promise<Recorded> => (await results)[at] as Recorded;
      for (const [at, entry] of entries.entries()) later.set(entry, resultAt(at));
    }
    return later;
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

/** Finds entries that no marker of their customer comes before. */
function beforeEachMarker(): (entry: ReportedUsage) => boolean {
  const marked = new Set<string>();
  return ({ customerId, isAbsolute }) => {
    if (isAbsolute) marked.add(customerId);
    return !marked.has(customerId);
  };
}
