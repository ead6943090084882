import { iso } from '../../billing/calendar/instant.ts';
import { monthsOf } from '../../billing/calendar/months.ts';
import { figureOwner } from '../../services/report/owner.ts';
import { revenueReport } from '../../services/report/revenue.ts';
import { exampleRevenue } from '../example/report.ts';
import { route } from '../http/route.ts';
import { MonthsQuery, RevenueReport } from '../schema/report.ts';

export const revenueReportRoute = route({
  method: 'get',
  path: '/v1/c/report/revenue',
  operationId: 'report_revenue',
  tag: 'Reports',
  summary: 'Report invoiced and earned revenue',
  description:
    'By calendar month, each whole, for every month that the span touches. A line is earned evenly along its span, in amounts that add up to the line; a freeze that has ended moves the rest of it behind itself; credits and credit notes take back along theirs. Drafts and voided invoices are left out.',
  scope: 'read',
  query: MonthsQuery,
  response: { 200: RevenueReport },
  errors: ['test_clock_not_found'],
  example: { response: exampleRevenue },
  run: async ({ vendor, query: { from, to, test_clock } }, { db }) => {
    const months = monthsOf(from, to);
    const reports = await revenueReport(db, await figureOwner(db, vendor, test_clock), months);
    const currencies = reports.map(({ currency, months: shown }) => ({
      currency,
      months: shown.map(({ month, invoiced, recognised, deferredEnd }) => ({
        ...{ month: iso(month).slice(0, 'yyyy-mm'.length), invoiced, recognised, deferred_end: deferredEnd },
      })),
    }));
    return { from: iso(from), to: iso(to), currencies };
  },
});
