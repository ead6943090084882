import { Calls } from './calls.ts';
import { Operations } from './generated/operations.ts';
import type { TestClock } from './generated/schemas.ts';
import type { SenderOptions } from './sender.ts';
import { type AdvanceOptions, advanceTo } from './test-clock.ts';

export type PerennialOptions = SenderOptions;

/** The API of a running Perennial, with one key of one vendor. */
export class Perennial extends Operations {
  constructor(options: PerennialOptions) {
    super(new Calls(options));
  }

  /** Advances a test clock and waits until it is ready; throws `test_clock_failed` with the clock's reason. */
  advanceTo(testClockId: string, now: string | Date, options: AdvanceOptions = {}): Promise<TestClock> {
    return advanceTo(this, testClockId, now, options);
  }
}
