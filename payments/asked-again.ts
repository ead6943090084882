import { DAY } from '../billing/calendar/instant.ts';
import type { ChargeOutcome, Lookup } from './port.ts';

/**
 * What a provider says of a charge that it may have taken. Where its account doesn't have what the charge is known by,
 * most likely since the keys of another account are in the configuration, nobody can say what became of the money: it
 * is asked once a day, as without any keys.
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
