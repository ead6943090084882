import Router from '@koa/router';
import type Koa from 'koa';
import { openCookies } from './http/cookie.ts';
import { dispatch, limitAnonymous, sendNoSuchPage } from './http/dispatch.ts';
import { setSecurityHeaders } from './http/headers.ts';
import { PORTAL_PREFIX, type PortalParts } from './http/parts.ts';
import { type PortalRoute, routeShape } from './http/route.ts';
import { sendFailures } from './http/send.ts';
import { sendAsset } from './http/send-asset.ts';
import { accountPages } from './pages/account/routes.ts';
import { cancelPages } from './pages/cancel/routes.ts';
import { changePages } from './pages/change/routes.ts';
import { contractPages } from './pages/contract/routes.ts';
import { enter, entryBefore, leave } from './pages/entry/routes.ts';
import { gatePages } from './pages/gate/routes.ts';
import { invoicePages } from './pages/invoices/routes.ts';
import { chooseLanguage } from './pages/language/routes.ts';
import { methodPages } from './pages/methods/routes.ts';
import { overview } from './pages/overview/routes.ts';
import { payPages } from './pages/pay/routes.ts';
import { paymentPages } from './pages/payments/routes.ts';
import { sandboxPages } from './pages/sandbox/routes.ts';

/** The pages of a signed-in customer, one line a page. */
export const PORTAL_PAGES: readonly (readonly PortalRoute[])[] = [
  accountPages,
  cancelPages,
  changePages,
  contractPages,
  gatePages,
  invoicePages,
  methodPages,
  paymentPages,
  payPages,
  sandboxPages,
];

const PAGES = new Set([overview, ...PORTAL_PAGES.flat()].flatMap(({ method, path }) => (method === 'get' ? routeShape(path) : [])));

/** How many segments of an address lead to the page nearest to a route: its own, or one above it. */
function segmentsOfPage({ path }: PortalRoute): number {
  const segments = routeShape(path).split('/');
  let count = segments.length;
  while (!PAGES.has(segments.slice(0, count).join('/'))) count -= 1;
  return count + PREFIX_SEGMENTS;
}

const PREFIX_SEGMENTS = PORTAL_PREFIX.split('/').length - 1;

/** The name of all portal requests in log, metrics and traces, since their URL can contain a secret. */
const NAME = `mounted ${PORTAL_PREFIX}`;

/** The customers' pages, for the router of the API. */
export function createPortal(parts: PortalParts): Router {
  const first = [setSecurityHeaders, openCookies(parts)];
  const failures = (ctx: Koa.Context, next: Koa.Next) => sendFailures(ctx, next, parts);
  const always = [...first, failures, limitAnonymous(parts)];
  const router = new Router({ sensitive: true, strict: true });
  router.get(NAME, `${PORTAL_PREFIX}/asset/:name`, ...first, sendAsset);
  router.get(NAME, PORTAL_PREFIX, ...always, entryBefore(parts), dispatch(overview, parts));
  router.post(NAME, PORTAL_PREFIX, ...always, (ctx) => enter(ctx, parts));
  router.post(NAME, `${PORTAL_PREFIX}/leave`, ...always, (ctx) => leave(ctx, parts));
  router.post(NAME, `${PORTAL_PREFIX}/language`, ...always, (ctx) => chooseLanguage(ctx, parts));
  for (const route of PORTAL_PAGES.flat())
    router[route.method](NAME, `${PORTAL_PREFIX}${route.path}`, ...always, dispatch(route, parts, segmentsOfPage(route)));
  router.all(NAME, `${PORTAL_PREFIX}{/{*rest}}`, ...always, sendNoSuchPage(parts));
  return router;
}
