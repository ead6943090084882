import { OutcomeUnknown, ProviderNotConfigured, ProviderUnavailable } from '../../payments/problem.ts';

/** Whether a call failed because its provider has no keys here. */
export const isProviderMissing = (error: unknown): error is Error => error instanceof ProviderNotConfigured;

/** Whether a call failed because its provider has no keys here or doesn't answer. */
export const isProviderAway = (error: unknown): boolean =>
  isProviderMissing(error) || error instanceof OutcomeUnknown || error instanceof ProviderUnavailable;
