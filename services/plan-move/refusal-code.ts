import { BillingError } from '../../billing/problem.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { MoveRefusalCode } from '../../db/entities/plan-move.ts';
import { mayPass } from '../../db/fault.ts';

/**
 * The code under which a contract is listed that can't be changed.
 *
 * @returns null for what passes, such as a database that is away, or a change of the contract that is running
 */
export function refusalCodeOf(error: unknown): MoveRefusalCode | null {
  if (error instanceof Refusal) return PASSING.has(error.code) ? null : error.code;
  if (error instanceof BillingError) return 'invalid_request';
  return mayPass(error) ? null : 'internal_error';
}

const PASSING: ReadonlySet<string> = new Set(['change_in_progress', 'clock_advancing']);
