import { z } from 'zod';
import { at } from '../../billing/calendar/instant.ts';
import { readClockWithNextDue } from '../../db/sql/clock/read-with-next-due.ts';
import { sendClock } from '../../services/clock/advance.ts';
import { advancingClock } from '../example/operating.ts';
import { Problem } from '../http/problem.ts';
import { route } from '../http/route.ts';
import { ClockId } from '../schema/common.ts';
import { AdvanceRequest, TestClock } from '../schema/operating.ts';
import { clockToWire } from '../wire/clock.ts';

export const advanceTestClockRoute = route({
  method: 'post',
  path: '/v1/c/test_clock/{test_clock_id}/advance',
  operationId: 'advance_test_clock',
  tag: 'Test clocks',
  summary: 'Move a test clock forward',
  description: 'Returns at once with `advancing`. The clock is `ready` when everything that was due on the way has happened, in order.',
  scope: 'full',
  params: z.object({ test_clock_id: ClockId }),
  body: AdvanceRequest,
  response: { 200: TestClock },
  errors: ['test_clock_not_found', 'clock_advancing'],
  example: { body: { now: '2026-06-11T00:00:00.000Z' }, response: advancingClock },
  write: async ({ vendor, params, body, tx }) => {
    await sendClock(tx, vendor, params.test_clock_id, at(body.now, 'now'));
    const clock = await readClockWithNextDue(tx, vendor, params.test_clock_id);
    if (clock === null) throw new Problem('test_clock_not_found');
    return clockToWire(clock);
  },
});
