import type Koa from 'koa';
import { cookiesOf } from '../../../portal/http/cookie.ts';
import { csrfOf, isFromOurPage, isSameSecret } from '../../../portal/http/csrf.ts';
import { readForm } from '../../../portal/http/form.ts';
import { sendDocument, sendRedirect } from '../../../portal/http/response.ts';
import {
  type ConsoleVisitor,
  endConsoleSession,
  endSessionsOf,
  openConsoleSession,
  touchConsoleSession,
} from '../../../services/console/session.ts';
import { plainFrame } from '../../http/frame.ts';
import { isOverLimit } from '../../http/over-limit.ts';
import { CONSOLE_PREFIX, type ConsoleParts } from '../../http/parts.ts';
import { sendPlain } from '../../http/send.ts';
import { readerFor } from '../../http/visit.ts';
import { ownPage } from '../own-page.ts';
import { type SignInRefused, signInContent } from './view.ts';

const STATUS: Readonly<Record<SignInRefused, number>> = {
  unknown: 422,
  usage: 422,
  tries: 429,
  round: 422,
  no_access: 403,
  provider_denied: 403,
  provider_answer: 422,
  provider_down: 503,
};

/** Shows the page to sign in on, which leads to the page that was asked for. */
export function showSignIn(ctx: Koa.Context, { provider }: ConsoleParts): void {
  ctx.set('www-authenticate', 'ConsoleSession realm="Perennial console"');
  sendSignIn(ctx, ctx.method === 'GET' ? ownPage(ctx.url) : CONSOLE_PREFIX, null, provider !== null);
}

/** @param hasProvider people may sign in with a service of the vendor's too */
export function sendSignIn(ctx: Koa.Context, to: string, refused: SignInRefused | null, hasProvider: boolean): void {
  const reader = readerFor(ctx);
  const page = { title: reader.t('entry.title'), content: signInContent(reader, { to, refused, hasProvider }) };
  sendDocument(ctx, refused === null ? 401 : STATUS[refused], plainFrame(reader, page, to));
}

/** Counts a try to sign in; false = too many from this address, and the response says when to try again. */
export function countedSignIn(ctx: Koa.Context, { countSignIn }: ConsoleParts): boolean {
  const { left, reset } = countSignIn(ctx.req);
  if (left < 0) ctx.set('retry-after', String(reset));
  return left >= 0;
}

/**
 * Trades a key for a session, which is always a new one: a cookie that somebody has put there opens nothing. A form of
 * another site could sign somebody in as somebody else.
 */
export async function signIn(ctx: Koa.Context, parts: ConsoleParts): Promise<void> {
  if (!isFromOurPage(ctx, parts.baseUrl)) return sendPlain(ctx, 403, 'form');
  const form = await readForm(ctx);
  if (typeof form === 'number') return sendPlain(ctx, form, 'form');
  const to = ownPage(form.text('to'));
  const hasProvider = parts.provider !== null;
  if (!countedSignIn(ctx, parts)) return sendSignIn(ctx, to, 'tries', hasProvider);
  const opened = await openConsoleSession(parts.db, form.text('api_key'));
  if ('refused' in opened) return sendSignIn(ctx, to, opened.refused, hasProvider);
  const cookies = cookiesOf(ctx);
  // ends the earlier session: its cookie is replaced, so that nobody could sign out of it any more
  if (cookies.session !== null) await endConsoleSession(parts.db, cookies.session);
  cookies.setSession(opened.session);
  sendRedirect(ctx, to);
}

/** Ends the session. */
export const leave = (ctx: Koa.Context, parts: ConsoleParts): Promise<void> =>
  leaving(ctx, parts, (session) => endConsoleSession(parts.db, session));

/** Ends every session of the same key, or of the same person. */
export const leaveEverywhere = (ctx: Koa.Context, parts: ConsoleParts): Promise<void> =>
  leaving(ctx, parts, (_, visitor) => endSessionsOf(parts.db, visitor));

type End = (session: string, visitor: ConsoleVisitor) => Promise<void>;

/**
 * A form of another session or another site ends nothing. A request whose session has ended counts like one without a
 * session.
 */
async function leaving(ctx: Koa.Context, parts: ConsoleParts, end: End): Promise<void> {
  if (!isFromOurPage(ctx, parts.baseUrl)) return sendPlain(ctx, 403, 'form');
  const form = await readForm(ctx);
  if (typeof form === 'number') return sendPlain(ctx, form, 'form');
  const cookies = cookiesOf(ctx);
  const { session } = cookies;
  if (session !== null) {
    if (!isSameSecret(form.text('csrf'), csrfOf(session))) return sendPlain(ctx, 403, 'form');
    const visitor = await touchConsoleSession(parts.db, session);
    if (visitor !== null) await end(session, visitor);
    else if (isOverLimit(ctx, parts)) return;
  }
  cookies.clear('session');
  sendRedirect(ctx, CONSOLE_PREFIX);
}
