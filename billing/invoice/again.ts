import type { Instant } from '../calendar/instant.ts';
import type { ChargeDerivation, CorrectionDerivation } from '../explain/derivation.ts';
import { type Decimal, dec, ZERO } from '../money/decimal.ts';
import { hasBilled } from './parts.ts';
import type { Line } from './types.ts';

type Since = Pick<Line, 'id' | 'kind' | 'creditOf' | 'periodIdx' | 'source' | 'derivation' | 'contractId'>;

/** A line of a voided invoice, and what has been written since of the same charge; none of `since` is voided. */
export interface VoidedLine {
  line: Pick<Line, 'id' | 'kind' | 'creditOf' | 'periodIdx' | 'source' | 'derivation' | 'contractId'>;
  /** it was put on a further invoice already, which may be voided too */
  isTaken: boolean;
  since: readonly Since[];
  /** of a correction: no other was ever written of its usage, which goes on in no other contract */
  isOnlyCorrection?: boolean;
  /** of a correction: the sum of the subtotals that usage of its period and source charges by now */
  charged?: Decimal;
  /** when the time that it pays for ends, where freezes have moved that; null for a line without an end */
  end: Instant | null;
  /** when its time was over with its contract, or with a later one in which it went on; null while it goes on */
  ended: Instant | null;
}

/**
 * Why a line of a voided invoice can't be put on another one: nothing may be charged or given back a second time, and
 * no time may be charged that the contract didn't last.
 *
 * @returns null where it can
 */
export function whyNotAgain({ line, isTaken, since, isOnlyCorrection = false, charged, end, ended }: VoidedLine): string | null {
  if (isTaken) return 'was invoiced again already';
  if (line.kind === 'correction') return isOnlyCorrection && isStillCorrect(line, charged) ? null : CHARGED_BY_CORRECTION;
  if (line.kind === 'credit' && since.some(({ creditOf }) => creditOf === line.creditOf)) return 'is given back by another item';
  const usage = since.filter((one) => isUsage(one) && one.source === line.source);
  if (isUsage(line) && usage.some((one) => isSamePeriod(one, line) && !isBilled(one, line) && !isBilled(line, one)))
    return CHARGED_BY_CORRECTION;
  if (line.derivation.soFar === true && !isTakenForCharged(line, usage)) return 'is charged with what is left of its usage period';
  const isForTime = line.kind === 'recurring' || line.kind === 'custom';
  if (isForTime && ended !== null && end !== null && ended < end) return 'is for time after the end of its contract';
  return null;
}

const CHARGED_BY_CORRECTION = 'is charged by a correction';

/**
 * A correction is the difference to what was charged when it was written: it is still right if exactly that is charged
 * now.
 */
function isStillCorrect({ derivation }: VoidedLine['line'], charged = ZERO): boolean {
  const { charged: then } = derivation as Partial<CorrectionDerivation>;
  return then !== undefined && charged.eq(dec(then));
}

const isSamePeriod = (one: Since, { contractId, periodIdx }: Since): boolean =>
  one.contractId === contractId && one.periodIdx === periodIdx;

/** Whether `later` was computed as the rest of a usage period of which `line` had charged a part. */
function isBilled(line: Pick<Line, 'contractId' | 'periodIdx' | 'derivation'>, later: Pick<Line, 'derivation'>): boolean {
  const { part } = line.derivation as Partial<ChargeDerivation>;
  const { billed } = later.derivation as Partial<ChargeDerivation>;
  return part !== undefined && billed !== undefined && hasBilled(billed, { ...line, number: part.number });
}

/**
 * Whether later lines still count this part as charged before them. After a part is voided, the next line of its usage
 * charges its amount too, and then it must not be charged again.
 */
function isTakenForCharged(line: VoidedLine['line'], usage: readonly Since[]): boolean {
  const takers = usage.filter((one) => isBilled(line, one));
  const isLater = (one: Since): boolean =>
    takers.some((taker) => isBilled(taker, one) || (one.kind === 'correction' && isSamePeriod(one, taker)));
  return takers.length > 0 && !usage.some((one) => !takers.includes(one) && isLater(one));
}

const isUsage = ({ kind }: Pick<Line, 'kind'>): boolean => kind === 'usage' || kind === 'correction';

const AGAIN = /^(.*):again:(\d+)$/;

/** The charge key that a line had first, however often it was invoiced again since. */
export const firstKey = (chargeKey: string): string => AGAIN.exec(chargeKey)?.[1] ?? chargeKey;

/**
 * The charge key of a line that is invoiced again: the next one after the key of the voided line, so that a voided line
 * has one successor.
 */
export function keyAgain(chargeKey: string): string {
  const [, base = chargeKey, count = '0'] = AGAIN.exec(chargeKey) ?? [];
  return `${base}:again:${Number(count) + 1}`;
}
