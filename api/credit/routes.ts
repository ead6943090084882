import type { Route } from '../http/route.ts';
import { grantCreditsRoute } from './grant.ts';
import { listGrantsRoute } from './list.ts';
import { readCreditRoute } from './of-customer.ts';
import { readGrantRoute } from './read.ts';
import { listCreditUsesRoute } from './uses.ts';
import { voidGrantRoute } from './void.ts';

export const creditRoutes: readonly Route[] = [
  grantCreditsRoute,
  listGrantsRoute,
  readGrantRoute,
  voidGrantRoute,
  readCreditRoute,
  listCreditUsesRoute,
];
