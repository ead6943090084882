import { type Decimal, parseDecimal, ZERO } from '../money/decimal.ts';
import { BillingError, type FieldProblem } from '../problem.ts';

/**
 * Reads a quantity that came from outside: plain decimal text of zero or more.
 *
 * @returns the units, or what is wrong with them
 * @example parseUnits('12.50', 'units').units // '12.5'
 */
export function parseUnits(input: string, field: string): { units: Decimal; problems: FieldProblem[] } {
  try {
    const units = parseDecimal(input, field);
    if (units.gte(0)) return { units, problems: [] };
    return { units: ZERO, problems: [{ field, code: 'negative', message: 'give zero or more' }] };
  } catch (error) {
    if (!(error instanceof BillingError)) throw error;
    return { units: ZERO, problems: error.problems };
  }
}
