import type { Instant } from '../../calendar/instant.ts';
import { FULL } from '../../calendar/ratio.ts';
import { customRhythm, indexOf } from '../../calendar/rhythm.ts';
import { type Charge, chargeLines } from '../../invoice/charge.ts';
import { dec } from '../../money/decimal.ts';
import { discountIn } from '../period/cycles-left.ts';
import { paidBounds, paidShare } from '../period/known-end.ts';
import { triggeredSources } from '../period/sources.ts';
import { CUSTOM_TRIGGERS, customBounds, rhythmOf } from '../period/time.ts';
import type { ContractSnapshot } from '../types.ts';
import { amend, type Work } from '../work.ts';
import { customCharges, recurringCharges } from './charges.ts';
import { addGrant } from './plan-credits.ts';

/**
 * Adds the lines of an imported contract that another system has charged for time that isn't over: as this one would
 * have, with the prices, the discount and the taxes of now. They are on no invoice and nobody pays them here; a change
 * or a cancellation gives back what is unused of them, as of any other line.
 *
 * @example
 * const work = workOn(signs('2025-06-01', plan('pro', { price: '30' })), '2025-06-16');
 * addChargedElsewhere(work, at('2025-06-16'));
 * work.lines.map(({ chargeKey, subtotal, elsewhere }) => [chargeKey, subtotal, elsewhere]) // [['cycle:1:plan', '30.00', true]]
 * work.fresh // []
 */
export function addChargedElsewhere(work: Work, at: Instant): void {
  addElsewhere(work, [...recurring(work.snapshot), ...custom(work.snapshot, at)], at);
}

/**
 * Gives what is left of the credits that another system has given with the running cycle; they live as long as those
 * that this one would have given.
 *
 * @example
 * const credits = { amount: '50', expiresAfterCycles: 1, rolloverMaximum: null };
 * const work = workOn(signs('2025-06-01', plan('pro', { credits })), '2025-06-16');
 * amend(work, { carried: { ...work.snapshot.contract.carried, creditsElsewhere: '20' } });
 * grantLeftElsewhere(work, at('2025-06-16'));
 * work.grants.map(({ amount, expiresAt }) => [amount, expiresAt]) // [['20.00', at('2025-07-01')]]
 */
export function grantLeftElsewhere(work: Work, at: Instant): void {
  const { contract } = work.snapshot;
  const { creditsElsewhere, ...carried } = contract.carried;
  if (creditsElsewhere === undefined) return;
  addGrant(work, amend(work, { carried }), { idx: contract.currentIdx ?? 1, at, amount: dec(creditsElsewhere) });
}

/** The same for a contract whose first cycle here is charged here: only its month, quarter and year lines are added. */
export const addCustomElsewhere = (work: Work, at: Instant): void => addElsewhere(work, custom(work.snapshot, at), at);

function addElsewhere(work: Work, charges: readonly Charge[], at: Instant): void {
  const { contract, customer, tax } = work.snapshot;
  const discount = discountIn(contract, contract.currentIdx ?? 1, customer.pauses);
  // earlier freezes have moved the spans already
  const known = charges.map((one) => ({ ...one, setAt: at }));
  const made = chargeLines(known, { currency: contract.terms.currency, tax, discount, newId: work.newId });
  const lines = made.map((line) => ({ ...line, elsewhere: true }));
  work.lines.push(...lines);
  const running = lines.filter(({ span }) => span?.end != null).map((line) => ({ ...line, invoiceId: null }));
  work.snapshot = { ...work.snapshot, running: [...work.snapshot.running, ...running] };
}

function recurring({ contract, customer: { pauses } }: ContractSnapshot): Charge[] {
  const idx = contract.currentIdx ?? 1;
  const span = paidBounds(contract, idx, pauses);
  const ratio = paidShare(contract, idx, span.start, span.end, pauses);
  return recurringCharges(contract, { at: span.start, span, ratio, idx }, false);
}

/** Month, quarter and year charges whose time runs, or was paid for ahead. */
function custom({ contract, customer: { pauses } }: ContractSnapshot, at: Instant): Charge[] {
  const { start } = rhythmOf(contract, pauses);
  return CUSTOM_TRIGGERS.filter((trigger) => triggeredSources(contract.terms, trigger).length > 0).flatMap((trigger) => {
    const first = indexOf(customRhythm(start, trigger, pauses), at);
    const count = Math.max(0, contract.customCharged[trigger] - first + 1);
    return Array.from({ length: count }, (_, index) => first + index).flatMap((k) => {
      const span = customBounds(contract, trigger, k, pauses);
      const charges = customCharges(contract, trigger, k, { at: span.start, span, ratio: FULL, idx: contract.currentIdx }, false);
      return charges.map((one) => ({ ...one, occurrence: { start, trigger, k } }));
    });
  });
}
