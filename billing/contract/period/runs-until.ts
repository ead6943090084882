import type { Instant } from '../../calendar/instant.ts';
import { readDerivation } from '../../explain/explain-line.ts';
import type { Line } from '../../invoice/types.ts';
import { samePrice } from '../terms/terms.ts';
import type { Contract } from '../types.ts';
import { sourcesOf } from './sources.ts';

type TimeLine = Pick<Line, 'contractId' | 'source' | 'span'>;
type ChargedTime = TimeLine & Pick<Line, 'currency' | 'derivation'>;

/**
 * When the time of a recurring, month, quarter or year line was over before its end: with its contract, or with a later
 * one of the chain. A change that leaves a line alone leaves it to run on: the contract after it sells the same price
 * for the same cycle, and has no line of its own for that time.
 *
 * @param line with how it was charged
 * @param chain contracts of its chain: its own and those after it
 * @param others lines of the same source of the contracts after it, voided ones too
 * @returns null while its time goes on
 * @example
 * const story = signs('2025-06-01', plan('pro', { price: '30', features: { seats: seats('10', '2') } }));
 * const line = story.lines().find(({ source }) => source === 'plan');
 * changes(story, '2025-06-16', toUnits({ seats: '3' }));
 * runsUntil(line, [...story.ledger.contracts.values()], []) // null
 */
export function runsUntil(line: ChargedTime, chain: readonly Contract[], others: readonly TimeLine[]): Instant | null {
  const charged = readDerivation(line.derivation);
  const end = line.span?.end ?? Number.POSITIVE_INFINITY;
  const isReplacedIn = ({ id }: Contract): boolean =>
    others.some((other) => other.contractId === id && other.source === line.source && other.span !== null && other.span.start < end);
  const goesOnIn = ({ terms }: Contract): boolean =>
    charged.type === 'charge' &&
    terms.currency === line.currency &&
    sourcesOf(terms).some(
      (one) =>
        one.source === line.source &&
        (one.trigger === 'every_cycle' ? terms.cycle : one.trigger) === charged.cycle &&
        samePrice(one.price, charged.price.price),
    );
  const byId = new Map(chain.map((one) => [one.id, one]));
  let contract = byId.get(line.contractId ?? '');
  for (;;) {
    if (contract === undefined || contract.ended === null || contract.ended >= end) return contract?.ended ?? null;
    const next = byId.get(contract.successorId ?? '');
    if (next === undefined || !goesOnIn(next) || isReplacedIn(next)) return contract.ended;
    contract = next;
  }
}
