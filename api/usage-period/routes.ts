import type { Route } from '../http/route.ts';
import { closeUsagePeriodRoute } from './close.ts';
import { listUsagePeriodsRoute } from './list.ts';

export const usagePeriodRoutes: readonly Route[] = [listUsagePeriodsRoute, closeUsagePeriodRoute];
