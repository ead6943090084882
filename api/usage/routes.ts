import type { Route } from '../http/route.ts';
import { amendUsageRoute } from './amend.ts';
import { reportUsageBulkRoute } from './bulk.ts';
import { discardUsageRoute } from './discard.ts';
import { usageHistoryRoute } from './history.ts';
import { listUsageRoute } from './list.ts';
import { reportUsageRoute } from './report.ts';

export const usageRoutes: readonly Route[] = [
  reportUsageRoute,
  reportUsageBulkRoute,
  listUsageRoute,
  amendUsageRoute,
  discardUsageRoute,
  usageHistoryRoute,
];
