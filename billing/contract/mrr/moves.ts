import type { Instant } from '../../calendar/instant.ts';
import type { Currency } from '../../money/currency.ts';
import { dec } from '../../money/decimal.ts';
import { moneyText } from '../../money/round.ts';

/**
 * What a change of a chain's MRR is called: its first amount above zero, up or down between two amounts above zero,
 * down to zero, up from zero again.
 */
export const MRR_MOVES = ['new', 'expansion', 'contraction', 'churn', 'reactivation'] as const;

/** One of these kinds. */
export type MrrMoveKind = (typeof MRR_MOVES)[number];

/** What is booked of a chain in one currency: the amount after its last move, and the number of that move. */
export interface BookedMrr {
  currency: Currency;
  amount: string;
  number: number;
}

/** A change of a chain's MRR in one currency, as it is booked. */
export interface MrrMove {
  contractId: string;
  at: Instant;
  currency: Currency;
  /** counts the moves of the chain in this currency, from 1 */
  number: number;
  kind: MrrMoveKind;
  before: string;
  after: string;
  /** `after` less `before`: negative for contraction and churn */
  amount: string;
}

/** What a chain's MRR became at an instant, in the one currency that it is sold in then. */
export interface MrrAt {
  contractId: string;
  at: Instant;
  currency: Currency;
  amount: string;
}

/**
 * The moves that lead from what is booked of a chain to each of its states in turn. A change of currency is churn in
 * the old one.
 *
 * @param booked what is booked by now, one for each currency
 * @param states in the order in which they came
 * @example
 * const state = { contractId: 'Cont_1', at: at('2025-01-01'), currency: 'usd' };
 * const moves = mrrMoves([], [{ ...state, amount: '10.00' }, { ...state, amount: '4.00' }, { ...state, amount: '0.00' }]);
 * moves.map(({ kind, amount }) => `${kind} ${amount}`) // ['new 10.00', 'contraction -6.00', 'churn -4.00']
 */
export function mrrMoves(booked: readonly BookedMrr[], states: readonly MrrAt[]): MrrMove[] {
  const last = new Map(booked.map((one) => [one.currency, one]));
  return states.flatMap((state) => {
    const others = [...last.values()].filter(({ currency }) => currency !== state.currency);
    const gone = others.map(({ currency }) => ({ ...state, currency, amount: moneyText('0', currency) }));
    return [...gone, state].flatMap((one) => {
      const move = moveTo(last.get(one.currency) ?? null, one, last.size === 0);
      if (move === null) return [];
      last.set(move.currency, { currency: move.currency, amount: move.after, number: move.number });
      return [move];
    });
  });
}

function moveTo(last: BookedMrr | null, { contractId, at, currency, amount }: MrrAt, isFirst: boolean): MrrMove | null {
  const [before, after] = [dec(last?.amount ?? '0'), dec(amount)];
  if (before.eq(after)) return null;
  const up = before.isZero() ? (isFirst ? 'new' : 'reactivation') : 'expansion';
  const down = after.isZero() ? 'churn' : 'contraction';
  const money = (value: typeof after): string => moneyText(value, currency);
  return {
    ...{ contractId, at, currency, number: (last?.number ?? 0) + 1, kind: after.gt(before) ? up : down },
    ...{ before: money(before), after: money(after), amount: money(after.minus(before)) },
  };
}
