import type { ErrorCode } from '../http/errors.ts';

/** Why a decision about a contract that goes on can be refused, whatever it decides. */
export const decisionErrors: readonly ErrorCode[] = [
  'contract_not_found',
  'contract_state',
  'awaiting_payment',
  'contract_not_live',
  'customer_frozen',
  'clock_advancing',
  'change_in_progress',
];
