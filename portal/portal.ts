import type Koa from 'koa';
import type { Database } from '../db/connect.ts';
import { portalOverview } from '../db/portal/overview.ts';
import { endPortalSession, openPortalSession, touchPortalSession } from '../db/portal/token.ts';
import { clearCookie, sessionCookie, sessionOf } from './cookie.ts';
import { endedPage, expiredLinkPage, notFoundPage } from './page/message.ts';
import { overviewPage } from './page/overview.ts';
import { STYLE_HASH } from './page/style.ts';

export const PREFIX = '/portal';

export interface PortalParts {
  readonly db: Database;
  /** Address under which customers reach us; with https the cookie is for https alone. */
  readonly baseUrl: string;
}

/** The address that lets a customer in, once. */
export const portalUrl = (baseUrl: string, token: string): string => `${baseUrl}${PREFIX}?token=${encodeURIComponent(token)}`;

/** The customers' pages, to be mounted beside the API. */
export function createPortal({ db, baseUrl }: PortalParts): { prefix: string; handle: Koa.Middleware } {
  const secure = baseUrl.startsWith('https:');
  const handle: Koa.Middleware = async (context) => {
    protect(context);
    const { method, path } = context;
    const token = context.query.token;
    if (path === PREFIX && method === 'GET' && typeof token === 'string') return enter(context, token);
    if (path === PREFIX && (method === 'GET' || method === 'HEAD')) return show(context);
    if (path === `${PREFIX}/leave` && method === 'POST') return leave(context);
    answer(context, 404, notFoundPage());
  };

  async function enter(context: Koa.Context, token: string): Promise<void> {
    const session = await db.transaction((tx) => openPortalSession(tx, token));
    if (session === null) return answer(context, 410, expiredLinkPage());
    context.set('set-cookie', sessionCookie(session, secure));
    context.redirect(PREFIX);
    context.body = '';
  }

  async function show(context: Koa.Context): Promise<void> {
    const session = sessionOf(context.get('cookie'));
    const visitor = session === null ? null : await touchPortalSession(db, session);
    const overview = visitor === null ? null : await portalOverview(db, visitor);
    if (overview === null) return answer(context, 401, endedPage());
    answer(context, 200, overviewPage(overview));
  }

  async function leave(context: Koa.Context): Promise<void> {
    const session = sessionOf(context.get('cookie'));
    if (session !== null) await endPortalSession(db, session);
    context.set('set-cookie', clearCookie(secure));
    context.status = 303;
    context.set('location', PREFIX);
    context.body = '';
  }

  return { prefix: PREFIX, handle };
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
