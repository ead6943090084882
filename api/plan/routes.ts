import type { Route } from '../http/route.ts';
import { archivePlanRoute } from './archive.ts';
import { listPlansRoute } from './list.ts';
import { readPlanRoute } from './read.ts';
import { savePlanRoute } from './save.ts';
import { listPlanVersionsRoute } from './versions.ts';

export const planRoutes: readonly Route[] = [savePlanRoute, listPlansRoute, readPlanRoute, archivePlanRoute, listPlanVersionsRoute];
