import { apiKeyRoutes } from './api-key/routes.ts';
import { auditRoutes } from './audit/routes.ts';
import { contractRoutes } from './contract/routes.ts';
import { creditRoutes } from './credit/routes.ts';
import { customerRoutes } from './customer/routes.ts';
import { discountRoutes } from './discount/routes.ts';
import { entitlementRoutes } from './entitlement/routes.ts';
import { eventRoutes } from './event/routes.ts';
import type { Route } from './http/route.ts';
import { importRoutes } from './import/routes.ts';
import { invoiceRoutes } from './invoice/routes.ts';
import { ledgerRoutes } from './ledger/routes.ts';
import { paymentRoutes } from './payment/routes.ts';
import { planRoutes } from './plan/routes.ts';
import { planMoveRoutes } from './plan-move/routes.ts';
import { preferencesRoutes } from './preferences/routes.ts';
import { reportRoutes } from './report/routes.ts';
import { sessionRoutes } from './session/routes.ts';
import { testClockRoutes } from './test-clock/routes.ts';
import { topUpRoutes } from './top-up/routes.ts';
import { usageRoutes } from './usage/routes.ts';
import { usageAlertRoutes } from './usage-alert/routes.ts';
import { usageLimitRoutes } from './usage-limit/routes.ts';
import { usagePeriodRoutes } from './usage-period/routes.ts';
import { walletRoutes } from './wallet/routes.ts';
import { webhookEndpointRoutes } from './webhook-endpoint/routes.ts';

/** The endpoints of each noun, each noun with a router of its own. */
export const nouns: readonly (readonly Route[])[] = [
  customerRoutes,
  planRoutes,
  planMoveRoutes,
  importRoutes,
  discountRoutes,
  paymentRoutes,
  walletRoutes,
  creditRoutes,
  topUpRoutes,
  contractRoutes,
  usageRoutes,
  usagePeriodRoutes,
  usageLimitRoutes,
  usageAlertRoutes,
  entitlementRoutes,
  invoiceRoutes,
  preferencesRoutes,
  eventRoutes,
  auditRoutes,
  reportRoutes,
  ledgerRoutes,
  webhookEndpointRoutes,
  sessionRoutes,
  apiKeyRoutes,
  testClockRoutes,
];

/** Every endpoint; the document, the generated client and the tests are made from this list. */
export const routes: readonly Route[] = nouns.flat();
