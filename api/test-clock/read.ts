import { z } from 'zod';
import { readClockWithNextDue } from '../../db/sql/clock/read-with-next-due.ts';
import { exampleClock } from '../example/operating.ts';
import { Problem } from '../http/problem.ts';
import { route } from '../http/route.ts';
import { ClockId } from '../schema/common.ts';
import { TestClock } from '../schema/operating.ts';
import { clockToWire } from '../wire/clock.ts';

export const readTestClockRoute = route({
  method: 'get',
  path: '/v1/c/test_clock/{test_clock_id}',
  operationId: 'get_test_clock',
  tag: 'Test clocks',
  summary: 'Read a test clock',
  description: 'Its status is `ready` when everything that was due up to its time has happened.',
  scope: 'read',
  params: z.object({ test_clock_id: ClockId }),
  response: { 200: TestClock },
  errors: ['test_clock_not_found'],
  example: { response: exampleClock },
  run: async ({ vendor, params }, { db }) => {
    const clock = await readClockWithNextDue(db, vendor, params.test_clock_id);
    if (clock === null) throw new Problem('test_clock_not_found');
    return clockToWire(clock);
  },
});
