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
  #sending: ReadonlySet<string> = new Set();
  /** of the messages that are sent now, or next */
  #step = Promise.withResolvers<void>();
  #running: Promise<void> | null = null;

  constructor(steps: Steps) {
    this.#steps = steps;
  }

  /** Takes messages to send, as many as there is room for, and begins where it rests. */
  add(messages: readonly WorkflowMessage[]): void {
    for (const message of messages) {
      if (this.#waiting.size >= MOST_WAITING) break;
      const key = keyOf(message);
      this.#waiting.set(key, { message, since: this.#waiting.get(key)?.since ?? Date.now() });
    }
    if (this.#waiting.size > 0) this.#running ??= this.#run();
  }

  clear(): void {
    this.#waiting.clear();
  }

  /** Resolves when a message neither waits here nor is being sent: it was sent, or it is left to the relay. */
  async handled(message: WorkflowMessage): Promise<void> {
    const key = keyOf(message);
    while (this.#waiting.has(key) || this.#sending.has(key)) await this.#step.promise;
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
        this.#end();
      }
    } catch (error) {
      this.clear();
      this.#steps.failed(error);
    } finally {
      this.#end();
      this.#running = null;
    }
  }

  #end(): void {
    this.#sending = new Set();
    const { resolve } = this.#step;
    this.#step = Promise.withResolvers<void>();
    resolve();
  }

  #take(): WaitingMessage[] {
    const some = [...this.#waiting].slice(0, AT_ONCE);
    for (const [key] of some) this.#waiting.delete(key);
    this.#sending = new Set(some.map(([key]) => key));
    return some.map(([, waiting]) => waiting);
  }
}

const keyOf = ({ kind, workflowId }: WorkflowMessage): string => `${kind} ${workflowId}`;
