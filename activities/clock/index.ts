import { stepClock } from '../../services/clock/step.ts';
import type { ClockStep } from '../../workflows/messages.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { withHeartbeat } from '../heartbeat.ts';

/** Milliseconds for which one activity works through due instants; then the workflow shows where the clock is. */
const BUDGET = 3_000;

/** What a clock's workflow calls. */
export interface ClockActivities {
  /** Moves the clock some instants further, and does everything that is due until then. */
  stepClock(input: { clockId: string }): Promise<ClockStep>;
}

export function clockActivities(dependencies: ActivityDependencies): ClockActivities {
  return { stepClock: withHeartbeat(({ clockId }) => stepClock(dependencies, clockId, BUDGET)) };
}
