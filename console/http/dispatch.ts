import type Koa from 'koa';
import { Refusal } from '../../billing/refusal.ts';
import type { Asker } from '../../db/audited-call.ts';
import { cookiesOf } from '../../portal/http/cookie.ts';
import { isFromOurPage, isSameSecret } from '../../portal/http/csrf.ts';
import { type Form, readForm } from '../../portal/http/form.ts';
import { showSignIn } from '../pages/entry/routes.ts';
import { isOverLimit } from './over-limit.ts';
import type { ConsoleParts } from './parts.ts';
import { type ConsoleResponse, noSuchPage } from './response.ts';
import type { ConsoleRoute } from './route.ts';
import { sendPlain, sendRefusal, sendResponse } from './send.ts';
import { type Visit, visitOf } from './visit.ts';

/**
 * What a request of one route passes: the session, for an act its scope and the checks of its form, then the handler.
 */
export const dispatch =
  (route: ConsoleRoute, parts: ConsoleParts) =>
  async (ctx: Koa.Context): Promise<void> => {
    const visit = await visitOf(ctx, parts, route.path);
    if (visit === null) return sendUnknown(ctx, parts);
    if (ctx.path.includes('%00')) return sendResponse(ctx, visit, noSuchPage);
    try {
      sendResponse(ctx, visit, await (route.method === 'get' ? responseOfPage(visit, route) : responseOfAct(ctx, visit, route)));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      sendRefusal(ctx, visit, error);
    }
  };

async function responseOfPage(visit: Visit, { show, asks }: Extract<ConsoleRoute, { method: 'get' }>): Promise<ConsoleResponse> {
  if (asks && visit.visitor.scope !== 'full') return readOnly;
  const { left, reset } = visit.parts.countPage(visit.visitor.sessionId);
  return left < 0 ? { kind: 'fixed', page: 'pages', status: 429, retryAfter: reset } : show(visit);
}

const readOnly: ConsoleResponse = { kind: 'fixed', page: 'read_only', status: 403 };

/** A session of a `read` key acts by no request, whatever its form says. */
async function responseOfAct(ctx: Koa.Context, visit: Visit, { act }: Extract<ConsoleRoute, { method: 'post' }>): Promise<ConsoleResponse> {
  const { visitor, parts } = visit;
  if (!isFromOurPage(ctx, parts.baseUrl)) return { kind: 'fixed', page: 'form', status: 403 };
  if (visitor.scope !== 'full') return readOnly;
  const { left, reset } = parts.countAct(visitor.sessionId);
  if (left < 0) return { kind: 'fixed', page: 'acts', status: 429, retryAfter: reset };
  const form = await readForm(ctx);
  if (typeof form === 'number') return { kind: 'fixed', page: 'form', status: form };
  if (!isSameSecret(form.text('csrf'), visit.csrf)) return { kind: 'fixed', page: 'form', status: 403 };
  return act({ ...visit, asker: withFields(visit.asker, form) }, form);
}

/** The page for an address that there isn't. */
export const sendNoSuchPage =
  (parts: ConsoleParts) =>
  async (ctx: Koa.Context): Promise<void> => {
    const visit = await visitOf(ctx, parts);
    if (visit !== null) sendResponse(ctx, visit, noSuchPage);
    else if (!isEndedOverLimit(ctx, parts)) sendPlain(ctx, 404, 'not_found');
  };

/** The page to sign in on leads back to where this request went. */
function sendUnknown(ctx: Koa.Context, parts: ConsoleParts): void {
  if (!isEndedOverLimit(ctx, parts)) showSignIn(ctx);
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

/** What was asked for is written down with the act: the fields of its form, without the proof of where it came from. */
function withFields(asker: Asker, form: Form): Asker {
  const asked = Object.fromEntries(form.entries().filter(([name]) => name !== 'csrf'));
  return asker.audit === undefined ? asker : { ...asker, audit: { ...asker.audit, asked } };
}
