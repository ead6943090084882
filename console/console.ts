import Router from '@koa/router';
import { openCookies } from '../portal/http/cookie.ts';
import { setSecurityHeaders } from '../portal/http/headers.ts';
import { sendConsoleAsset } from './http/asset.ts';
import { dispatch, limitAnonymous, sendNoSuchPage } from './http/dispatch.ts';
import { CONSOLE_PREFIX, type ConsoleParts } from './http/parts.ts';
import type { ConsoleRoute } from './http/route.ts';
import { sendFailures } from './http/send.ts';
import { changeActs } from './pages/acts/change.ts';
import { contractActs } from './pages/acts/contract.ts';
import { creditGrantActs } from './pages/acts/credit-grant.ts';
import { customerActs } from './pages/acts/customer.ts';
import { eraseActs } from './pages/acts/erase.ts';
import { giveBackActs } from './pages/acts/give-back.ts';
import { giveMoneyActs } from './pages/acts/give-money.ts';
import { invoiceActs } from './pages/acts/invoice.ts';
import { planActs } from './pages/acts/plan.ts';
import { signActs } from './pages/acts/sign.ts';
import { webhookActs } from './pages/acts/webhook.ts';
import { clockPages } from './pages/clocks/routes.ts';
import { contractPages } from './pages/contract/routes.ts';
import { contractsPages } from './pages/contracts/routes.ts';
import { customerPages } from './pages/customer/routes.ts';
import { customersPages } from './pages/customers/routes.ts';
import { duePages } from './pages/due/routes.ts';
import { beginRound, endRound } from './pages/entry/provider.ts';
import { leave, leaveEverywhere, signIn } from './pages/entry/routes.ts';
import { findPages } from './pages/find/routes.ts';
import { homePage } from './pages/home/routes.ts';
import { importPages } from './pages/imports/routes.ts';
import { invoicePages } from './pages/invoice/routes.ts';
import { invoicesPages } from './pages/invoices/routes.ts';
import { chooseLanguage } from './pages/language/routes.ts';
import { logPages } from './pages/logs/routes.ts';
import { planPages } from './pages/plan/routes.ts';
import { planEditPages } from './pages/plan-edit/routes.ts';
import { planMovePages } from './pages/plan-move/routes.ts';
import { plansPages } from './pages/plans/routes.ts';
import { preferencePages } from './pages/preferences/routes.ts';
import { webhookPages } from './pages/webhooks/routes.ts';

/** The pages of those who are signed in. */
export const CONSOLE_PAGES: readonly ConsoleRoute[] = [
  homePage,
  ...findPages,
  ...customersPages,
  ...customerPages,
  ...contractsPages,
  ...contractPages,
  ...invoicesPages,
  ...invoicePages,
  ...plansPages,
  ...planPages,
  ...planMovePages,
  ...planActs,
  ...planEditPages,
  ...logPages,
  ...duePages,
  ...webhookPages,
  ...clockPages,
  ...importPages,
  ...preferencePages,
  ...customerActs,
  ...contractActs,
  ...invoiceActs,
  ...giveBackActs,
  ...webhookActs,
  ...changeActs,
  ...giveMoneyActs,
  ...creditGrantActs,
  ...eraseActs,
  ...signActs,
];

/** The name of all requests of the console in log, metrics and traces. */
const NAME = `mounted ${CONSOLE_PREFIX}`;
const COOKIES = { name: 'perennial_console', path: CONSOLE_PREFIX };

/** The pages of the vendor's people, for the router of the API. */
export function createConsole(parts: ConsoleParts): Router {
  const first = [setSecurityHeaders, openCookies(parts, COOKIES)];
  const always = [...first, sendFailures(parts), limitAnonymous(parts)];
  const router = new Router({ sensitive: true, strict: true });
  router.get(NAME, `${CONSOLE_PREFIX}/asset/:name`, ...first, sendConsoleAsset);
  router.post(NAME, `${CONSOLE_PREFIX}/sign_in`, ...always, (ctx) => signIn(ctx, parts));
  const { provider } = parts;
  if (provider !== null) {
    router.get(NAME, `${CONSOLE_PREFIX}/sign_in/begin`, ...always, (ctx) => beginRound({ ctx, parts, provider }));
    router.get(NAME, `${CONSOLE_PREFIX}/sign_in/done`, ...always, (ctx) => endRound({ ctx, parts, provider }));
  }
  router.post(NAME, `${CONSOLE_PREFIX}/leave`, ...always, (ctx) => leave(ctx, parts));
  router.post(NAME, `${CONSOLE_PREFIX}/leave_everywhere`, ...always, (ctx) => leaveEverywhere(ctx, parts));
  router.post(NAME, `${CONSOLE_PREFIX}/language`, ...always, (ctx) => chooseLanguage(ctx, parts));
  for (const route of CONSOLE_PAGES) router[route.method](NAME, `${CONSOLE_PREFIX}${route.path}`, ...always, dispatch(route, parts));
  router.all(NAME, `${CONSOLE_PREFIX}{/{*rest}}`, ...always, sendNoSuchPage(parts));
  return router;
}
