import type { IncomingMessage } from 'node:http';
import Router from '@koa/router';
import type Koa from 'koa';
import type { Database } from '../db/connect.ts';
import { maySeeInvoice, portalOverview } from '../services/portal/overview.ts';
import { endPortalSession, isPortalToken, openPortalSession, type PortalVisitor, touchPortalSession } from '../services/portal/token.ts';
import { clearCookie, sessionCookie, sessionOf } from './cookie.ts';
import { endedPage, enterPage, expiredLinkPage, notFoundPage, tooManyDownloadsPage, tooManyRequestsPage } from './page/message.ts';
import { overviewPage } from './page/overview.ts';
import { STYLE_HASH } from './page/style.ts';

export const PORTAL_PREFIX = '/portal';

interface PortalParts {
  readonly db: Database;
  /** URL at which customers reach the portal; with https the cookie is sent over https only. */
  readonly baseUrl: string;
  /** Prints an invoice as a PDF; null when there is none. */
  readonly print: (vendorId: string, invoiceId: string) => Promise<{ bytes: Buffer; name: string } | null>;
  /**
   * Counts a download: how many are left, below zero for one too many, and the seconds until the count starts again.
   */
  readonly countDownload: (customerId: string) => { left: number; reset: number };
  /** The same for a request without a session, by address. */
  readonly countAnonymous: (request: IncomingMessage) => { left: number; reset: number };
}

/** The name of all portal requests in log, metrics and traces, since their URL can contain a secret. */
const NAME = `mounted ${PORTAL_PREFIX}`;
const INVOICE_ID = /^Inv_[0-9a-f-]{36}$/;

/** The URL that opens the portal once. */
export const portalUrl = (baseUrl: string, token: string): string => `${baseUrl}${PORTAL_PREFIX}?token=${encodeURIComponent(token)}`;

/** The customers' pages, for the router of the API. */
export function createPortal({ db, baseUrl, print, countDownload, countAnonymous }: PortalParts): Router {
  const secure = baseUrl.startsWith('https:');

  async function limitAnonymous(ctx: Koa.Context, next: Koa.Next): Promise<void> {
    if (sessionOf(ctx.get('cookie')) === null && isOverLimit(ctx)) return;
    await next();
  }

  /** Only shows a button, since mail scanners open links too and must not use the token. */
  async function showEntry(ctx: Koa.Context, token: string): Promise<void> {
    if (await isPortalToken(db.em(), token)) respond(ctx, 200, enterPage(`${PORTAL_PREFIX}?token=${encodeURIComponent(token)}`));
    else respond(ctx, 410, expiredLinkPage());
  }

  async function enter(ctx: Koa.Context): Promise<void> {
    const token = tokenOf(ctx);
    if (token === null) return notFound(ctx);
    const session = await db.transaction((tx) => openPortalSession(tx, token));
    if (session === null) return respond(ctx, 410, expiredLinkPage());
    redirectToOverview(ctx, sessionCookie(session, secure));
  }

  async function showOverview(ctx: Koa.Context): Promise<void> {
    const token = tokenOf(ctx);
    if (token !== null) return showEntry(ctx, token);
    const visitor = await visitorOf(ctx);
    const overview = visitor === null ? null : await portalOverview(db, visitor);
    if (overview === null) return refuseWithoutSession(ctx);
    respond(ctx, 200, overviewPage(overview));
  }

  async function download(ctx: Koa.Context): Promise<void> {
    const invoiceId: string = ctx.params.invoice_id;
    if (!INVOICE_ID.test(invoiceId)) return notFound(ctx);
    const visitor = await visitorOf(ctx);
    if (visitor === null) return refuseWithoutSession(ctx);
    const { left, reset } = countDownload(visitor.customerId);
    if (left < 0) return refuseFor(ctx, reset, tooManyDownloadsPage());
    const pdf = (await maySeeInvoice(db.em(), visitor, invoiceId)) ? await print(visitor.vendorId, invoiceId) : null;
    if (pdf === null) return notFound(ctx);
    ctx.type = 'application/pdf';
    ctx.set('content-disposition', `attachment; filename="${pdf.name}"`);
    ctx.body = pdf.bytes;
  }

  /** A request with an ended session is counted like one without a session. */
  function refuseWithoutSession(ctx: Koa.Context): void {
    if (sessionOf(ctx.get('cookie')) !== null && isOverLimit(ctx)) return;
    ctx.set('www-authenticate', 'PortalLink realm="Perennial portal"');
    respond(ctx, 401, endedPage());
  }

  function isOverLimit(ctx: Koa.Context): boolean {
    const { left, reset } = countAnonymous(ctx.req);
    if (left < 0) refuseFor(ctx, reset, tooManyRequestsPage());
    return left < 0;
  }

  async function visitorOf(ctx: Koa.Context): Promise<PortalVisitor | null> {
    const session = sessionOf(ctx.get('cookie'));
    return session === null ? null : touchPortalSession(db.em(), session);
  }

  async function leave(ctx: Koa.Context): Promise<void> {
    const session = sessionOf(ctx.get('cookie'));
    if (session !== null) await endPortalSession(db.em(), session);
    redirectToOverview(ctx, clearCookie(secure));
  }

  const router = new Router({ sensitive: true, strict: true });
  router.get(NAME, PORTAL_PREFIX, setSecurityHeaders, limitAnonymous, showOverview);
  router.post(NAME, PORTAL_PREFIX, setSecurityHeaders, limitAnonymous, enter);
  router.get(NAME, `${PORTAL_PREFIX}/invoice/:invoice_id`, setSecurityHeaders, limitAnonymous, download);
  router.post(NAME, `${PORTAL_PREFIX}/leave`, setSecurityHeaders, limitAnonymous, leave);
  router.all(NAME, `${PORTAL_PREFIX}{/{*rest}}`, setSecurityHeaders, limitAnonymous, notFound);
  return router;
}

function tokenOf({ query: { token } }: Koa.Context): string | null {
  return typeof token === 'string' ? token : null;
}

const notFound = (ctx: Koa.Context): void => respond(ctx, 404, notFoundPage());

function redirectToOverview(ctx: Koa.Context, cookie: string): void {
  ctx.set('set-cookie', cookie);
  ctx.status = 303;
  ctx.set('location', PORTAL_PREFIX);
  ctx.body = '';
}

function refuseFor(ctx: Koa.Context, seconds: number, page: string): void {
  ctx.set('retry-after', String(seconds));
  respond(ctx, 429, page);
}

function respond(ctx: Koa.Context, status: number, page: string): void {
  ctx.status = status;
  ctx.type = 'text/html; charset=utf-8';
  ctx.body = page;
}

/** Forbids scripts, frames, caches, and a referrer that could contain a token. */
function setSecurityHeaders(ctx: Koa.Context, next: Koa.Next): Promise<unknown> {
  ctx.set({
    'content-security-policy': `default-src 'none'; style-src '${STYLE_HASH}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-robots-tag': 'noindex',
  });
  return next();
}
