/** Conditions of a statement and their parameters, in the order they were added. */
export class Where {
  readonly params: unknown[] = [];
  readonly #conditions: string[] = [];

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
    return copy;
  }
}
