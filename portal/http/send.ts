import type Koa from 'koa';
import type { Refusal } from '../../billing/refusal.ts';
import type { Reader } from '../messages/language.ts';
import { refusalText } from '../messages/refusal.ts';
import { backToOverview, messageContent } from '../pages/message/view.ts';
import { cookiesOf } from './cookie.ts';
import { frameOf, plainFrame } from './frame.ts';
import { imageSourceOf } from './headers.ts';
import type { PortalParts } from './parts.ts';
import { type FixedPage, type PageParts, type PortalResponse, sendDocument, sendFile, sendMove } from './response.ts';
import { readerFor, type Visit } from './visit.ts';

/** Writes what a handler gave back. */
export function sendResponse(ctx: Koa.Context, visit: Visit, response: PortalResponse): void {
  if (response.kind === 'page') sendPage(ctx, visit, response);
  else if (response.kind === 'move') sendMove(ctx, response);
  else if (response.kind === 'file') sendFile(ctx, response);
  else {
    if (response.retryAfter !== undefined) ctx.set('retry-after', String(response.retryAfter));
    sendPage(ctx, visit, fixedPage(visit, response.page, response.status));
  }
}

function sendPage(ctx: Koa.Context, visit: Visit, page: Omit<PageParts, 'kind'>): void {
  // a note is shown once
  if (visit.note !== null) cookiesOf(ctx).clear('note');
  sendDocument(ctx, page.status ?? 200, frameOf(visit, page), {
    imageSource: imageSourceOf(visit.look),
    formOrigins: page.formOrigins ?? [],
  });
}

const fixedPage = (visit: Visit, page: FixedPage, status: number): Omit<PageParts, 'kind'> =>
  messagePage(visit, visit.t(`message.${page}_title`), visit.t(`message.${page}_text`), status);

const messagePage = (reader: Reader, title: string, text: string, status: number): Omit<PageParts, 'kind'> => ({
  title,
  content: messageContent(title, text, backToOverview(reader)),
  status,
  narrow: true,
});

/** Writes a page for somebody who isn't signed in. */
export function sendPlain(ctx: Koa.Context, status: number, page: FixedPage): void {
  const reader = readerFor(ctx);
  const [title, text] = [reader.t(`message.${page}_title`), reader.t(`message.${page}_text`)];
  sendDocument(ctx, status, plainFrame(reader, { title, content: messageContent(title, text) }));
}

const REFUSED = 409;

/** The page for what a service refused, in the customer's words. */
export function sendRefusal(ctx: Koa.Context, visit: Visit, { code, retryAfter }: Refusal): void {
  if (retryAfter !== undefined) ctx.set('retry-after', String(retryAfter));
  sendPage(ctx, visit, messagePage(visit, visit.t('message.refused_title'), refusalText(visit.t, code), REFUSED));
}

/** Writes a page for what nobody expected; the details are recorded, not shown. */
export async function sendFailures(ctx: Koa.Context, next: Koa.Next, { failed }: PortalParts): Promise<void> {
  try {
    await next();
  } catch (error) {
    const failure = failed(error, String(ctx.state.requestId));
    if (failure === null) throw error;
    if (failure.retryAfter !== undefined) ctx.set('retry-after', String(failure.retryAfter));
    const reader = readerFor(ctx);
    const [title, text] = [reader.t('message.failed_title'), reader.t('message.failed_text')];
    sendDocument(ctx, failure.status, plainFrame(reader, { title, content: messageContent(title, text) }));
  }
}
