import { setTimeout as pause } from 'node:timers/promises';
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
import { MESSAGE_KINDS, type MessageKindName } from './message-kinds.ts';
import { send } from './send.ts';
import { AT_ONCE, SendQueue, type WaitingMessage } from './send-queue.ts';
import { sendingOf } from './sending.ts';
import { startsOf } from './start.ts';

interface Parts {
  db: Database;
  client: Client;
  taskQueue: string;
  log: Logger;
  /** Whether callers wait for their turn: messages that can wait let them go first. Default: never. */
  isCrowded?: () => boolean;
}

/** Milliseconds to wait for the server, so that one that doesn't answer can't use up the leases. */
const SEND_MS = 5_000;
/** Milliseconds of a lease of 15 s after which nothing is sent: others may send it then, and what was read is old. */
const LEASE_USED_MS = 12_000;
/** Milliseconds for which messages are left to the relay after the server didn't answer. */
const PAUSE_MS = 5_000;
/** Milliseconds that a message waits at most for callers to go first. */
const PATIENCE_MS = 20_000;
/** Milliseconds for which the relay leaves messages that wait for callers to this process. */
const LEFT_MS = 30_000;
/** Milliseconds between two looks whether callers still wait. */
const LOOK_MS = 50;

/**
 * Sends committed messages, one bounded sender a process: it leases rows, sends them and marks them as sent. It uses
 * neither a connection nor a lock while it talks to Temporal. What it can't send waits as a row for its next try; no
 * failure here reaches a caller.
 */
export class OutboxDispatcher implements Dispatcher {
  readonly #parts: Parts;
  readonly #isCrowded: () => boolean;
  /** what others wait for; behind it what can wait */
  readonly #urgent: SendQueue;
  readonly #patient: SendQueue;
  #pausedUntil = 0;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#isCrowded = parts.isCrowded ?? (() => false);
    const send = (some: readonly WaitingMessage[]) => this.#sendSome(some);
    const failed = (error: unknown) => parts.log.warn({ err: error }, 'messages wait for the relay');
    this.#urgent = new SendQueue({ turn: async () => {}, send, failed });
    this.#patient = new SendQueue({ turn: (since) => this.#callersGone(since), send, failed });
  }

  relayAfterMs(message: WorkflowMessage): number {
    return canWait(message) && this.#isCrowded() && !this.#isPausing() ? LEFT_MS : 0;
  }

  dispatch(messages: readonly WorkflowMessage[]): void {
    if (this.#isPausing()) return;
    this.#urgent.add(messages.filter((message) => !canWait(message)));
    this.#patient.add(messages.filter(canWait));
  }

  /** Resolves when a message that was committed here is sent, or left to the relay. */
  handled(message: WorkflowMessage): Promise<void> {
    return (canWait(message) ? this.#patient : this.#urgent).handled(message);
  }

  /**
   * Sends messages whose time has come, whichever process wrote them: the relay's work.
   *
   * @returns whether there may be more
   */
  async sendDue(limit = AT_ONCE): Promise<boolean> {
    const since = Date.now();
    const leased = await leaseDue(this.#parts.db, limit);
    await this.#sendLeased(leased, since);
    return leased.length === limit;
  }

  /** Resolves when nothing is being sent. */
  async idle(): Promise<void> {
    await Promise.all([this.#urgent.idle(), this.#patient.idle()]);
  }

  async #callersGone(since: number): Promise<void> {
    while (this.#isCrowded() && Date.now() - since < PATIENCE_MS) await pause(LOOK_MS);
  }

  async #sendSome(some: readonly WaitingMessage[]): Promise<void> {
    const since = Date.now();
    const leased = await leaseGiven(
      this.#parts.db,
      some.map(({ message }) => message),
    );
    await this.#sendLeased(leased, since);
  }

  /** @param since before the lease began */
  async #sendLeased(leased: readonly LeasedMessage[], since: number): Promise<void> {
    if (leased.length === 0) return;
    const { db, client, taskQueue, log } = this.#parts;
    const starts = await startsOf(
      db,
      // the workflow of a customer ends and starts again as often as it has something to wait for
      leased.filter(({ isFirst, waitsSince, kind }) => isFirst || waitsSince !== null || kind === 'customer'),
    );
    const sendings = leased.map((message) => ({ message, ...sendingOf(message, starts.get(message.workflowId) ?? null) }));
    const until = Math.min(Date.now() + SEND_MS, since + LEASE_USED_MS);
    const results = await Promise.allSettled(
      sendings.map(({ message, start, running }) => {
        const { workflowId } = message;
        const kind = message.kind as MessageKindName;
        const sendIt = () => client.connection.withDeadline(until, () => send(client, taskQueue, { kind, workflowId }, start, running));
        // whichever process sends it
        return db.tracing === null ? sendIt() : db.tracing.goOn(message.trace, sendIt);
      }),
    );
    const failed = leased.flatMap((message, at) => {
      const result = results[at];
      return result?.status === 'rejected' ? [{ message, error: result.reason as unknown }] : [];
    });
    const again = await markSent(
      db,
      sendings.filter((_, at) => results[at]?.status === 'fulfilled'),
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

  #isPausing(): boolean {
    return Date.now() < this.#pausedUntil;
  }

  #pause(): void {
    this.#pausedUntil = Date.now() + PAUSE_MS;
    this.#urgent.clear();
    this.#patient.clear();
  }
}

const canWait = ({ kind }: WorkflowMessage): boolean => MESSAGE_KINDS[kind as MessageKindName].canWait;
