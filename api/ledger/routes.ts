import type { Route } from '../http/route.ts';
import { ledgerBalanceRoute } from './balance.ts';
import { listPostingsRoute } from './list.ts';

export const ledgerRoutes: readonly Route[] = [listPostingsRoute, ledgerBalanceRoute];
