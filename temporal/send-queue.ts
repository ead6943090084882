import type { WorkflowMessage } from '../db/transaction.ts';

/** A message that waits in the process that has committed it. */
export interface WaitingMessage {
  message: WorkflowMessage;
  since: number;
}

/** Messages sent together. */
export const AT_ONCE = 50;
/** Further messages are left to the relay, so that a burst never grows in memory. */
const MOST_WAITING = 5_000;

interface Steps {
  /** Resolves when the next messages may go, of which the first has waited since then. */
  turn(since: number): Promise<void>;
  send(some: readonly WaitingMessage[]): Promise<void>;
  failed(error: unknown): void;
}

/** Messages of this process, each once, sent in their order and one batch after the other. */
export class SendQueue {
  readonly #steps: Steps;
  readonly #waiting = new Map<string, WaitingMessage>();
  #running: Promise<void> | null = null;

  constructor(steps: Steps) {
    this.#steps = steps;
  }

  /** Takes messages to send, as many as there is room for, and begins where it rests. */
  add(messages: readonly WorkflowMessage[]): void {
    for (const message of messages) {
      if (this.#waiting.size >= MOST_WAITING) break;
      const key = `${message.kind} ${message.workflowId}`;
      this.#waiting.set(key, { message, since: this.#waiting.get(key)?.since ?? Date.now() });
    }
    if (this.#waiting.size > 0) this.#running ??= this.#run();
  }

  clear(): void {
    this.#waiting.clear();
  }

  /** Resolves when it has nothing left to send. */
  async idle(): Promise<void> {
    await this.#running;
  }

  async #run(): Promise<void> {
    try {
      // messages added in the same moment are sent together
      await Promise.resolve();
      for (let [first] = this.#waiting.values(); first !== undefined; [first] = this.#waiting.values()) {
        await this.#steps.turn(first.since);
        const some = this.#take();
        if (some.length > 0) await this.#steps.send(some);
      }
    } catch (error) {
      this.clear();
      this.#steps.failed(error);
    } finally {
      this.#running = null;
    }
  }

  #take(): WaitingMessage[] {
    const some = [...this.#waiting].slice(0, AT_ONCE);
    for (const [key] of some) this.#waiting.delete(key);
    return some.map(([, waiting]) => waiting);
  }
}
