import { WISHES } from '../../../db/wish/kinds.ts';
import * as workflows from '../../../workflows/index.ts';
import { CLOCK_WORKFLOW, CONTRACT_WORKFLOW, WAKE_SIGNAL } from '../../../workflows/messages.ts';

describe('names that Postgres rows and workflows share', () => {
  it('every wish names a workflow the worker has', () => {
    expect(Object.values(WISHES).filter(({ workflow }) => !Object.hasOwn(workflows, workflow))).toEqual([]);
    expect(WISHES.start_contract.workflow).toBe(CONTRACT_WORKFLOW);
    expect(WISHES.start_clock.workflow).toBe(CLOCK_WORKFLOW);
  });

  it('every wish that wakes sends the signal workflows listen to', () => {
    const signals = new Set(Object.values(WISHES).map(({ signal }) => signal));
    expect([...signals].filter((signal) => signal !== null)).toEqual([WAKE_SIGNAL]);
  });
});
