import { Problem } from '../http/problem.ts';

const MOST_WAITING = 200;

/**
 * Requests to one contract take turns, so that a hundred at once never crowd its workflow. One that waits too long, or finds too many before
 * it, is told to come again: nothing was done.
 */
export class Turns {
  readonly #queues = new Map<string, { last: Promise<unknown>; size: number }>();

  async take<T>(contractId: string, latest: number, run: () => Promise<T>): Promise<T> {
    const queue = this.#queues.get(contractId) ?? { last: Promise.resolve(), size: 0 };
    if (queue.size >= MOST_WAITING) throw busy();
    const turn = queue.last.then(() => {
      if (Date.now() > latest) throw busy();
      return run();
    });
    // a request that fails doesn't keep the next from its turn; its own caller hears of it
    queue.last = turn.catch(() => undefined);
    queue.size += 1;
    this.#queues.set(contractId, queue);
    try {
      return await turn;
    } finally {
      queue.size -= 1;
      if (queue.size === 0) this.#queues.delete(contractId);
    }
  }
}

const busy = () => new Problem('change_in_progress', undefined, { retryAfter: 1 });
