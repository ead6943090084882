import type Koa from 'koa';
import type { Refusal, RefusalCode } from '../../billing/refusal.ts';
import { cookiesOf } from '../../portal/http/cookie.ts';
import { noteToCookie } from '../../portal/http/note.ts';
import { sendDocument, sendFile, sendRedirect } from '../../portal/http/response.ts';
import { type Html, html } from '../../portal/parts/html.ts';
import type { Reader } from '../messages/reader.ts';
import { frameOf, plainFrame } from './frame.ts';
import { CONSOLE_PREFIX, type ConsoleParts } from './parts.ts';
import type { ConsoleResponse, FixedPage, PageParts } from './response.ts';
import { readerFor, type Visit } from './visit.ts';

/** Writes what a handler gave back. */
export function sendResponse(ctx: Koa.Context, visit: Visit, response: ConsoleResponse): void {
  if (response.kind === 'page') sendPage(ctx, visit, response);
  else if (response.kind === 'move') sendMove(ctx, response);
  else if (response.kind === 'file') sendFile(ctx, { kind: 'file', type: 'application/pdf', ...response.print });
  else {
    if (response.retryAfter !== undefined) ctx.set('retry-after', String(response.retryAfter));
    sendPage(ctx, visit, { ...messagePage(visit, response.page, true), status: response.status, narrow: true });
  }
}

function sendPage(ctx: Koa.Context, visit: Visit, page: PageParts): void {
  // a note is shown once
  if (visit.note !== null) cookiesOf(ctx).clear('note');
  sendDocument(ctx, page.status ?? 200, frameOf(visit, page));
}

function sendMove(ctx: Koa.Context, { to, note }: Extract<ConsoleResponse, { kind: 'move' }>): void {
  const cookies = cookiesOf(ctx);
  if (note !== null) cookies.setNote(noteToCookie(cookies.session ?? '', note));
  sendRedirect(ctx, to);
}

const REFUSED = 409;
const NOT_THERE: ReadonlySet<RefusalCode> = new Set(['contract_not_found', 'customer_not_found', 'invoice_not_found']);

/** The page for what a service refused, in the words that the API has for it. */
export function sendRefusal(ctx: Koa.Context, visit: Visit, { code, message, retryAfter }: Refusal): void {
  if (retryAfter !== undefined) ctx.set('retry-after', String(retryAfter));
  const page = NOT_THERE.has(code) ? { ...messagePage(visit, 'not_found', true), status: 404 } : refusedPage(visit, message);
  sendPage(ctx, visit, { ...page, narrow: true });
}

function refusedPage({ t }: Reader, message: string): PageParts {
  const title = t('message.refused_title');
  const back = html`<p><a href="${CONSOLE_PREFIX}">${t('message.back')}</a></p>`;
  return { title, content: html`<section><h1>${title}</h1><p lang="en">${message}</p>${back}</section>`, status: REFUSED };
}

/** Writes a page for somebody who isn't signed in. */
export function sendPlain(ctx: Koa.Context, status: number, page: FixedPage): void {
  const reader = readerFor(ctx);
  sendDocument(ctx, status, plainFrame(reader, messagePage(reader, page, false)));
}

function messagePage({ t }: Reader, page: FixedPage, isSignedIn: boolean): { title: string; content: Html } {
  const title = t(`message.${page}_title`);
  const back = isSignedIn ? html`<p><a href="${CONSOLE_PREFIX}">${t('message.back')}</a></p>` : null;
  return { title, content: html`<section><h1>${title}</h1><p>${t(`message.${page}_text`)}</p>${back}</section>` };
}

/** Writes a page for what nobody expected; the details are recorded, not shown. */
export const sendFailures =
  ({ failed }: ConsoleParts) =>
  async (ctx: Koa.Context, next: Koa.Next): Promise<void> => {
    try {
      await next();
    } catch (error) {
      const failure = failed(error, String(ctx.state.requestId));
      if (failure === null) throw error;
      if (failure.retryAfter !== undefined) ctx.set('retry-after', String(failure.retryAfter));
      sendPlain(ctx, failure.status, 'failed');
    }
  };
