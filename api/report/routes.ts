import type { Route } from '../http/route.ts';
import { agingReportRoute } from './aging.ts';
import { mrrReportRoute } from './mrr.ts';
import { listMrrMovesRoute } from './mrr-moves.ts';
import { revenueReportRoute } from './revenue.ts';

export const reportRoutes: readonly Route[] = [mrrReportRoute, listMrrMovesRoute, revenueReportRoute, agingReportRoute];
