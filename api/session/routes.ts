import type { Route } from '../http/route.ts';
import { endSessionRoute } from './end.ts';
import { startSessionRoute } from './start.ts';

export const sessionRoutes: readonly Route[] = [startSessionRoute, endSessionRoute];
