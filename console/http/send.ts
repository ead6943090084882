import type Koa from 'koa';
import { sendDocument, sendFile, sendRedirect } from '../../portal/http/response.ts';
import { type Html, html } from '../../portal/parts/html.ts';
import type { Reader } from '../messages/reader.ts';
import { frameOf, plainFrame } from './frame.ts';
import { CONSOLE_PREFIX, type ConsoleParts } from './parts.ts';
import type { ConsoleResponse, FixedPage } from './response.ts';
import { readerFor, type Visit } from './visit.ts';

/** Writes what a handler gave back. */
export function sendResponse(ctx: Koa.Context, visit: Visit, response: ConsoleResponse): void {
  if (response.kind === 'page') sendDocument(ctx, response.status ?? 200, frameOf(visit, response));
  else if (response.kind === 'move') sendRedirect(ctx, response.to);
  else if (response.kind === 'file') sendFile(ctx, { kind: 'file', type: 'application/pdf', ...response.print });
  else {
    if (response.retryAfter !== undefined) ctx.set('retry-after', String(response.retryAfter));
    sendDocument(ctx, response.status, frameOf(visit, { ...messagePage(visit, response.page, true), narrow: true }));
  }
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
