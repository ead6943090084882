import { dec } from '../money/decimal.ts';
import type { Line } from './types.ts';

/** Lines that wait for an invoice, without those that undo each other. */
export interface LinesLeft<L extends Line> {
  left: L[];
  undone: L[];
}

/**
 * Takes out of lines that wait for an invoice those that undo each other: a charge with the credit that gives back all
 * of it, and a credit with a charge that goes on with what it gave back, at the same price and to the same ends.
 *
 * @param lines in the order in which they were made
 * @param hasEnded the contract has ended, so that nothing is charged beyond a known end that cut lines
 * @example
 * const june = { start: at('2025-06-01'), end: at('2025-07-01') };
 * const [line] = chargeLines([charge(price('100'), { span: june })], context());
 * const place = { contractId: 'Cont_2', newId, dueDate: june.start };
 * const credit = creditLine(line, FULL, june.start, place);
 * withoutUndone([line, credit], false).left // []
 */
export function withoutUndone<L extends Line>(lines: readonly L[], hasEnded: boolean): LinesLeft<L> {
  const undone = new Set<L>();
  const credits = lines.filter(({ kind }) => kind === 'credit');
  if (credits.length === 0) return { left: [...lines], undone: [] };
  const takeOut = (credit: L, charge: L | undefined): boolean => {
    if (charge !== undefined) undone.add(credit).add(charge);
    return charge !== undefined;
  };
  // thousands of changes may wait for one invoice: no credit looks at all of their charges
  const byId = new Map(lines.flatMap((line) => (line.kind === 'credit' ? [] : [[line.id, line]])));
  for (const credit of credits) {
    const charge = byId.get(credit.creditOf ?? '');
    if (charge !== undefined && !undone.has(charge) && isNegative(credit, charge)) takeOut(credit, charge);
  }
  const alike = Map.groupBy(
    lines.filter((line) => line.kind !== 'credit' && !undone.has(line)),
    sizeOf,
  );
  // of a line that was given back in parts the latest first: while that stays, a change gives nothing of the line back
  const stays = new Set<string | null>();
  for (const credit of credits.toReversed()) {
    if (undone.has(credit) || stays.has(credit.creditOf)) continue;
    const charges = alike.get(sizeOf(credit)) ?? [];
    const at = charges.findIndex((charge) => goesOn(credit, charge, hasEnded) && isNegative(credit, charge));
    if (!takeOut(credit, at < 0 ? undefined : charges.splice(at, 1)[0]) && !hasEnded) stays.add(credit.creditOf);
  }
  return { left: lines.filter((line) => !undone.has(line)), undone: [...undone] };
}

/** The same for a credit and for a charge that may go on with just what it gave back. */
const sizeOf = ({ source, span, unitCount, totalExcludingTax }: Line): string =>
  `${source} ${span?.end} ${unitCount} ${dec(totalExcludingTax).abs()}`;

const AMOUNTS = ['unitPrice', 'subtotal', 'discountAmount', 'totalExcludingTax', 'taxAmount', 'totalIncludingTax'] as const;

function isNegative(credit: Line, charge: Line): boolean {
  return AMOUNTS.every((field) => dec(credit[field]).plus(charge[field]).isZero()) && credit.unitCount === charge.unitCount;
}

/**
 * Whether a charge pays for time that a credit has given back, from then or later to the same end. Where a known end of
 * the contract has cut both, their natural periods must end together, unless the contract has ended: if that end is
 * taken back, each goes on to its own.
 */
function goesOn(credit: Line, charge: Line, hasEnded: boolean): boolean {
  const [given, span] = [credit.span, charge.span];
  // a difference pays for no time alone, but beside the line it was computed from
  if (given === null || span === null || charge.kind === 'one_off' || charge.derivation.type !== 'charge') return false;
  const isSame = charge.source === credit.source && charge.currency === credit.currency && charge.taxCode === credit.taxCode;
  const isSameEnd = given.end === span.end && (hasEnded || credit.derivation.naturalEnd === charge.derivation.naturalEnd);
  return isSame && isSameEnd && span.start >= given.start;
}
