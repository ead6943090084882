import type { Route } from '../http/route.ts';
import { listEventsRoute } from './list.ts';

export const eventRoutes: readonly Route[] = [listEventsRoute];
