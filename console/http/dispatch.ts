import type Koa from 'koa';
import { cookiesOf } from '../../portal/http/cookie.ts';
import { isFromOurPage, isSameSecret } from '../../portal/http/csrf.ts';
import { readForm } from '../../portal/http/form.ts';
import { againOnTime } from '../../services/contract/catch-up.ts';
import { showSignIn } from '../pages/entry/routes.ts';
import { askerWith } from './asked.ts';
import { isOverLimit } from './over-limit.ts';
import type { ConsoleParts } from './parts.ts';
import { type ConsoleResponse, noSuchPage } from './response.ts';
import type { ConsoleRoute } from './route.ts';
import { sendExpected, sendPlain, sendResponse } from './send.ts';
import { type Visit, visitOf } from './visit.ts';

/**
 * What a request of one route passes: the session, for an act its scope and the checks of its form, then the handler.
 */
export const dispatch =
  (route: ConsoleRoute, parts: ConsoleParts) =>
  async (ctx: Koa.Context): Promise<void> => {
    const visit = await visitOf(ctx, parts, route.path);
    if (visit === null) return sendUnknown(ctx, parts);
    try {
      sendResponse(ctx, visit, tooMany(visit) ?? (await responseOf(ctx, visit, route)));
    } catch (error) {
      sendExpected(ctx, visit, error);
    }
  };

/**
 * Every request of a session counts, whatever its outcome: even a page that doesn't exist costs a look at the database.
 */
function tooMany({ parts, visitor }: Visit): ConsoleResponse | null {
  const { left, reset } = parts.countPage(visitor.sessionId);
  return left < 0 ? { kind: 'fixed', page: 'pages', status: 429, retryAfter: reset } : null;
}

async function responseOf(ctx: Koa.Context, visit: Visit, route: ConsoleRoute): Promise<ConsoleResponse> {
  if (ctx.path.includes('%00')) return noSuchPage;
  if (route.method === 'post') return responseOfAct(ctx, visit, route);
  return route.asks && visit.visitor.scope !== 'full' ? readOnly : route.show(visit);
}

const readOnly: ConsoleResponse = { kind: 'fixed', page: 'read_only', status: 403 };

/** A session of a `read` key acts by no request, whatever its form says. */
async function responseOfAct(
  ctx: Koa.Context,
  visit: Visit,
  { act, fields, isDraft = false, mostBytes }: Extract<ConsoleRoute, { method: 'post' }>,
): Promise<ConsoleResponse> {
  const { visitor, parts, db } = visit;
  if (!isFromOurPage(ctx, parts.baseUrl)) return { kind: 'fixed', page: 'form', status: 403 };
  if (visitor.scope !== 'full') return readOnly;
  const { left, reset } = isDraft ? { left: 0, reset: 0 } : parts.countAct(visitor.sessionId);
  if (left < 0) return { kind: 'fixed', page: 'acts', status: 429, retryAfter: reset };
  const form = await readForm(ctx, mostBytes);
  if (typeof form === 'number') return { kind: 'fixed', page: 'form', status: form };
  if (!isSameSecret(form.text('csrf'), visit.csrf)) return { kind: 'fixed', page: 'form', status: 403 };
  const asking = { ...visit, asker: askerWith(visit.asker, form, fields) };
  const write = async () => act(asking, form);
  const advance = (contractId: string) => parts.catchUp(visitor.vendorId, contractId);
  return write().catch((error: unknown) => againOnTime(db, error, write, advance));
}

/** The page for an address that there isn't. */
export const sendNoSuchPage =
  (parts: ConsoleParts) =>
  async (ctx: Koa.Context): Promise<void> => {
    const visit = await visitOf(ctx, parts);
    if (visit !== null) sendResponse(ctx, visit, tooMany(visit) ?? noSuchPage);
    else if (!isEndedOverLimit(ctx, parts)) sendPlain(ctx, 404, 'not_found');
  };

/** The page to sign in on leads back to where this request went. */
function sendUnknown(ctx: Koa.Context, parts: ConsoleParts): void {
  if (!isEndedOverLimit(ctx, parts)) showSignIn(ctx, parts);
}

/** A request with an ended session counts like one without; those without have been counted already. */
const isEndedOverLimit = (ctx: Koa.Context, parts: ConsoleParts): boolean => cookiesOf(ctx).session !== null && isOverLimit(ctx, parts);

/** Limits requests without a session, by address. */
export const limitAnonymous =
  (parts: ConsoleParts) =>
  async (ctx: Koa.Context, next: Koa.Next): Promise<void> => {
    if (cookiesOf(ctx).session === null && isOverLimit(ctx, parts)) return;
    await next();
  };
