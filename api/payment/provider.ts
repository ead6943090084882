import type { ProviderName } from '../../billing/payment/types.ts';
import type { Provider } from '../../payments/port.ts';
import { OutcomeUnknown, ProviderNotConfigured, ProviderUnavailable } from '../../payments/problem.ts';
import type { Providers } from '../../payments/providers.ts';
import { Problem } from '../http/problem.ts';

/** The provider; a 409 when it has no keys in this installation. */
export function providerOf(providers: Providers, name: ProviderName): Provider {
  try {
    return providers.get(name);
  } catch (error) {
    throw asProblem(error);
  }
}

const asProblem = (error: unknown): unknown =>
  error instanceof ProviderNotConfigured ? new Problem('provider_not_configured', error.message) : error;

/**
 * Calls a provider while the caller waits: without a response nothing has been written yet, so a 503 is safe to repeat.
 */
export async function callProvider<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (cause) {
    if (cause instanceof OutcomeUnknown || cause instanceof ProviderUnavailable) {
      throw new Problem('unavailable', 'The payment provider does not answer.', { retryAfter: 5, cause });
    }
    throw asProblem(cause);
  }
}
