/**
 * How long after a batch the work still counts as under way, in milliseconds: a test clock is often advanced again
 * right after an advance.
 */
const CALM_MS = 1_000;

/**
 * Whether this process bills many contracts at once. Meanwhile the wake-ups that follow from it wait: they would take
 * the processor from the batches, and a chain that two advances have billed needs to wake only once.
 */
export class BatchWork {
  #underWay = 0;
  #endedAt = Number.NEGATIVE_INFINITY;

  get isUnderWay(): boolean {
    return this.#underWay > 0 || Date.now() - this.#endedAt < CALM_MS;
  }

  /** The same activity, counted while it works. */
  counted<I, O>(call: (input: I) => Promise<O>): (input: I) => Promise<O> {
    return async (input) => {
      this.#underWay += 1;
      try {
        return await call(input);
      } finally {
        this.#underWay -= 1;
        this.#endedAt = Date.now();
      }
    };
  }
}
