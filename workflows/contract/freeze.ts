import type { Schedule } from '../messages.ts';

/**
 * A freeze takes everything but the closing of earlier periods off the schedule: the workflow sets no timer for it and
 * waits for the signal of the activation, after which later instants have moved by the frozen time. A freeze that ends
 * by itself is ended by the customer's workflow.
 *
 * @param until the end of the freeze as operators read it, null: none is set
 */
export function freezeWords({ isFrozen, customerId }: Schedule, until: string | null): string {
  if (!isFrozen) return '';
  const ends =
    until === null ? 'until the customer is activated' : `until ${until}, when \`customer:${customerId}\` activates the customer`;
  return `\n\nThe customer is frozen: no period starts, nothing is collected, ${ends}.`;
}
