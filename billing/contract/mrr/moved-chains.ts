import type { Instant } from '../../calendar/instant.ts';
import type { ContractSnapshot, Effects } from '../types.ts';
import type { MrrAt } from './moves.ts';

/** A chain of contracts whose MRR rules have noted, and whose it is. */
export interface MovedChain {
  rootId: string;
  vendorId: string;
  /** null: the wall clock */
  clockId: string | null;
  customerId: string;
  /** signed in the very transaction, so that nothing is booked of it yet */
  isNew: boolean;
  /** in the order in which they came */
  states: MrrAt[];
}

interface Noted {
  before: Pick<ContractSnapshot, 'contract'>;
  outcome: { effects: Pick<Effects, 'mrr'> };
  at: Instant;
}

/**
 * What rules noted of the MRR, chain by chain. A state without an instant of its own counts from when it is written.
 *
 * @example
 * const { contract } = workOn(signs('2025-01-01', plan('pro')), '2025-01-10').snapshot;
 * const mrr = [{ contractId: contract.id, at: null, currency: 'usd', amount: '10.00' }];
 * const chains = movedChains([{ before: { contract }, outcome: { effects: { mrr } }, at: at('2025-01-10') }]);
 * chains.map(({ isNew, states: [state] }) => [isNew, iso(state.at), state.amount])
 * // [[false, '2025-01-10T00:00:00.000Z', '10.00']]
 */
export function movedChains(noted: readonly Noted[]): MovedChain[] {
  const moved = noted.filter(({ outcome }) => outcome.effects.mrr.length > 0);
  return [...Map.groupBy(moved, ({ before }) => before.contract.rootId).values()].flatMap((some) => {
    const [first] = some;
    if (first === undefined) return [];
    const { rootId, vendorId, clockId, customerId } = first.before.contract;
    const isNew = some.every(({ before }) => before.contract.status === 'not_ready');
    const states = some.flatMap(({ outcome, at }) => outcome.effects.mrr.map((one) => ({ ...one, at: one.at ?? at })));
    return [{ rootId, vendorId, clockId, customerId, isNew, states }];
  });
}
