import { HOUR, type Instant } from '../calendar/instant.ts';
import { type ChargeOutcome, NEEDS_ACTION } from './types.ts';

/** How long a customer can confirm a charge at the bank, in milliseconds. */
const SECOND_STEP_LASTS = HOUR;

/**
 * Whether a charge has waited for its customer for an hour or longer, so that it is given up. Instants are on the
 * customer's clock.
 *
 * @param began when the attempt was opened
 */
export function isAbandoned(outcome: ChargeOutcome | null, began: Instant, now: Instant): boolean {
  return outcome?.status === 'pending' && outcome.reason === NEEDS_ACTION && now - began >= SECOND_STEP_LASTS;
}
