import { OutcomeUnknown, ProviderNotConfigured, ProviderUnavailable } from '../../payments/problem.ts';

/** Whether a call failed because its provider has no keys here or doesn't answer. */
export const isProviderAway = (error: unknown): boolean =>
  error instanceof ProviderNotConfigured || error instanceof OutcomeUnknown || error instanceof ProviderUnavailable;
