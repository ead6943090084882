/** Conditions of a statement and their parameters, in the order they were added. */
export class Where {
  readonly params: unknown[] = [];
  readonly #conditions: string[] = [];
  readonly #moving = new Set<number>();

  /** Adds `sql`, in which each `?` is replaced by one of `values`, and `??` is a question mark itself. */
  and(sql: string, ...values: readonly unknown[]): this {
    let at = 0;
    this.#conditions.push(sql.replaceAll(/\?\??/g, (sign) => (sign === '??' ? '?' : this.param(values[at++]))));
    return this;
  }

  /** Adds the condition unless the value is absent. */
  andGiven(sql: string, value: unknown): this {
    return value === undefined || value === null ? this : this.and(sql, value);
  }

  /** Adds a condition whose value moves on from page to page: the list stays the same one. */
  andMoving(sql: string, value: unknown): this {
    this.#moving.add(this.params.length);
    return this.and(sql, value);
  }

  /** What tells one list from another: the conditions, with the values that don't move. */
  get identity(): string {
    return JSON.stringify([this.sql, this.params.map((value, at) => (this.#moving.has(at) ? null : value))]);
  }

  /** A placeholder for a value. */
  param(value: unknown): string {
    this.params.push(value);
    return `$${this.params.length}`;
  }

  /** How many conditions there are. */
  get length(): number {
    return this.#conditions.length;
  }

  get sql(): string {
    return this.#conditions.length === 0 ? 'true' : this.#conditions.map((condition) => `(${condition})`).join(' and ');
  }

  copy(): Where {
    const copy = new Where();
    copy.params.push(...this.params);
    copy.#conditions.push(...this.#conditions);
    for (const at of this.#moving) copy.#moving.add(at);
    return copy;
  }
}
