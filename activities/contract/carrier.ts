import type { Logger } from 'pino';
import type { Instant } from '../../billing/calendar/instant.ts';
import { nowOf } from '../../db/clock/now.ts';
import type { Database } from '../../db/connect.ts';
import { type Advanced, advanceContracts } from '../../db/contract/advance.ts';
import { dueAmong, dueContracts } from '../../db/contract/due.ts';
import { mayPass } from '../../db/fault.ts';

/** Contracts in one transaction. */
const AT_ONCE = 100;
/** Transactions at once: while Postgres writes for one, the rules run for the other. */
const LANES = 2;
/** Contracts looked up at once. */
const LISTED = 2_000;
/** How long one that could not be carried is left to its own workflow, which parks it. */
const LEFT_ALONE = 60_000;

interface Parts {
  db: Database;
  log: Logger;
  deliver(wishIds: readonly string[]): Promise<void>;
}

/**
 * Brings up all contracts that are due on the wall clock, many in a transaction: whoever wakes first carries the others. One per process; who
 * calls while it is at work joins it. Any number of processes may carry at once: each takes what nobody else holds. One that fails here is left
 * to its own workflow.
 */
export class Carrier {
  readonly #parts: Parts;
  readonly #left = new Map<string, Instant>();
  #run: Promise<void> | null = null;
  #again = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * Resolves when nothing is due that can be carried.
   *
   * @throws whatever Postgres answers while it is away
   */
  carry(): Promise<void> {
    this.#again = true;
    this.#run ??= this.#carryAll();
    return this.#run;
  }

  /** As `carry`, for those who have a way of their own to go on: what goes wrong is told and left at that. */
  begin(): Promise<void> {
    return this.carry().catch((error: unknown) => this.#parts.log.warn({ err: error }, 'due contracts are left to their own workflows'));
  }

  /** Resolves when nothing is under way. */
  async rest(): Promise<void> {
    await this.#run?.catch(() => undefined);
  }

  async #carryAll(): Promise<void> {
    try {
      while (this.#again) {
        this.#again = false;
        this.#forget();
        await this.#carryOnce();
      }
    } finally {
      // in the same breath as the last look, so that nobody joins a run that is over
      this.#run = null;
    }
  }

  async #carryOnce(): Promise<void> {
    // taken once in a run: what one turn leaves due is held by somebody else, or takes more than one
    const seen = new Set(this.#left.keys());
    for (;;) {
      const upTo = await nowOf(this.#parts.db, null);
      const ids = await dueContracts(this.#parts.db, null, upTo, LISTED, [...seen]);
      if (ids.length === 0) return;
      for (const id of ids) seen.add(id);
      await this.#inLanes(chunksOf(ids), upTo);
    }
  }

  async #inLanes(chunks: string[][], upTo: Instant): Promise<void> {
    const lane = async (): Promise<void> => {
      for (let ids = chunks.shift(); ids !== undefined; ids = chunks.shift()) chunks.unshift(...(await this.#carryChunk(ids, upTo)));
    };
    const ended = await Promise.allSettled(Array.from({ length: LANES }, lane));
    const failure = ended.find((lane) => lane.status === 'rejected');
    if (failure !== undefined) throw failure.reason;
  }

  /** @returns what is to be tried in smaller company: the write failed, and one of them is at fault */
  async #carryChunk(ids: readonly string[], upTo: Instant): Promise<string[][]> {
    const { db, deliver } = this.#parts;
    let advanced: Advanced;
    try {
      advanced = await db.preparingTransaction(async (tx) => {
        const due = await dueAmong(tx, ids, upTo);
        return advanceContracts(tx, [{ ids: due, lock: 'skip' }], upTo);
      });
    } catch (error) {
      if (mayPass(error)) throw error;
      const [half, rest] = [ids.slice(0, Math.ceil(ids.length / 2)), ids.slice(Math.ceil(ids.length / 2))];
      if (rest.length > 0) return [half, rest];
      for (const contractId of ids) this.#leave(contractId, error);
      return [];
    }
    for (const { contractId, error } of advanced.failed) this.#leave(contractId, error);
    await deliver(advanced.wishes);
    return [];
  }

  #leave(contractId: string, error: unknown): void {
    this.#parts.log.warn({ err: error, contract: contractId }, 'a due contract is left to its own workflow');
    this.#left.set(contractId, Date.now() + LEFT_ALONE);
  }

  #forget(): void {
    for (const [id, until] of this.#left) {
      if (until <= Date.now()) this.#left.delete(id);
    }
  }
}

/** Parts of a list, beginning anywhere in it, so that several who carry at once don't all begin with the same. */
function chunksOf(ids: readonly string[]): string[][] {
  const chunks: string[][] = [];
  for (let from = 0; from < ids.length; from += AT_ONCE) chunks.push(ids.slice(from, from + AT_ONCE));
  const first = Math.floor(Math.random() * chunks.length);
  return [...chunks.slice(first), ...chunks.slice(0, first)];
}
