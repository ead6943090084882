import type { AgendaKind } from '../../billing/contract/types.ts';

/** The row for a look at a contract's invoice threshold, once nothing holds early invoices back any more. */
export const USAGE_THRESHOLD = 'usage_threshold';

/**
 * The kinds of agenda rows of a contract itself. Rows of other kinds (payments, sessions) may name the contract too and
 * are left alone.
 */
export const CONTRACT_KINDS: readonly (AgendaKind | typeof USAGE_THRESHOLD)[] = [
  'usage_closing',
  'cancellation',
  'expiration',
  'trial_cancellation',
  'scheduled_change',
  'trial_end',
  'activation',
  'boundary',
  'custom_charge',
  'trial_ending',
  USAGE_THRESHOLD,
];
