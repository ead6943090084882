import type { Route } from '../http/route.ts';
import { accessEntitlementRoute } from './access.ts';
import { billingEntitlementRoute } from './billing.ts';
import { checkUsageRoute } from './check.ts';
import { confirmReservationRoute } from './confirm.ts';
import { releaseReservationRoute } from './release.ts';

export const entitlementRoutes: readonly Route[] = [
  accessEntitlementRoute,
  billingEntitlementRoute,
  checkUsageRoute,
  confirmReservationRoute,
  releaseReservationRoute,
];
