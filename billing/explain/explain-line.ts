import type { LineAmounts } from '../invoice/line.ts';
import type { Derivation, Line } from '../invoice/types.ts';
import { fail } from '../problem.ts';
import type { LineDerivation } from './derivation.ts';
import { recomputeLine } from './recompute.ts';
import {
  chargeSentences,
  correctionSentences,
  creditSentences,
  differenceSentences,
  purchaseSentences,
  ruleSentence,
  walletSentences,
} from './sentences.ts';

/**
 * Why a line says what it says: its derivation, the same in sentences, and its amounts next to those computed again
 * from the derivation.
 */
export interface Explanation {
  lineId: string;
  name: string;
  kind: Line['kind'];
  amounts: LineAmounts;
  recomputed: LineAmounts;
  sentences: string[];
  derivation: LineDerivation;
}

const TYPES: readonly LineDerivation['type'][] = ['charge', 'credit', 'correction', 'difference', 'wallet', 'purchase'];

/**
 * Explains a line from its stored derivation alone, whatever its price and contract are today.
 *
 * @throws BillingError `unknown_derivation` when the line has no such derivation
 * @example
 * const [line] = chargeLines([charge(price('300'), { ratio: { part: 1, whole: 2 } })], context());
 * explainLine(line).recomputed.subtotal // '150.00'
 */
export function explainLine(line: Line): Explanation {
  const derivation = readDerivation(line.derivation);
  const { subtotal, discountAmount, totalExcludingTax, taxAmount, totalIncludingTax } = line;
  return {
    lineId: line.id,
    name: line.name,
    kind: line.kind,
    amounts: { subtotal, discountAmount, totalExcludingTax, taxAmount, totalIncludingTax },
    recomputed: recomputeLine(derivation),
    sentences: [...sentencesOf(derivation, line), ...ruleSentence(derivation.rule)],
    derivation,
  };
}

/**
 * The typed shape of a line's stored derivation.
 *
 * @throws BillingError `unknown_derivation`
 */
export function readDerivation(derivation: Derivation): LineDerivation {
  if (!isLineDerivation(derivation)) return fail('derivation', 'unknown_derivation', `give one of ${TYPES.join(', ')}`);
  return derivation;
}

function isLineDerivation(derivation: object): derivation is LineDerivation {
  return 'type' in derivation && TYPES.some((type) => type === derivation.type);
}

function sentencesOf(derivation: LineDerivation, line: Line): string[] {
  switch (derivation.type) {
    case 'charge':
      return chargeSentences(derivation, line);
    case 'credit':
      return creditSentences(derivation, line);
    case 'correction':
      return correctionSentences(derivation, line);
    case 'difference':
      return differenceSentences(derivation, line);
    case 'wallet':
      return walletSentences(derivation, line);
    case 'purchase':
      return purchaseSentences(derivation);
  }
}
