import type pg from 'pg';

type Ask = (...args: unknown[]) => unknown;

/**
 * Counts how often the connections of a pool wait for Postgres: statements that one of them sends in the same turn of
 * the event loop, before any answer can have come, are one round trip.
 */
export class RoundTrips {
  #taken = 0;
  /** the statements sent so far, in their order */
  readonly sent: string[] = [];

  constructor(pool: pg.Pool) {
    pool.on('connect', (client) => this.#watch(client));
  }

  async of<T>(work: () => Promise<T>): Promise<{ result: T; taken: number }> {
    const before = this.#taken;
    const result = await work();
    return { result, taken: this.#taken - before };
  }

  #watch(client: pg.PoolClient): void {
    const ask = client.query.bind(client) as Ask;
    let isSending = false;
    const query: Ask = (...args) => {
      if (!isSending) this.#taken += 1;
      isSending = true;
      this.sent.push(textOf(args[0]));
      setImmediate(() => {
        isSending = false;
      });
      return ask(...args);
    };
    Object.assign(client, { query });
  }
}

const textOf = (asked: unknown): string => (typeof asked === 'string' ? asked : String((asked as { text?: unknown }).text));
