import { condition, patched } from '@temporalio/workflow';

/**
 * One local activity at a time, in the order they were asked for. Of two that are under way together the history keeps which one ended first, but
 * not whether the workflow heard of them in one go or in two: what follows from them may come in another order when it is replayed, and then the
 * workflow stands still for good.
 */
export class Turns {
  #underWay = 0;
  readonly #waiting: { isCalled: boolean }[] = [];

  /** Runs from before this was known let them overlap, and are replayed so. */
  async take<T>(run: () => Promise<T>): Promise<T> {
    if (this.#underWay > 0 && patched('2026-11-one-step-at-a-time')) await this.#called();
    else this.#underWay += 1;
    try {
      return await run();
    } finally {
      this.#callNext();
    }
  }

  /** A condition is looked at when all else has come to rest: what the one before brought is taken in by then. */
  async #called(): Promise<void> {
    const place = { isCalled: false };
    this.#waiting.push(place);
    await condition(() => place.isCalled);
  }

  /** The turn is given on at once: somebody who comes before the one called is awake has to wait behind it. */
  #callNext(): void {
    this.#underWay -= 1;
    if (this.#underWay > 0) return;
    const next = this.#waiting.shift();
    if (next === undefined) return;
    next.isCalled = true;
    this.#underWay += 1;
  }
}
