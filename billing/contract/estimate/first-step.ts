import type { Instant } from '../../calendar/instant.ts';
import { advance } from '../advance/advance.ts';
import { MOST_INSTANTS } from '../advance/catching-up.ts';
import type { Contract, ContractSnapshot, NewId, Outcome } from '../types.ts';

/** The taxes of what is computed only for its dates, or shown without tax. */
export const UNTAXED: ContractSnapshot['tax'] = {
  policy: 'tax_excluded',
  rates: [],
  sellerCountry: null,
  country: null,
  state: null,
  vatId: null,
};

/**
 * The first step of a contract that was just signed, before anything is written: what signing writes beside the
 * contract itself.
 *
 * @param around the customer and its taxes
 * @param instants the most that signing carries out of what has been due since the activation
 * @example
 * const { contract } = planSigning(signRequest(plan('pro', { price: '100' })), at('2025-01-01'), { newId });
 * const { customer, tax } = signs('2025-01-01', plan('pro')).does('2025-01-01', advance).snapshot;
 * firstStep(contract, { customer, tax }, at('2025-01-01'), newId).effects.invoices[0].total // '100.00'
 */
export function firstStep(
  contract: Contract,
  around: Pick<ContractSnapshot, 'customer' | 'tax'>,
  now: Instant,
  newId: NewId,
  { instants = MOST_INSTANTS }: { instants?: number } = {},
): Outcome {
  return advance(justSigned(contract, around, now), now, newId, { instants });
}

/** A contract of which there is nothing yet but itself. */
export function justSigned(
  contract: Contract,
  { customer, tax }: Pick<ContractSnapshot, 'customer' | 'tax'>,
  now: Instant,
): ContractSnapshot {
  const nothing = { successor: null, periods: [], usage: [], earlier: [], running: [], waiting: [], corrections: [], billed: [] };
  return { contract, customer, tax, ...nothing, now };
}
