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

export const PREFIX = '/portal';

interface PortalParts {
  readonly db: Database;
  /** Address under which customers reach us; with https the cookie is for https alone. */
  readonly baseUrl: string;
  /** An invoice as a PDF. */
  readonly print: (vendorId: string, invoiceId: string) => Promise<{ bytes: Buffer; name: string } | null>;
  /** Counts a download of a customer; gives how many are left, negative for one too many, and the seconds until there are new ones. */
  readonly countDownload: (customerId: string) => { left: number; reset: number };
  /** The same for a request without a session, by address. */
  readonly countStranger: (request: IncomingMessage) => { left: number; reset: number };
}

/** What the log, the metrics and the trace call every request of a customer: its address may hold a secret. */
const NAME = `mounted ${PREFIX}`;
const INVOICE_ID = /^Inv_[0-9a-f-]{36}$/;

/** The address that lets a customer in, once. */
export const portalUrl = (baseUrl: string, token: string): string => `${baseUrl}${PREFIX}?token=${encodeURIComponent(token)}`;

/** The customers' pages, for the router of the API. */
export function createPortal({ db, baseUrl, print, countDownload, countStranger }: PortalParts): Router {
  const secure = baseUrl.startsWith('https:');

  async function limitStrangers(ctx: Koa.Context, next: Koa.Next): Promise<void> {
    if (sessionOf(ctx.get('cookie')) === null && isTooMuch(ctx)) return;
    await next();
  }

  /** Only shows a button: programs that look at links in mails open them too, and must not spend them. */
  async function offer(ctx: Koa.Context, token: string): Promise<void> {
    if (await isPortalToken(db.em(), token)) respond(ctx, 200, enterPage(`${PREFIX}?token=${encodeURIComponent(token)}`));
    else respond(ctx, 410, expiredLinkPage());
  }

  async function enter(ctx: Koa.Context): Promise<void> {
    const token = tokenOf(ctx);
    if (token === null) return notFound(ctx);
    const session = await db.transaction((tx) => openPortalSession(tx, token));
    if (session === null) return respond(ctx, 410, expiredLinkPage());
    leadHome(ctx, sessionCookie(session, secure));
  }

  async function show(ctx: Koa.Context): Promise<void> {
    const token = tokenOf(ctx);
    if (token !== null) return offer(ctx, token);
    const visitor = await visitorOf(ctx);
    const overview = visitor === null ? null : await portalOverview(db, visitor);
    if (overview === null) return turnAway(ctx);
    respond(ctx, 200, overviewPage(overview));
  }

  async function download(ctx: Koa.Context): Promise<void> {
    const invoiceId: string = ctx.params.invoice_id;
    if (!INVOICE_ID.test(invoiceId)) return notFound(ctx);
    const visitor = await visitorOf(ctx);
    if (visitor === null) return turnAway(ctx);
    const { left, reset } = countDownload(visitor.customerId);
    if (left < 0) return refuseFor(ctx, reset, tooManyDownloadsPage());
    const printed = (await maySeeInvoice(db.em(), visitor, invoiceId)) ? await print(visitor.vendorId, invoiceId) : null;
    if (printed === null) return notFound(ctx);
    ctx.type = 'application/pdf';
    ctx.set('content-disposition', `attachment; filename="${printed.name}"`);
    ctx.body = printed.bytes;
  }

  /** A session that has ended counts as none. */
  function turnAway(ctx: Koa.Context): void {
    if (sessionOf(ctx.get('cookie')) !== null && isTooMuch(ctx)) return;
    ctx.set('www-authenticate', 'PortalLink realm="Perennial portal"');
    respond(ctx, 401, endedPage());
  }

  function isTooMuch(ctx: Koa.Context): boolean {
    const { left, reset } = countStranger(ctx.req);
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
    leadHome(ctx, clearCookie(secure));
  }

  const router = new Router({ sensitive: true, strict: true });
  router.get(NAME, PREFIX, protect, limitStrangers, show);
  router.post(NAME, PREFIX, protect, limitStrangers, enter);
  router.get(NAME, `${PREFIX}/invoice/:invoice_id`, protect, limitStrangers, download);
  router.post(NAME, `${PREFIX}/leave`, protect, limitStrangers, leave);
  router.all(NAME, `${PREFIX}{/{*rest}}`, protect, limitStrangers, notFound);
  return router;
}

function tokenOf({ query: { token } }: Koa.Context): string | null {
  return typeof token === 'string' ? token : null;
}

const notFound = (ctx: Koa.Context): void => respond(ctx, 404, notFoundPage());

function leadHome(ctx: Koa.Context, cookie: string): void {
  ctx.set('set-cookie', cookie);
  ctx.status = 303;
  ctx.set('location', PREFIX);
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

/** No scripts, no frames, no referrer that could carry a token, nothing stored by caches. */
function protect(ctx: Koa.Context, next: Koa.Next): Promise<unknown> {
  ctx.set({
    'content-security-policy': `default-src 'none'; style-src '${STYLE_HASH}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-robots-tag': 'noindex',
  });
  return next();
}
