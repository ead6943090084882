import { DAY } from '../billing/calendar/instant.ts';
import type { ChargeOutcome, Lookup } from './port.ts';

/**
 * Asks a provider about a charge that it may have taken. If its account doesn't know the charge, customer or method
 * (most likely because the configuration has the keys of another account), nobody can say what became of the money: it
 * is asked again once a day, as without any keys.
 *
 * @param isUnknown whether an error says that there is no such charge, customer or method
 */
export async function askedAgain<T extends ChargeOutcome | null>(
  ask: () => Promise<T>,
  isUnknown: (error: unknown) => boolean,
  { now }: Lookup,
): Promise<T | ChargeOutcome> {
  try {
    return await ask();
  } catch (error) {
    if (isUnknown(error)) return { status: 'pending', reference: null, askAgainAt: now + DAY, reason: 'unknown_at_provider' };
    throw error;
  }
}
