import type { Route } from '../http/route.ts';
import { listRefusedRoute } from './list-refused.ts';
import { readPlanMoveRoute } from './read.ts';
import { resumePlanMoveRoute } from './resume.ts';
import { startPlanMoveRoute } from './start.ts';
import { stopPlanMoveRoute } from './stop.ts';

export const planMoveRoutes: readonly Route[] = [
  startPlanMoveRoute,
  readPlanMoveRoute,
  stopPlanMoveRoute,
  resumePlanMoveRoute,
  listRefusedRoute,
];
