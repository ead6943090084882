import { stepClock } from '../../services/clock/step.ts';
import type { ClockStep } from '../../workflows/messages.ts';
import { beating } from '../beating.ts';
import type { Dependencies } from '../dependencies.ts';

/** Instants are carried out for this long in one activity, then the workflow shows where the clock is. */
const BUDGET = 3_000;

/** What a clock's workflow can have done. */
export interface ClockActivities {
  /** Moves the clock some instants further, and does everything due on the way. */
  stepClock(input: { clockId: string }): Promise<ClockStep>;
}

export function clockActivities(dependencies: Dependencies): ClockActivities {
  return { stepClock: beating(({ clockId }) => stepClock(dependencies, clockId, BUDGET)) };
}
