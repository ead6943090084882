import { iso } from '../../billing/calendar/instant.ts';
import { agingReport } from '../../services/report/aging.ts';
import { instantOfReport } from '../../services/report/instant.ts';
import { figureOwner } from '../../services/report/owner.ts';
import { exampleAging } from '../example/report.ts';
import { route } from '../http/route.ts';
import { AgingReport, InstantQuery } from '../schema/report.ts';

export const agingReportRoute = route({
  method: 'get',
  path: '/v1/c/report/aging',
  operationId: 'report_aging',
  tag: 'Reports',
  summary: 'Report what is not paid, by age',
  description: 'As it was at the instant: payments and credit notes after it don’t count. Drafts and voided invoices are left out.',
  scope: 'read',
  query: InstantQuery,
  response: { 200: AgingReport },
  errors: ['test_clock_not_found'],
  example: { response: exampleAging },
  run: async ({ vendor, query }, { db }) => {
    const owner = await figureOwner(db, vendor, query.test_clock);
    const at = await instantOfReport(db, owner, query.at);
    return { at: iso(at), currencies: await agingReport(db, owner, at) };
  },
});
