import type Koa from 'koa';
import { Refusal } from '../../billing/refusal.ts';
import { cookiesOf } from './cookie.ts';
import { isFromOurPage, isSameSecret } from './csrf.ts';
import { readForm } from './form.ts';
import type { PortalParts } from './parts.ts';
import { noSuchPage, type PortalResponse } from './response.ts';
import type { PortalRoute } from './route.ts';
import { sendPlain, sendRefusal, sendResponse } from './send.ts';
import { type Visit, visitOf } from './visit.ts';

/**
 * What a request of one route passes: the session, for an act the checks of its form, then the handler.
 *
 * @param page what of the route's path is the path of a page, in segments: it can be shown again, in another language
 */
export const dispatch =
  (route: PortalRoute, parts: PortalParts, page?: number) =>
  async (ctx: Koa.Context): Promise<void> => {
    const visit = await visitOf(ctx, parts, page, route.method === 'post' ? route.path : null);
    if (visit === null) return sendUnknown(ctx, parts);
    if (ctx.path.includes('%00')) return sendResponse(ctx, visit, noSuchPage);
    try {
      sendResponse(ctx, visit, await (route.method === 'get' ? responseOfPage(visit, route) : responseOfAct(ctx, visit, route)));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      sendRefusal(ctx, visit, error);
    }
  };

async function responseOfPage(visit: Visit, { show }: Extract<PortalRoute, { method: 'get' }>): Promise<PortalResponse> {
  const { left, reset } = visit.parts.countPage(visit.visitor.customerId);
  return left < 0 ? { kind: 'fixed', page: 'pages', status: 429, retryAfter: reset } : show(visit);
}

async function responseOfAct(ctx: Koa.Context, visit: Visit, { act }: Extract<PortalRoute, { method: 'post' }>): Promise<PortalResponse> {
  if (!isFromOurPage(ctx, visit.parts.baseUrl)) return { kind: 'fixed', page: 'form', status: 403 };
  const { left, reset } = visit.parts.countAct(visit.visitor.customerId);
  if (left < 0) return { kind: 'fixed', page: 'acts', status: 429, retryAfter: reset };
  const form = await readForm(ctx);
  if (typeof form === 'number') return { kind: 'fixed', page: 'form', status: form };
  if (!isSameSecret(form.text('csrf'), visit.csrf)) return { kind: 'fixed', page: 'form', status: 403 };
  return act(visit, form);
}

/** The page for an address that there isn't, in the vendor's look for those who are signed in. */
export const sendNoSuchPage =
  (parts: PortalParts) =>
  async (ctx: Koa.Context): Promise<void> => {
    const visit = await visitOf(ctx, parts);
    if (visit === null) sendPlain(ctx, 404, 'not_found');
    else sendResponse(ctx, visit, noSuchPage);
  };

/** A request with an ended session is counted like one without a session. */
function sendUnknown(ctx: Koa.Context, parts: PortalParts): void {
  if (cookiesOf(ctx).session !== null && isOverAnonymousLimit(ctx, parts)) return;
  ctx.set('www-authenticate', 'PortalLink realm="Perennial portal"');
  sendPlain(ctx, 401, 'ended');
}

/** Counts a request without a session by its address; true = too many, and the response says so. */
export function isOverAnonymousLimit(ctx: Koa.Context, { countAnonymous }: PortalParts): boolean {
  const { left, reset } = countAnonymous(ctx.req);
  if (left >= 0) return false;
  ctx.set('retry-after', String(reset));
  sendPlain(ctx, 429, 'requests');
  return true;
}

/** Limits requests without a session, and those by a link, which are to open one. */
export const limitAnonymous =
  (parts: PortalParts) =>
  async (ctx: Koa.Context, next: Koa.Next): Promise<void> => {
    if ((cookiesOf(ctx).session === null || ctx.query.token !== undefined) && isOverAnonymousLimit(ctx, parts)) return;
    await next();
  };
