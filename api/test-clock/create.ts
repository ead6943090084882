import { at } from '../../billing/calendar/instant.ts';
import { createClock } from '../../services/clock/create.ts';
import { ids } from '../example/ids.ts';
import { route } from '../http/route.ts';
import { ClockId } from '../schema/common.ts';
import { ClockRequest } from '../schema/operating.ts';

export const createTestClockRoute = route({
  method: 'post',
  path: '/v1/c/test_clock',
  operationId: 'create_test_clock',
  tag: 'Test clocks',
  summary: 'Make a test clock',
  description: 'Customers on it live at its time, which moves only when you advance it.',
  scope: 'full',
  body: ClockRequest,
  response: { 201: ClockId },
  errors: [],
  example: { body: { now: '2026-06-01T00:00:00.000Z', name: 'June with Ada' }, response: ids.clock },
  write: ({ vendor, body, tx }) => createClock(tx, { vendorId: vendor, name: body.name ?? null, now: at(body.now, 'now') }),
});
