import type { Instant } from '../../calendar/instant.ts';
import type { Period } from '../../calendar/rhythm.ts';
import type { ChargeDerivation } from '../../explain/derivation.ts';
import { readDerivation } from '../../explain/explain-line.ts';
import type { ChargedLine } from '../../invoice/types.ts';
import { movedBy } from '../period/known-end.ts';
import { sourcesOf } from '../period/sources.ts';
import { movedSpan, naturalEndOf, paidFrom } from '../period/time.ts';
import { samePrice } from '../terms/terms.ts';
import type { Contract, ContractSnapshot } from '../types.ts';

/** A line that pays for a contract, where freezes have moved its span. */
export interface Paying extends Period {
  line: ChargedLine;
  end: Instant;
  /** how it was charged; null: it charged a difference, beside lines that go on */
  charged: ChargeDerivation | null;
  /** where the line was cut at a known end of the contract: the end of its natural period */
  naturalEnd: Instant | null;
}

/**
 * The lines that pay for a contract's prices from an instant on: those that earlier changes let go on, and for each
 * current price the line charged last, with the lines that continue it. Other running lines don't pay: a change has
 * replaced their prices, and only their time after a known end is left.
 *
 * @example
 * const { snapshot } = workOn(signs('2025-06-01', plan('pro', { price: '100' })), '2025-06-16');
 * payingLines(snapshot, snapshot.contract, at('2025-06-16')).map(({ end }) => end) // [at('2025-07-01')]
 */
export function payingLines({ running, customer }: ContractSnapshot, contract: Contract, at: Instant): Paying[] {
  const { carried, terms } = contract;
  const [isLost, goesOn] = [new Set(carried.lost), new Set(carried.goesOn)];
  const lines = running.flatMap((line): Paying[] => {
    // a line that was given back in part pays only if a change let it go on
    const isPaying = !isLost.has(line.id) && (line.rest === undefined || goesOn.has(line.id));
    const pauses = movedBy(contract, line, customer.pauses);
    const span = isPaying ? movedSpan(line, pauses) : null;
    if (span?.end == null || span.end <= at) return [];
    const start = paidFrom(line, span, pauses);
    if (start === null) return [];
    const derivation = readDerivation(line.derivation);
    const charged = derivation.type === 'charge' ? derivation : null;
    return [{ line, start, end: span.end, charged, naturalEnd: naturalEndOf(line, pauses) }];
  });
  const { going = [], others = [] } = Object.groupBy(lines, ({ line }) => (goesOn.has(line.id) ? 'going' : 'others'));
  const isGoing = new Set(going.map(({ line }) => line.source));
  const bySource = Map.groupBy(others, ({ line }) => line.source);
  const ofNow = sourcesOf(terms).flatMap(({ source, price }) => {
    const own = bySource.get(source) ?? [];
    const charged = own.filter((one) => one.charged === null || samePrice(one.charged.price.price, price));
    // if nothing was charged at the current price, a line at another price pays, unless a change let a line of this
    // source go on
    return chainOf(charged.length > 0 || isGoing.has(source) ? charged : own, at);
  });
  return [...going, ...ofNow];
}

/** The latest of some lines of a source, and those that continue it, in order. */
function chainOf(lines: readonly Paying[], at: Instant): Paying[] {
  // a line of zero is not given back: of two that begin at the same instant the one that was cut is the later
  const rankOf = ({ naturalEnd }: Paying): number => Number(naturalEnd !== null);
  const latest = lines.filter(({ start }) => start <= at).sort((a, b) => a.start - b.start || rankOf(a) - rankOf(b));
  const chain: Paying[] = [];
  for (let last = latest.at(-1); last !== undefined; last = nextOf(last, lines)) chain.push(last);
  return chain;
}

/**
 * The line that continues another one from its end: one at the same price for the same cycle, or, at any price, one
 * that was given back from there.
 *
 * @returns undefined where none does
 */
export function nextOf({ line: { source }, end, charged }: Paying, lines: readonly Paying[]): Paying | undefined {
  const isSame = (other: ChargeDerivation | null): boolean =>
    charged !== null && other !== null && charged.cycle === other.cycle && samePrice(charged.price.price, other.price.price);
  return lines.find(
    (other) => other.line.source === source && other.start === end && (other.line.rest !== undefined || isSame(other.charged)),
  );
}
