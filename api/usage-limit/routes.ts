import type { Route } from '../http/route.ts';
import { deleteLimitRoute } from './delete.ts';
import { listLimitsRoute } from './list.ts';
import { setLimitRoute } from './set.ts';

export const usageLimitRoutes: readonly Route[] = [setLimitRoute, listLimitsRoute, deleteLimitRoute];
