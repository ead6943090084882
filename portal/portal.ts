import type { IncomingMessage } from 'node:http';
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
  /** The same for a request of whom we don't know, by address. */
  readonly countStranger: (request: IncomingMessage) => { left: number; reset: number };
}

const INVOICE = /^\/portal\/invoice\/(Inv_[0-9a-f-]{36})$/;

/** The address that lets a customer in, once. */
export const portalUrl = (baseUrl: string, token: string): string => `${baseUrl}${PREFIX}?token=${encodeURIComponent(token)}`;

/** The customers' pages, to be mounted beside the API. */
export function createPortal({ db, baseUrl, print, countDownload, countStranger }: PortalParts): {
  prefix: string;
  handle: Koa.Middleware;
} {
  const secure = baseUrl.startsWith('https:');
  const handle: Koa.Middleware = async (context) => {
    protect(context);
    if (sessionOf(context.get('cookie')) === null && isTooMuch(context)) return;
    const { method, path } = context;
    const token = context.query.token;
    const reads = method === 'GET' || method === 'HEAD';
    if (path === PREFIX && method === 'POST' && typeof token === 'string') return enter(context, token);
    if (path === PREFIX && reads) return typeof token === 'string' ? offer(context, token) : show(context);
    const invoice = INVOICE.exec(path)?.[1];
    if (invoice !== undefined && reads) return download(context, invoice);
    if (path === `${PREFIX}/leave` && method === 'POST') return leave(context);
    answer(context, 404, notFoundPage());
  };

  /** Only shows a button: programs that look at links in mails open them too, and must not spend them. */
  async function offer(context: Koa.Context, token: string): Promise<void> {
    if (await isPortalToken(db.em(), token)) answer(context, 200, enterPage(`${PREFIX}?token=${encodeURIComponent(token)}`));
    else answer(context, 410, expiredLinkPage());
  }

  async function enter(context: Koa.Context, token: string): Promise<void> {
    const session = await db.transaction((tx) => openPortalSession(tx, token));
    if (session === null) return answer(context, 410, expiredLinkPage());
    context.set('set-cookie', sessionCookie(session, secure));
    context.status = 303;
    context.set('location', PREFIX);
    context.body = '';
  }

  async function show(context: Koa.Context): Promise<void> {
    const visitor = await visitorOf(context);
    const overview = visitor === null ? null : await portalOverview(db, visitor);
    if (overview === null) return turnAway(context);
    answer(context, 200, overviewPage(overview));
  }

  async function download(context: Koa.Context, invoiceId: string): Promise<void> {
    const visitor = await visitorOf(context);
    if (visitor === null) return turnAway(context);
    const { left, reset } = countDownload(visitor.customerId);
    if (left < 0) return refuseFor(context, reset, tooManyDownloadsPage());
    const printed = (await maySeeInvoice(db.em(), visitor, invoiceId)) ? await print(visitor.vendorId, invoiceId) : null;
    if (printed === null) return answer(context, 404, notFoundPage());
    context.type = 'application/pdf';
    context.set('content-disposition', `attachment; filename="${printed.name}"`);
    context.body = printed.bytes;
  }

  /** A session that is over is as good as none. */
  function turnAway(context: Koa.Context): void {
    if (sessionOf(context.get('cookie')) !== null && isTooMuch(context)) return;
    context.set('www-authenticate', 'PortalLink realm="Perennial portal"');
    answer(context, 401, endedPage());
  }

  function isTooMuch(context: Koa.Context): boolean {
    const { left, reset } = countStranger(context.req);
    if (left < 0) refuseFor(context, reset, tooManyRequestsPage());
    return left < 0;
  }

  async function visitorOf(context: Koa.Context): Promise<PortalVisitor | null> {
    const session = sessionOf(context.get('cookie'));
    return session === null ? null : touchPortalSession(db.em(), session);
  }

  async function leave(context: Koa.Context): Promise<void> {
    const session = sessionOf(context.get('cookie'));
    if (session !== null) await endPortalSession(db.em(), session);
    context.set('set-cookie', clearCookie(secure));
    context.status = 303;
    context.set('location', PREFIX);
    context.body = '';
  }

  return { prefix: PREFIX, handle };
}

function refuseFor(context: Koa.Context, seconds: number, page: string): void {
  context.set('retry-after', String(seconds));
  answer(context, 429, page);
}

function answer(context: Koa.Context, status: number, page: string): void {
  context.status = status;
  context.type = 'text/html; charset=utf-8';
  context.body = page;
}

/** No scripts, no frames, no referrer that could carry a token, nothing kept by caches. */
function protect(context: Koa.Context): void {
  context.set({
    'content-security-policy': `default-src 'none'; style-src '${STYLE_HASH}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-robots-tag': 'noindex',
  });
}
