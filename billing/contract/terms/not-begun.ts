import type { Contract } from '../types.ts';

/**
 * What every contract has before it begins, signed or made by a change: no period, nothing charged, given back or asked
 * for. In one place, so that a new field of a contract begins alike in both.
 */
export const notBegun = () =>
  ({
    successorId: null,
    start: null,
    firstCycle: 0,
    began: null,
    ended: null,
    currentIdx: null,
    customCharged: { month: -1, quarter: -1, year: -1 },
    givenBack: [],
    carried: { lost: [], goesOn: [], waiting: [] },
    pendingChange: null,
    cancellation: null,
    parkedReason: null,
    gate: null,
  }) satisfies Partial<Contract>;
