import type { Instant } from '../../calendar/instant.ts';
import type { Pause } from '../../calendar/pauses.ts';
import { readDerivation } from '../../explain/explain-line.ts';
import type { Line } from '../../invoice/types.ts';
import { cutOffAt, movedBy } from '../period/known-end.ts';
import { sourcesOf } from '../period/sources.ts';
import { movedSpan } from '../period/time.ts';
import { samePrice } from '../terms/terms.ts';
import type { Contract } from '../types.ts';

type TimeLine = Pick<Line, 'contractId' | 'source' | 'span' | 'derivation'>;

/** What is known of the chain of a line, beside the line. */
interface ChainOfLine {
  /** contracts of the chain by id: the line's own and those after it */
  chain: ReadonlyMap<string, Contract>;
  /** lines of the same source of the contracts after it, voided ones too */
  others: readonly TimeLine[];
  pauses: Pause[];
}

/**
 * When a recurring, month, quarter or year line stopped before its own end: when its contract ended, or a later
 * contract of the chain. A change that doesn't touch a line lets it run on: the next contract sells the same price for
 * the same cycle and has no line of its own for that time, or the change's rule has let the line go on.
 *
 * @returns null while the line still runs
 * @example
 * const story = signs('2025-06-01', plan('pro', { price: '30', features: { seats: seats('10', '2') } }));
 * const line = [...story.ledger.lines.values()].find(({ source }) => source === 'plan');
 * changes(story, '2025-06-16', toUnits({ seats: '3' }));
 * runsUntil(line, { chain: story.ledger.contracts, others: [], pauses: [] }) // null
 */
export function runsUntil(
  line: TimeLine & Pick<Line, 'id' | 'currency' | 'chargeKey'>,
  { chain, others, pauses }: ChainOfLine,
): Instant | null {
  const charged = readDerivation(line.derivation);
  let contract = chain.get(line.contractId ?? '');
  const end = movedSpan(line, contract === undefined ? pauses : movedBy(contract, line, pauses))?.end ?? Number.POSITIVE_INFINITY;
  const isReplacedIn = ({ id }: Contract): boolean =>
    others.some((other) => other.contractId === id && other.source === line.source && (movedSpan(other, pauses)?.start ?? end) < end);
  const goesOnIn = ({ terms }: Contract): boolean =>
    charged.type === 'charge' &&
    terms.currency === line.currency &&
    sourcesOf(terms).some(
      (one) =>
        one.source === line.source &&
        (one.trigger === 'every_cycle' ? terms.cycle : one.trigger) === charged.cycle &&
        samePrice(one.price, charged.price.price),
    );
  const isLetGoOnIn = ({ carried }: Contract): boolean => carried.goesOn.includes(line.id);
  for (;;) {
    if (contract === undefined) throw new Error(`the contract of the line ${line.chargeKey} isn't in its chain`);
    const cutOff = cutOffAt(contract, pauses);
    if (cutOff === null || cutOff >= end) return cutOff;
    const next = chain.get(contract.successorId ?? '');
    if (next === undefined || !(isLetGoOnIn(next) || (goesOnIn(next) && !isReplacedIn(next)))) return cutOff;
    contract = next;
  }
}
