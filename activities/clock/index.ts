import type { ClockStep } from '../../workflows/messages.ts';
import type { Dependencies } from '../dependencies.ts';
import { stepClock } from './step.ts';

/** What a clock's workflow can have done. */
export interface ClockActivities {
  /** Carries the clock some instants further, and everything due on the way. */
  stepClock(input: { clockId: string }): Promise<ClockStep>;
}

export function clockActivities(dependencies: Dependencies): ClockActivities {
  return { stepClock: stepClock(dependencies) };
}
