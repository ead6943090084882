import { DAY } from '../../billing/calendar/instant.ts';
import { isAbandoned } from '../../billing/payment/second-step.ts';
import type { ChargeOutcome } from '../../billing/payment/types.ts';
import type { Provider } from '../../payments/port.ts';
import { OutcomeUnknown } from '../../payments/problem.ts';
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
    const known = call.calledAt === null ? null : await ask(provider, call);
    return known ?? (call.over === null ? provider.charge(call) : neverGot(provider, call, call.over));
  };

/**
 * The outcome of a charge that nothing waits for any more and that its provider doesn't know: it will not be sent
 * again.
 */
function neverGot({ name, shownWithin = 0 }: Provider, { calledAt }: ProviderCall, reason: string): ChargeOutcome {
  if (Date.now() < (calledAt ?? 0) + shownWithin) throw new OutcomeUnknown(`${name} may not show this charge yet.`);
  return { status: 'failed', reference: null, reason, retryable: false };
}

/**
 * Without the provider's keys, a charge that was never begun has failed; one that the provider may have taken stays
 * open until the provider can be asked.
 */
function withoutKeys({ calledAt, reference, now }: ProviderCall): ChargeOutcome {
  const reason = 'provider_not_configured';
  if (calledAt === null) return { status: 'failed', reference: null, reason, retryable: true };
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
