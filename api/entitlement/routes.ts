import type { Route } from '../http/route.ts';
import { accessEntitlementRoute } from './access.ts';
import { billingEntitlementRoute } from './billing.ts';

export const entitlementRoutes: readonly Route[] = [accessEntitlementRoute, billingEntitlementRoute];
