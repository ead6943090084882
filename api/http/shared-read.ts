/**
 * Lets requests that arrive together share one read without ever giving anyone an older state than they could have read
 * themselves: a read under way is not joined, the next one is.
 */
export class SharedRead<V> {
  readonly #read: (key: string) => Promise<V>;
  readonly #running = new Map<string, Promise<V>>();
  readonly #next = new Map<string, Promise<V>>();

  constructor(read: (key: string) => Promise<V>) {
    this.#read = read;
  }

  get(key: string): Promise<V> {
    const running = this.#running.get(key);
    if (running === undefined) return this.#start(key);
    const waiting = this.#next.get(key);
    if (waiting !== undefined) return waiting;
    const begin = () => {
      this.#next.delete(key);
      return this.#start(key);
    };
    const next = running.then(begin, begin);
    this.#next.set(key, next);
    return next;
  }

  #start(key: string): Promise<V> {
    const running = this.#read(key).finally(() => {
      if (this.#running.get(key) === running) this.#running.delete(key);
    });
    this.#running.set(key, running);
    return running;
  }
}
