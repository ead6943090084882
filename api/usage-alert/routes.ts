import type { Route } from '../http/route.ts';
import { deleteAlertRoute } from './delete.ts';
import { listAlertsRoute } from './list.ts';
import { setAlertRoute } from './set.ts';

export const usageAlertRoutes: readonly Route[] = [setAlertRoute, listAlertsRoute, deleteAlertRoute];
