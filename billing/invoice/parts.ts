import type { ChargeDerivation } from '../explain/derivation.ts';
import { dec, sum, text } from '../money/decimal.ts';
import type { BilledParts, ChargedSum, Line } from './types.ts';

type Place = Pick<Line, 'contractId' | 'periodIdx' | 'source'>;

const isIn = (place: Place, other: Place): boolean =>
  place.contractId === other.contractId && place.periodIdx === other.periodIdx && place.source === other.source;

/** The number of the next line that charges usage of a period before it closes. */
export const nextPart = (place: Place, billed: readonly BilledParts[]): number => (billed.find((one) => isIn(one, place))?.upTo ?? 0) + 1;

/**
 * What parts before a line of the same period have charged, voided ones included, by tax rule: amounts in the
 * contract's currency, none where no part was.
 *
 * @example
 * const offer = plan('pro', { features: { calls: usage('1') } });
 * const story = signs('2025-01-01', offer, { configuration: { invoiceThreshold: '100.00' } });
 * for (const units of ['110', '120']) {
 *   story.uses('2025-01-05', 'calls', units);
 *   story.does('2025-01-05', planThreshold);
 * }
 * const [first, second] = story.ledger.lines.values();
 * const billed = [first, second].reduce(withPart, []);
 * chargedBefore(second, billed).map(({ unitCount, subtotal }) => `${unitCount}: ${subtotal}`) // ['230: 230']
 * chargedBefore({ ...second, periodIdx: 2 }, billed) // []
 */
export function chargedBefore(place: Place, billed: readonly BilledParts[]): readonly ChargedSum[] {
  return billed.find((one) => isIn(one, place))?.sums ?? [];
}

/** The parts of periods once a line that is one of them is written. */
export function withPart(billed: readonly BilledParts[], line: Line): BilledParts[] {
  const { contractId, periodIdx, source, id: last } = line;
  const { part } = line.derivation as Partial<ChargeDerivation>;
  if (part === undefined || contractId === null || periodIdx === null) throw new Error(`the line ${last} is no part of a usage period`);
  const before = billed.find((one) => isIn(one, line));
  const own = { voided: [], ...before, contractId, periodIdx, source, last, upTo: part.number, sums: part.sums };
  return [...billed.filter((one) => one !== before), own];
}

/** What of a line says how it is taxed. */
export type TaxRuleOfLine = Pick<Line, 'taxPolicy' | 'taxRate' | 'taxCode' | 'reverseCharge'>;

/** Whether the tax of two lines is computed as that of one. */
export const isTaxedAlike = (line: TaxRuleOfLine, other: TaxRuleOfLine): boolean =>
  line.taxPolicy === other.taxPolicy &&
  line.taxRate === other.taxRate &&
  line.taxCode === other.taxCode &&
  line.reverseCharge === other.reverseCharge;

/**
 * The sums by tax rule once a line has charged too: amounts in the currency of both, added exactly and not rounded
 * again. What was charged under another rate stays a sum of its own.
 *
 * @example
 * const line = (subtotal, taxAmount, taxRate) => {
 *   const more = { unitCount: '1', totalExcludingTax: subtotal, totalIncludingTax: '0' };
 *   return { subtotal, taxAmount, taxRate, ...more };
 * };
 * const sums = [line('33.33', '6.33', '0.19'), line('33.44', '6.36', '0.19'), line('10', '0.70', '0.07')].reduce(addedTo, []);
 * sums.map(({ taxRate, subtotal, taxAmount }) => [taxRate, subtotal, taxAmount]) // [['0.19', '66.77', '12.69'], ['0.07', '10', '0.70']]
 */
export function addedTo(sums: readonly ChargedSum[], line: ChargedSum): ChargedSum[] {
  const alike = sums.find((one) => isTaxedAlike(one, line));
  const more = (field: 'unitCount' | 'subtotal' | 'totalExcludingTax' | 'taxAmount' | 'totalIncludingTax'): string =>
    alike === undefined ? line[field] : text(sum([dec(alike[field]), dec(line[field])]));
  const { taxPolicy, taxRate, taxCode, reverseCharge } = line;
  const own: ChargedSum = {
    ...{ taxPolicy, taxRate, taxCode, reverseCharge },
    unitCount: more('unitCount'),
    subtotal: more('subtotal'),
    totalExcludingTax: more('totalExcludingTax'),
    taxAmount: more('taxAmount'),
    totalIncludingTax: more('totalIncludingTax'),
  };
  return [...sums.filter((one) => one !== alike), own];
}

/**
 * Whether a line was computed with a part of usage as charged before it: the part had been written by then and wasn't
 * voided. The line's `billed` names the parts that it counted as charged.
 */
export function hasBilled(
  { places }: Pick<NonNullable<ChargeDerivation['billed']>, 'places'>,
  { contractId, periodIdx, number }: Pick<Line, 'contractId' | 'periodIdx'> & { number: number },
): boolean {
  return places.some(
    (place) =>
      place.contractId === contractId && place.idx === periodIdx && number <= place.upTo && !(place.without ?? []).includes(number),
  );
}
