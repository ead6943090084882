import { iso } from '../../billing/calendar/instant.ts';
import { mrrReport } from '../../services/report/mrr.ts';
import { figureOwner } from '../../services/report/owner.ts';
import { exampleMrr } from '../example/report.ts';
import { route } from '../http/route.ts';
import { MrrReport, SpanQuery } from '../schema/report.ts';

export const mrrReportRoute = route({
  method: 'get',
  path: '/v1/c/report/mrr',
  operationId: 'report_mrr',
  tag: 'Reports',
  summary: 'Report the monthly recurring revenue',
  description:
    'The MRR of a contract is a twelfth of the yearly value of its recurring price after the discount, without usage; zero in a trial, a free cycle and a freeze, and for `once` and `constant`. It is booked at each change, so later changes of the catalogue move nothing.',
  scope: 'read',
  query: SpanQuery,
  response: { 200: MrrReport },
  errors: ['test_clock_not_found'],
  example: { response: exampleMrr },
  run: async ({ vendor, query: { from, to, test_clock } }, { db }) => {
    const currencies = await mrrReport(db, await figureOwner(db, vendor, test_clock), { from, to });
    return { from: iso(from), to: iso(to), currencies };
  },
});
