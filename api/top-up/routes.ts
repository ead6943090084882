import type { Route } from '../http/route.ts';
import { deleteTopUpRoute } from './delete.ts';
import { listTopUpsRoute } from './list.ts';
import { setTopUpRoute } from './set.ts';

export const topUpRoutes: readonly Route[] = [setTopUpRoute, listTopUpsRoute, deleteTopUpRoute];
