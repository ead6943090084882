/** A map with a limited number of entries: a new one displaces the one that was set longest ago. */
export class Recent<K, V> {
  readonly #entries = new Map<K, V>();
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  get(key: K): V | undefined {
    return this.#entries.get(key);
  }

  set(key: K, value: V): void {
    this.#entries.delete(key);
    if (this.#entries.size >= this.#most) this.#forgetEldest();
    this.#entries.set(key, value);
  }

  delete(key: K): void {
    this.#entries.delete(key);
  }

  #forgetEldest(): void {
    const [eldest] = this.#entries.keys();
    if (eldest !== undefined) this.#entries.delete(eldest);
  }
}
