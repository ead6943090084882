import type { Instant } from '../calendar/instant.ts';
import type { Line } from './types.ts';

/** A line of a voided invoice, and what has been written since of the same charge; none of `since` is voided. */
export interface VoidedLine {
  line: Pick<Line, 'id' | 'kind' | 'span' | 'creditOf' | 'periodIdx' | 'source'>;
  /** it was put on a further invoice already, which may be voided too */
  isTaken: boolean;
  since: readonly Pick<Line, 'id' | 'kind' | 'creditOf' | 'periodIdx' | 'source'>[];
  /** when its contract ended; null while it lives */
  ended: Instant | null;
}

/**
 * Why a line of a voided invoice can't be put on another one: nothing may be charged or given back a second time, and
 * no time may be charged that the contract didn't last.
 *
 * @returns null where it can
 */
export function whyNotAgain({ line, isTaken, since, ended }: VoidedLine): string | null {
  if (isTaken) return 'was invoiced again already';
  if (line.kind === 'credit' && since.some(({ creditOf }) => creditOf === line.creditOf)) return 'is given back by another item';
  if (isUsage(line) && since.some((one) => isUsage(one) && one.periodIdx === line.periodIdx && one.source === line.source))
    return 'is charged by a correction';
  const isForTime = line.kind === 'recurring' || line.kind === 'custom';
  const end = line.span?.end ?? null;
  if (isForTime && ended !== null && end !== null && ended < end) return 'is for time after the end of its contract';
  return null;
}

const isUsage = ({ kind }: Pick<Line, 'kind'>): boolean => kind === 'usage' || kind === 'correction';

const AGAIN = /^(.*):again:(\d+)$/;

/**
 * The charge key of a line that is invoiced again: the next one after the key of the voided line, so that a voided line
 * has one successor.
 */
export function keyAgain(chargeKey: string): string {
  const [, base = chargeKey, count = '0'] = AGAIN.exec(chargeKey) ?? [];
  return `${base}:again:${Number(count) + 1}`;
}
