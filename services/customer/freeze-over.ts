import type { Instant } from '../../billing/calendar/instant.ts';
import { Refusal } from '../../billing/refusal.ts';

/** Whether a freeze was to end by itself by now: what is done now comes after it. */
export const isFreezeOver = ({ resumeAt, now }: { resumeAt: Instant | null; now: Instant }): boolean =>
  resumeAt !== null && resumeAt <= now;

/**
 * A write that came after the freeze of its customer was to end, and before a worker has ended it. Once that has been
 * carried out (`againAfterFreeze`) the write is made as if the freeze had ended on time.
 */
export class FreezeIsOver extends Refusal {
  readonly customerId: string;

  constructor(customerId: string) {
    super('customer_frozen', `The freeze of the customer ${customerId} is just ending; try again.`, {}, { retryAfter: 1 });
    this.customerId = customerId;
  }
}
