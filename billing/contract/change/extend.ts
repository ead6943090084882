import type { Instant } from '../../calendar/instant.ts';
import { type Pause, runningTime } from '../../calendar/pauses.ts';
import type { ChargeDerivation } from '../../explain/derivation.ts';
import { type Charge, chargeLines } from '../../invoice/charge.ts';
import type { ChargedLine } from '../../invoice/types.ts';
import { restCharge } from '../charge/charges.ts';
import { earlier, knownEnd } from '../period/known-end.ts';
import type { Contract } from '../types.ts';
import { putContract, type Work } from '../work.ts';
import { creditOn } from './change-credits.ts';
import { chargedUntil } from './charged-ahead.ts';
import { giveBack } from './give-back.ts';
import { nextOf, type Paying, payingLines } from './paying.ts';

/** A line that a change charged only up to an end of the contract that has since been taken back or moved. */
interface Open {
  line: ChargedLine;
  charged: ChargeDerivation;
  /** the time to charge now */
  span: { start: Instant; end: Instant };
  naturalEnd: Instant;
}

/**
 * After a cancellation was taken back or put off: what changes had charged only up to the old end is charged on, up to
 * the natural end of the line or the end that is known now. Each line is charged on at its own price, also a line that
 * a later change let go on. What old prices had charged for that time is given back, even if no new price replaces
 * them, or one with shorter cycles does. Credits of the plan follow.
 *
 * @example
 * const story = signs('2025-06-01', plan('pro', { price: '30' }));
 * const request = { when: { type: 'date', date: at('2025-06-21') }, credit: false, notes: null };
 * story.does('2025-06-05', (snapshot, now, newId) => planCancellation(snapshot, request, now, newId));
 * changes(story, '2025-06-11', toPlan(plan('max', { price: '300' })));
 * invoicesOf(story).at(-1) // '2025-06-11 90.00: credit plan -10.00, plan 100.00'
 * const work = workOn(story, '2025-06-15');
 * amend(work, { cancellation: null });
 * extend(work, at('2025-06-15'));
 * work.fresh.map(({ subtotal }) => subtotal) // ['-10.00', '100.00']
 */
export function extend(work: Work, at: Instant): void {
  const { snapshot } = work;
  chargeOn(work, snapshot.contract, at, payingLines(snapshot, snapshot.contract, at));
  creditOn(work, at);
}

/**
 * The same for a change that puts off the end of the contract or removes it: charges on the lines that paid before the
 * change and go on.
 *
 * @param contract the contract that the lines go on to pay for; its invoice takes up what is given back
 * @param paying the lines that paid up to the change
 * @example
 * const yearly = (amount, more) => plan('p', { features: { care: ['year', price(amount)] }, ...more });
 * const story = signs('2025-06-01', yearly('365'));
 * const request = { when: { type: 'end_of_cycle' }, credit: false, notes: null };
 * story.does('2025-06-05', (snapshot, now, newId) => planCancellation(snapshot, request, now, newId));
 * changes(story, '2025-06-11', toPlan(yearly('730')));
 * const work = workOn(story, '2025-06-15');
 * const { contract } = work.snapshot;
 * const lasting = { ...contract, cancellation: null };
 * chargeOn(work, lasting, at('2025-06-15'), payingLines(work.snapshot, contract, at('2025-06-15')));
 * work.fresh.map(({ subtotal }) => subtotal) // ['-335.00', '670.00']
 */
export function chargeOn(work: Work, contract: Contract, at: Instant, paying: readonly Paying[]): void {
  const { customer, tax } = work.snapshot;
  const known = knownEnd(contract, customer.pauses);
  const open = openUntil(known, paying);
  // what lines that no longer pay had charged for that time; not beyond the end, since the next cycle is charged whole
  const except = new Set(paying.map(({ line }) => line.id));
  giveBack(work, contract, at, { except, until: known, untilOf: chargedUntil(work, contract, at, known) });
  const context = { currency: contract.terms.currency, tax, discount: null, newId: work.newId };
  const charges = open.map((one) => chargeOf(contract, customer.pauses, at, one));
  const lines = chargeLines(charges, context);
  work.fresh.push(...lines);
  const { carried } = contract;
  const goesOn = new Set(carried.goesOn);
  // one line for each charge, in their order
  const going = lines.filter((_, index) => goesOn.has(open[index]?.line.id ?? ''));
  if (going.length > 0)
    putContract(work, { ...contract, carried: { ...carried, goesOn: [...carried.goesOn, ...going.map(({ id }) => id)] } });
}

function openUntil(known: Instant | null, paying: readonly Paying[]): Open[] {
  return paying.flatMap((one): Open[] => {
    const { line, charged, end, naturalEnd } = one;
    if (charged === null || naturalEnd === null || nextOf(one, paying) !== undefined) return [];
    const to = earlier(naturalEnd, known) ?? naturalEnd;
    return to <= end ? [] : [{ line, charged, span: { start: end, end: to }, naturalEnd }];
  });
}

/** A share of the line's own natural period, whatever the rhythm of the contract is now. */
function chargeOf(contract: Contract, pauses: Pause[], at: Instant, { line, charged, span, naturalEnd }: Open): Charge {
  const ratio = { part: runningTime(span.start, span.end, pauses), whole: charged.ratio.whole };
  const occasion = { at, span, ratio, idx: contract.currentIdx ?? 1 };
  return restCharge(contract, line, charged, { ...occasion, naturalEnd: span.end === naturalEnd ? null : naturalEnd });
}
