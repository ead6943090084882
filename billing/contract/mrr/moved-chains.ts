import type { Instant } from '../../calendar/instant.ts';
import type { ContractSnapshot, Effects } from '../types.ts';
import type { MrrAt } from './moves.ts';

/** A chain of contracts with the MRR that rules noted for it, and its owner. */
export interface MovedChain {
  rootId: string;
  vendorId: string;
  /** null: the wall clock */
  clockId: string | null;
  customerId: string;
  /** signed in this transaction, so nothing is booked for it yet */
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
 * The MRR that rules noted, chain by chain. A state without an instant of its own counts from the instant at which it
 * is written.
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
