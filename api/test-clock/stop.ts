import { z } from 'zod';
import { readClockWithNextDue } from '../../db/sql/clock/read-with-next-due.ts';
import { stopAdvance } from '../../services/clock/advance.ts';
import { exampleClock } from '../example/operating.ts';
import { Problem } from '../http/problem.ts';
import { route } from '../http/route.ts';
import { ClockId, Nothing } from '../schema/common.ts';
import { TestClock } from '../schema/operating.ts';
import { clockToWire } from '../wire/clock.ts';

export const stopTestClockRoute = route({
  method: 'post',
  path: '/v1/c/test_clock/{test_clock_id}/stop',
  operationId: 'stop_test_clock',
  tag: 'Test clocks',
  summary: 'Stop the advance of a test clock',
  description:
    'It ends at the instant that the clock has reached: everything due there still happens, then it is `ready`. Stopping a clock that does not advance changes nothing.',
  scope: 'full',
  params: z.object({ test_clock_id: ClockId }),
  body: Nothing,
  bodyOptional: true,
  response: { 200: TestClock },
  errors: ['test_clock_not_found'],
  example: { body: {}, response: exampleClock },
  write: async ({ vendor, params, tx }) => {
    await stopAdvance(tx, vendor, params.test_clock_id);
    const clock = await readClockWithNextDue(tx, vendor, params.test_clock_id);
    if (clock === null) throw new Problem('test_clock_not_found');
    return clockToWire(clock);
  },
});
