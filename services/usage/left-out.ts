import { Refusal } from '../../billing/refusal.ts';
import type { Database, Tx } from '../../db/connect.ts';
import { isUnreachable, mayPass } from '../../db/fault.ts';
import { Groups } from '../../db/groups.ts';
import { OwnersLockers, TooManyTransactions } from '../../db/lockers.ts';
import { CommitUnknown } from '../../db/sql/transaction/commit-fate.ts';
import { limitLocks } from '../../db/sql/transaction/limit-locks.ts';
import { insertPlainWaiting } from '../../db/sql/usage/insert-plain.ts';
import { findKeys } from '../../db/sql/vendor-account/find-keys.ts';
import { distinctKeys } from '../../db/sql/vendor-account/live-key.ts';
import type { Recorded, ReportedUsage } from '../../db/usage/event.ts';
import { recordLimited } from './limited.ts';
import { LOCK_WAIT, lockWaitLeft } from './lock-wait.ts';
import { recordInOrder, recordOne } from './record-one.ts';

/** Customers at a time, and of one vendor at most: the other connections are for groups, reads and sales. */
const AT_ONCE = { places: 5, most: 4 };
const MOST = 2_000;
/**
 * The most entries that are decided one by one in a shared transaction, and how long it may take until the last of them
 * begins: the locks of the first are held until the end, and a change of the contract gives up after a second.
 */
const IN_A_ROW = 50;
const IN_A_ROW_MS = 150;

interface Waiting {
  entry: ReportedUsage;
  since: number;
}

/**
 * Records what a group has left out: what has to be decided one by one, and what found its contract locked. A customer
 * has one connection at a time, so its events wait for nobody else, and others don't wait for them.
 */
export class LeftOutUsage {
  readonly #db: Database;
  readonly #inARowMs: number;
  readonly #places = new OwnersLockers(AT_ONCE, LOCK_WAIT.longest);
  readonly #customers = new Map<string, { groups: Groups<Waiting, Recorded>; size: number }>();

  constructor(db: Database, inARowMs = IN_A_ROW_MS) {
    this.#db = db;
    this.#inARowMs = inARowMs;
  }

  /**
   * Records entries of one customer, after those that wait for it already. Results are in the order of the entries;
   * never rejects.
   *
   * @param since when they began to wait
   */
  async record(customerId: string, entries: readonly ReportedUsage[], since = performance.now()): Promise<readonly Recorded[]> {
    const customer = this.#customers.get(customerId) ?? { groups: this.#groups(), size: 0 };
    this.#customers.set(customerId, customer);
    customer.size += entries.length;
    const results = await customer.groups.all(entries.map((entry) => ({ entry, since }))).catch((error: unknown) => failed(entries, error));
    customer.size -= entries.length;
    if (customer.size === 0) this.#customers.delete(customerId);
    return results;
  }

  #groups(): Groups<Waiting, Recorded> {
    return new Groups((waiting) => this.#places.run(vendorOf(waiting), () => this.#inOrder(waiting)), { atOnce: 1, most: MOST });
  }

  /** Records entries in the order of their arrival, since markers count by it. */
  async #inOrder(waiting: readonly Waiting[]): Promise<Recorded[]> {
    const began = performance.now();
    const refused = await this.#refusedKeys(waiting);
    const shared = await this.#together(
      waiting.filter(({ entry }) => !refused.has(entry.keyId)),
      began,
    );
    // what all have waited for in vain isn't waited for as long again
    const turn = shared === null ? performance.now() : began;
    const written = shared ?? new Map<string, Recorded>();
    const left = waiting.filter(({ entry }) => !written.has(entry.id) && !refused.has(entry.keyId));
    const decided = new Map(written);
    let lost: Recorded | undefined;
    const rows = rowsOf(left);
    for (let row = rows.shift(); row !== undefined; row = rows.shift()) {
      const inARow = lost === undefined ? await this.#inARow(row, turn) : null;
      const begun = inARow === null ? row : row.slice(0, inARow.length);
      if (begun.length < row.length) rows.unshift(row.slice(begun.length));
      for (const [at, one] of begun.entries()) {
        const recorded: Recorded = lost ?? inARow?.[at] ?? (await this.#alone(one, turn));
        if ('error' in recorded && mayPass(recorded.error)) lost = recorded;
        decided.set(one.entry.id, recorded);
      }
    }
    return waiting.map(({ entry }) => decided.get(entry.id) ?? (refused.get(entry.keyId) as Recorded));
  }

  /** @returns what became of the first of them; null where each has to be decided in a transaction of its own */
  async #inARow(row: readonly Waiting[], turn: number): Promise<Recorded[] | null> {
    const [first, ...others] = row;
    if (first === undefined || others.length === 0) return null;
    const decide = async (tx: Tx): Promise<string[] | null> => {
      await limitLocks(tx, lockWaitLeft(first.since, turn));
      return recordInOrder(tx, [first.entry, ...others.map(({ entry }) => entry)], this.#inARowMs);
    };
    try {
      const ids = await this.#db.transaction(decide);
      return ids?.map((id) => ({ id })) ?? null;
    } catch (error) {
      // perhaps they were committed, and must not be recorded again; or each alone would wait for the same lock as long
      return error instanceof CommitUnknown || mayPass(error) ? row.map(() => ({ error })) : null;
    }
  }

  /**
   * What has gathered behind a locked contract is inserted as one; whatever fails is decided alone.
   *
   * @returns null where it was waited for in vain
   */
  async #together(waiting: readonly Waiting[], turn: number): Promise<Map<string, Recorded> | null> {
    const [first] = waiting;
    const entries = waiting.map(({ entry }) => entry);
    if (first === undefined || entries.length === 1 || entries.some(({ isAbsolute }) => isAbsolute)) return new Map();
    const insert = async (tx: Tx): Promise<Map<string, Recorded>> => {
      await limitLocks(tx, lockWaitLeft(first.since, turn));
      const plain = [...(await insertPlainWaiting(tx, entries))].map((id): [string, Recorded] => [id, { id }]);
      const written = new Map(plain);
      if (written.size === entries.length) return written;
      const limited = await recordLimited(
        tx,
        entries.filter(({ id }) => !written.has(id)),
        'wait',
      );
      return new Map([...written, ...limited.recorded]);
    };
    return this.#db.transaction(insert).catch((error: unknown) => {
      // perhaps it was committed, and nobody may record it again; or Postgres is away, and each would wait as long
      if (error instanceof CommitUnknown || isUnreachable(error)) throw error;
      return mayPass(error) ? null : new Map<string, Recorded>();
    });
  }

  /** Why entries can't be recorded: their key has ended meanwhile, or can't be looked up. */
  async #refusedKeys(waiting: readonly Waiting[]): Promise<Map<string, { error: unknown }>> {
    const keys = distinctKeys(waiting.map(({ entry }) => entry));
    try {
      const found = await findKeys(this.#db, 'id', keys);
      const over = { error: new Refusal('unauthorized', 'the key is over') };
      return new Map(keys.filter((_, at) => found[at] === null).map((key) => [key, over]));
    } catch (error) {
      return new Map(keys.map((key) => [key, { error }]));
    }
  }

  async #alone(one: Waiting, turn: number): Promise<Recorded> {
    const left = lockWaitLeft(one.since, turn);
    if (left <= LOCK_WAIT.shortest) return { error: new TooManyTransactions() };
    return recordOne(this.#db, one.entry, left).catch((error: unknown) => ({ error }));
  }
}

/**
 * Entries that come one behind the other and may share a transaction: of one feature, so that all lock the same, and
 * none that corrects closed usage.
 */
function rowsOf(waiting: readonly Waiting[]): Waiting[][] {
  const rows: Waiting[][] = [];
  for (const one of waiting) {
    const row = rows.at(-1);
    const [first] = row ?? [];
    const isShared = first?.entry.slug === one.entry.slug && !first.entry.allowCorrection && !one.entry.allowCorrection;
    if (row !== undefined && isShared && row.length < IN_A_ROW) row.push(one);
    else rows.push([one]);
  }
  return rows;
}

/** A customer's usage is reported by its vendor; that of others is refused. */
const vendorOf = ([first]: readonly Waiting[]): string => first?.entry.vendorId ?? '';

const failed = (entries: readonly ReportedUsage[], error: unknown): Recorded[] => entries.map(() => ({ error }));
