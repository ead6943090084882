import { CancellationScope, isCancellation, sleep } from '@temporalio/workflow';
import type { Instant } from '../../billing/calendar/instant.ts';

/**
 * One timer for an instant. It is set again only when the instant has changed: each needless timer would add two events
 * to the history.
 */
export class Alarm {
  #at: Instant | null = null;
  #scope: CancellationScope | null = null;
  #rang = false;

  /** True once the instant has come, until the alarm is armed or disarmed again. */
  get rang(): boolean {
    return this.#rang;
  }

  /** An instant that has come already rings at once, without a timer. */
  arm(at: Instant | null, summary: string): void {
    if (at === this.#at && !this.#rang) return;
    this.disarm();
    if (at === null) return;
    this.#at = at;
    this.#rang = at <= Date.now();
    if (!this.#rang) this.#start(at, summary);
  }

  #start(at: Instant, summary: string): void {
    const scope = new CancellationScope();
    this.#scope = scope;
    void scope
      .run(async () => {
        await sleep(at - Date.now(), { summary });
        if (this.#scope === scope) this.#rang = true;
      })
      .catch((error: unknown) => {
        if (!isCancellation(error)) throw error;
      });
  }

  disarm(): void {
    this.#scope?.cancel();
    this.#scope = null;
    this.#at = null;
    this.#rang = false;
  }
}
