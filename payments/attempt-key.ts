import type { ProviderName } from './port.ts';

const AUTHORIZE_LENGTH = 20;

/**
 * An attempt's idempotency key in the form its provider takes, whether or not that provider has its keys here at this
 * moment. `authorize` takes 20 characters: the random end of the attempt's id.
 */
export const attemptKey = (provider: ProviderName, attemptId: string): string =>
  provider === 'authorize' ? attemptId.replaceAll('-', '').slice(-AUTHORIZE_LENGTH) : attemptId;
