import { clockList } from '../../db/sql/clock/list.ts';
import type { ClockRecord } from '../../db/sql/clock/read-with-next-due.ts';
import { exampleClock } from '../example/operating.ts';
import { pageOf } from '../example/page.ts';
import { listPage } from '../http/list.ts';
import { route } from '../http/route.ts';
import { TestClockPage } from '../schema/operating.ts';
import { PageQuery } from '../schema/paging.ts';
import { clockToWire } from '../wire/clock.ts';

export const listTestClocksRoute = route({
  method: 'get',
  path: '/v1/c/test_clock',
  operationId: 'list_test_clocks',
  tag: 'Test clocks',
  summary: 'List test clocks',
  description: 'Oldest first, each with its time and with what is due next on it.',
  scope: 'read',
  query: PageQuery,
  response: { 200: TestClockPage },
  errors: ['invalid_cursor'],
  example: { response: pageOf([exampleClock]) },
  run: ({ vendor, query }, deps) =>
    listPage<ClockRecord, ReturnType<typeof clockToWire>>(deps, 'test_clock', vendor, clockList(vendor), query, clockToWire),
});
