import { DAY } from '../../billing/calendar/instant.ts';
import { isAbandoned } from '../../billing/payment/second-step.ts';
import type { ChargeOutcome } from '../../billing/payment/types.ts';
import type { Provider } from '../../payments/port.ts';
import { beginCall, type ProviderCall } from '../../services/payment/begin-call.ts';
import type { AttemptRef, Charged } from '../../workflows/payment/messages.ts';
import type { ActivityDependencies } from '../dependencies.ts';

/**
 * One charge. Where the provider may have been called before, it is asked first, so that money is never taken twice; a
 * charge it never got is sent again with the same key. An unknown outcome is thrown, so that the next try asks. Without
 * the provider's keys it doesn't try for ever: a test clock would stand still.
 */
export const chargeAttempt =
  ({ db, payments }: ActivityDependencies) =>
  async ({ attemptId }: AttemptRef): Promise<Charged> => {
    const call = await db.transaction((tx) => beginCall(tx, attemptId, payments.providers.has));
    if (call === 'ended' || call === 'given_up') return { status: call };
    if (!payments.providers.has(call.provider)) return withoutKeys(call);
    const provider = payments.providers.get(call.provider);
    const known = call.asked ? await ask(provider, call) : null;
    // its provider never got it, and nothing waits for it any more
    if (known === null && call.over !== null) return { status: 'failed', reference: null, reason: call.over, retryable: false };
    return known ?? provider.charge(call);
  };

/**
 * Without the provider's keys, a charge that was never begun has failed; one that the provider may have taken stays
 * open until the provider can be asked.
 */
function withoutKeys({ asked, reference, now }: ProviderCall): ChargeOutcome {
  const reason = 'provider_not_configured';
  if (!asked) return { status: 'failed', reference: null, reason, retryable: true };
  return { status: 'pending', reference, askAgainAt: now + DAY, reason };
}

/**
 * A charge that the customer hasn't confirmed in time is ended, so that the invoice can be paid in another way, and so
 * is one that nothing waits for any more. A payment gate has a time limit of its own.
 */
async function ask(provider: Provider, { key, reference, method, now, created, pays, over }: ProviderCall): Promise<ChargeOutcome | null> {
  const lookup = { key, reference, method, now };
  const outcome = await provider.lookup(lookup);
  const isOver = over === null ? pays === 'invoice' && isAbandoned(outcome, created, now) : outcome?.status === 'pending';
  return provider.secondStep !== undefined && isOver ? provider.secondStep.giveUp(lookup) : outcome;
}
