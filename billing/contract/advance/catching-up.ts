import type { Instant } from '../../calendar/instant.ts';
import type { Pause } from '../../calendar/pauses.ts';
import { fail } from '../../problem.ts';
import { periodIdxAt } from '../period/periods.ts';
import { triggeredSources } from '../period/sources.ts';
import { CUSTOM_TRIGGERS, plannedTrialEnd } from '../period/time.ts';
import type { Contract } from '../types.ts';

/**
 * The most instants of one contract that one computation carries out. Further computations do the rest, so that other
 * contracts don't wait for a late one.
 */
export const MOST_INSTANTS = 50;

/**
 * The most instants that one computation carries out for this contract. It is one where credits of the plan roll over:
 * how much of a cycle's credits is left is known only once that cycle's invoice is written and paid.
 */
export const mostInstantsOf = ({ terms }: Pick<Contract, 'terms'>): number => (terms.credits?.rolloverMaximum ? 1 : MOST_INSTANTS);

/** The most boundaries that may lie between an activation and the signing. */
const MOST_BOUNDARIES = 400;

const SHORTEST_MONTH = 28 * 86_400_000;

/** More is due for a contract than one computation carries out: requests have to wait until it has been advanced. */
export class CatchingUp extends Error {
  readonly contractId: string;

  constructor(contractId: string) {
    super(`more than ${MOST_INSTANTS} instants are due for ${contractId}`);
    this.name = 'CatchingUp';
    this.contractId = contractId;
  }
}

/**
 * Refuses to sign a contract whose activation is too long ago: each boundary since then would be invoiced at once.
 *
 * @throws BillingError `activation_too_early`
 */
export function requireRecentActivation(contract: Contract, pauses: Pause[], now: Instant): void {
  const { activation, terms } = contract;
  if (activation === null || activation >= now) return;
  const hasRhythm = CUSTOM_TRIGGERS.some((trigger) => triggeredSources(terms, trigger).length > 0);
  const charges = hasRhythm ? Math.floor((now - activation) / SHORTEST_MONTH) : 0;
  const start = plannedTrialEnd(activation, contract.trialDays) ?? activation;
  const begun: Contract = { ...contract, start, firstCycle: 0 };
  const field = contract.start === null ? 'activation' : 'billed_until';
  const boundaries = Math.max(start >= now ? 0 : periodIdxAt(begun, pauses, now) - 1, charges);
  if (boundaries <= MOST_BOUNDARIES) return;
  fail(
    field,
    'activation_too_early',
    `give an instant at most ${MOST_BOUNDARIES} billing cycles back; ${boundaries} have passed since this one`,
  );
}
