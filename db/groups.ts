import { isUnreachable } from './fault.ts';
import { TooManyTransactions } from './lockers.ts';

interface Asked<I, O> {
  readonly items: readonly I[];
  readonly since: number;
  readonly outcome: PromiseWithResolvers<readonly O[]>;
}

interface GroupLimits {
  /** groups under way at the same time */
  readonly atOnce: number;
  /** items in a group; more in one call stay together all the same */
  readonly most: number;
  /** milliseconds that a group has before another begins beside it; none where it isn't given */
  readonly besideAfterMs?: number;
}

/** Milliseconds after which an item that waits behind a group without an answer is late. */
const LATE_MS = 1_000;
/**
 * From this many callers at once other work comes after them: one or two callers, even if they call again and again,
 * are served beside everything else.
 */
const CROWD = 3;
/** The most rounds of the event loop for which a group is delayed while each round brings further items. */
const MOST_ROUNDS = 4;

/**
 * Does one kind of work for many callers in one statement: items that arrive in the same round of the event loop, in
 * the few rounds right behind it, or while the permitted number of groups is running, form the next group. A group
 * begins after the last request for an item in it, so no caller reads an older state than by a statement of its own,
 * whichever process wrote last. If a group fails, all its items fail. If it fails because Postgres gave no answer,
 * items that have waited for a second behind it fail too: they would wait as long again, and their callers are answered
 * within 5 s.
 */
export class Groups<I, O> {
  readonly #work: (items: readonly I[]) => Promise<readonly O[]>;
  readonly #limits: GroupLimits;
  #waiting: Asked<I, O>[] = [];
  #running = 0;
  #called = false;
  #begunAt = 0;
  #timer: NodeJS.Timeout | null = null;
  readonly #lateMs: number;

  /** @param work gives one result for each item, in their order */
  constructor(work: (items: readonly I[]) => Promise<readonly O[]>, limits: GroupLimits, lateMs = LATE_MS) {
    this.#work = work;
    this.#limits = limits;
    this.#lateMs = lateMs;
  }

  async one(item: I): Promise<O> {
    const [result] = await this.all([item]);
    return result as O;
  }

  /** Items that are decided in one group. */
  all(items: readonly I[]): Promise<readonly O[]> {
    if (items.length === 0) return Promise.resolve([]);
    const outcome = Promise.withResolvers<readonly O[]>();
    this.#waiting.push({ items, since: performance.now(), outcome });
    this.#call();
    return outcome.promise;
  }

  /**
   * Begins when a round of the event loop has brought nothing more, or nothing more fits in; one item alone waits for
   * its own round only. Behind another group it begins a round later, since callers that were just answered may ask
   * again.
   */
  #call(): void {
    if (this.#called || this.#running >= this.#limits.atOnce) return;
    const early = this.#running === 0 ? 0 : this.#begunAt + (this.#limits.besideAfterMs ?? 0) - performance.now();
    if (early > 0) {
      this.#callIn(early);
      return;
    }
    this.#called = true;
    this.#beginAfter(MOST_ROUNDS, 1);
  }

  /** @param asked how many waited a round ago */
  #beginAfter(rounds: number, asked: number): void {
    setImmediate(() => {
      const waiting = this.#waiting.length;
      if (rounds > 0 && waiting > asked && waiting < this.#limits.most) {
        this.#beginAfter(rounds - 1, waiting);
        return;
      }
      this.#called = false;
      if (waiting > 0) void this.#run(this.#take());
    });
  }

  #callIn(ms: number): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      if (this.#waiting.length > 0) this.#call();
    }, ms);
  }

  async #run(group: readonly Asked<I, O>[]): Promise<void> {
    this.#running += 1;
    this.#begunAt = performance.now();
    if (this.#waiting.length > 0) this.#call();
    try {
      const results = await this.#work(group.flatMap(({ items }) => items));
      let at = 0;
      for (const { items, outcome } of group) {
        outcome.resolve(results.slice(at, at + items.length));
        at += items.length;
      }
    } catch (error) {
      for (const { outcome } of group) outcome.reject(error);
      if (isUnreachable(error)) this.#refuseLate();
    }
    this.#running -= 1;
    if (this.#waiting.length > 0) this.#call();
  }

  /** Lets items fail for which no work has begun. */
  #refuseLate(): void {
    const until = performance.now() - this.#lateMs;
    const late = this.#waiting.filter(({ since }) => since <= until);
    this.#waiting = this.#waiting.filter(({ since }) => since > until);
    for (const { outcome } of late) outcome.reject(new TooManyTransactions());
  }

  #take(): Asked<I, O>[] {
    let size = 0;
    const upTo = this.#waiting.findIndex(({ items }) => {
      size += items.length;
      return size > this.#limits.most;
    });
    return this.#waiting.splice(0, upTo === -1 ? this.#waiting.length : Math.max(1, upTo));
  }
}

/**
 * Groups of each owner by itself: none has items of two, and none waits for another owner's. What is kept of an owner
 * goes with the last answer.
 */
export class OwnersGroups<I, O> {
  readonly #begin: () => Groups<I, O>;
  readonly #of = new Map<string, { groups: Groups<I, O>; asked: number }>();
  #asked = 0;

  /** @param work as that of `Groups`, for items of one owner */
  constructor(work: (items: readonly I[]) => Promise<readonly O[]>, limits: GroupLimits) {
    this.#begin = () => new Groups(work, limits);
  }

  /** Whether so many callers of all owners wait for their results that other work should come after them. */
  get isCrowded(): boolean {
    return this.#asked >= CROWD;
  }

  async one(owner: string, item: I): Promise<O> {
    const own = this.#of.get(owner) ?? { groups: this.#begin(), asked: 0 };
    this.#of.set(owner, own);
    own.asked += 1;
    this.#asked += 1;
    try {
      return await own.groups.one(item);
    } finally {
      own.asked -= 1;
      this.#asked -= 1;
      if (own.asked === 0) this.#of.delete(owner);
    }
  }
}
