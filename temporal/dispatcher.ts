import { AsyncLocalStorage } from 'node:async_hooks';
import type { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import type { Database } from '../db/connect.ts';
import { leaseDue } from '../db/sql/outbox/lease-due.ts';
import { leaseGiven } from '../db/sql/outbox/lease-given.ts';
import type { LeasedMessage } from '../db/sql/outbox/leased-message.ts';
import { markSent } from '../db/sql/outbox/mark-sent.ts';
import { putOff } from '../db/sql/outbox/put-off.ts';
import type { Dispatcher, WorkflowMessage } from '../db/transaction.ts';
import { failureText, isAway, pauseAfter } from './failure.ts';
import type { MessageKindName } from './message-kinds.ts';
import { send } from './send.ts';
import { startsOf } from './start.ts';

interface Parts {
  db: Database;
  client: Client;
  taskQueue: string;
  log: Logger;
}

/** Messages leased, sent and marked together. */
const AT_ONCE = 50;
/** Further messages are left to the relay, so that a burst never grows in memory. */
const MOST_WAITING = 5_000;
/** Milliseconds to wait for the server, so that one that doesn't answer can't use up the leases. */
const SEND_MS = 5_000;
/** Milliseconds for which messages are left to the relay after the server didn't answer. */
const PAUSE_MS = 5_000;

type Context = <R>(work: () => R) => R;
const NO_CONTEXT: Context = (work) => work();

/**
 * Sends committed messages, one bounded sender a process: it leases rows, sends them and marks them as sent. It uses
 * neither a connection nor a lock while it talks to Temporal. What it can't send waits as a row for its next try; no
 * failure here reaches a caller.
 */
export class OutboxDispatcher implements Dispatcher {
  readonly #parts: Parts;
  readonly #waiting = new Map<string, { message: WorkflowMessage; context: Context }>();
  #running: Promise<void> | null = null;
  #pausedUntil = 0;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  dispatch(messages: readonly WorkflowMessage[]): void {
    if (Date.now() < this.#pausedUntil) return;
    // the request's trace goes on in the workflow that is signalled
    const context = AsyncLocalStorage.snapshot();
    for (const message of messages) {
      if (this.#waiting.size >= MOST_WAITING) break;
      this.#waiting.set(`${message.kind} ${message.workflowId}`, { message, context });
    }
    if (this.#waiting.size > 0) this.#running ??= this.#run();
  }

  /**
   * Sends messages whose time has come, whichever process wrote them: the relay's work.
   *
   * @returns whether there may be more
   */
  async sendDue(limit = AT_ONCE): Promise<boolean> {
    const leased = await leaseDue(this.#parts.db, limit);
    await this.#sendLeased(leased, () => NO_CONTEXT);
    return leased.length === limit;
  }

  /** Resolves when nothing is being sent. */
  async idle(): Promise<void> {
    await this.#running;
  }

  async #run(): Promise<void> {
    try {
      // messages dispatched in the same moment are sent together
      await Promise.resolve();
      while (this.#waiting.size > 0) await this.#sendSome();
    } catch (error) {
      this.#waiting.clear();
      this.#parts.log.warn({ err: error }, 'messages wait for the relay');
    } finally {
      this.#running = null;
    }
  }

  async #sendSome(): Promise<void> {
    const some = [...this.#waiting].slice(0, AT_ONCE);
    for (const [key] of some) this.#waiting.delete(key);
    const contexts = new Map(some.map(([key, { context }]) => [key, context]));
    const leased = await leaseGiven(
      this.#parts.db,
      some.map(([, { message }]) => message),
    );
    await this.#sendLeased(leased, ({ kind, workflowId }) => contexts.get(`${kind} ${workflowId}`) ?? NO_CONTEXT);
  }

  async #sendLeased(leased: readonly LeasedMessage[], contextOf: (message: WorkflowMessage) => Context): Promise<void> {
    if (leased.length === 0) return;
    const { db, client, taskQueue, log } = this.#parts;
    const starts = await startsOf(
      db,
      // the workflow of a customer ends and starts again as often as it has something to wait for
      leased.filter(({ isFirst, kind }) => isFirst || kind === 'customer'),
    );
    const until = Date.now() + SEND_MS;
    const results = await Promise.allSettled(
      leased.map((message) => {
        const { workflowId } = message;
        const kind = message.kind as MessageKindName;
        const start = starts.get(workflowId) ?? null;
        // the deadline is set inside, because the context has its own, or none
        return contextOf(message)(() => client.connection.withDeadline(until, () => send(client, taskQueue, { kind, workflowId }, start)));
      }),
    );
    const failed = leased.flatMap((message, at) => {
      const result = results[at];
      return result?.status === 'rejected' ? [{ message, error: result.reason as unknown }] : [];
    });
    const again = await markSent(
      db,
      leased.filter((_, at) => results[at]?.status === 'fulfilled'),
    );
    await putOff(
      db,
      failed.map(({ message, error }) => ({
        message,
        failure: failureText(error),
        pauseMs: pauseAfter(message.tries + 1, isAway(error)),
      })),
    );
    if (failed.length > 0) log.warn({ err: failed[0]?.error, failed: failed.length }, 'messages wait for their next try');
    if (failed.some(({ error }) => isAway(error))) this.#pause();
    else if (again.length > 0) this.dispatch(again);
  }

  #pause(): void {
    this.#pausedUntil = Date.now() + PAUSE_MS;
    this.#waiting.clear();
  }
}
