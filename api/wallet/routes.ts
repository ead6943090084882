import type { Route } from '../http/route.ts';
import { grantToWalletRoute } from './grant.ts';
import { readWalletRoute } from './read.ts';

export const walletRoutes: readonly Route[] = [readWalletRoute, grantToWalletRoute];
