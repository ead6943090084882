import type { Schedule } from '../messages.ts';

/**
 * A freeze takes everything but the closing of earlier periods off the schedule: the workflow sets no timer for it and
 * waits for the signal of the activation, after which every later instant has moved by the frozen time.
 */
export const freezeWords = ({ isFrozen }: Schedule): string =>
  isFrozen ? '\n\nThe customer is frozen: no period starts, nothing is collected, until the customer is activated.' : '';
