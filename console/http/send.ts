import type Koa from 'koa';
import { CatchingUp } from '../../billing/contract/advance/catching-up.ts';
import { BillingError } from '../../billing/problem.ts';
import { Refusal, type RefusalCode } from '../../billing/refusal.ts';
import { CommitUnknown } from '../../db/sql/transaction/commit-fate.ts';
import { cookiesOf } from '../../portal/http/cookie.ts';
import { noteToCookie } from '../../portal/http/note.ts';
import { sendDocument, sendFile, sendRedirect } from '../../portal/http/response.ts';
import { type Html, html } from '../../portal/parts/html.ts';
import { isProviderMissing } from '../../services/payment/provider-away.ts';
import type { Reader } from '../messages/reader.ts';
import { frameOf, plainFrame } from './frame.ts';
import { onceToCookie } from './once.ts';
import { CONSOLE_PREFIX, type ConsoleParts } from './parts.ts';
import type { ConsoleResponse, FixedPage, PageParts } from './response.ts';
import { readerFor, type Visit } from './visit.ts';

/** Writes what a handler gave back. */
export function sendResponse(ctx: Koa.Context, visit: Visit, response: ConsoleResponse): void {
  if (response.kind === 'page') sendPage(ctx, visit, response);
  else if (response.kind === 'move') sendMove(ctx, visit, response);
  else if (response.kind === 'file') sendFile(ctx, { kind: 'file', type: 'application/pdf', ...response.print });
  else {
    if (response.retryAfter !== undefined) ctx.set('retry-after', String(response.retryAfter));
    sendPage(ctx, visit, { ...messagePage(visit, response.page, true), status: response.status, narrow: true });
  }
}

function sendPage(ctx: Koa.Context, visit: Visit, page: PageParts): void {
  // each is shown once
  if (visit.note !== null) cookiesOf(ctx).clear('note');
  if (visit.once !== null) cookiesOf(ctx).clear('once');
  if (page.refreshSeconds !== undefined) ctx.set('refresh', String(page.refreshSeconds));
  sendDocument(ctx, page.status ?? 200, frameOf(visit, page));
}

function sendMove(ctx: Koa.Context, { parts }: Visit, { to, note, once }: Extract<ConsoleResponse, { kind: 'move' }>): void {
  const cookies = cookiesOf(ctx);
  const session = cookies.session ?? '';
  if (note !== null) cookies.setNote(noteToCookie(session, note));
  if (once !== undefined) cookies.setOnce(onceToCookie(once, { session, path: to }, parts.secret));
  sendRedirect(ctx, to);
}

const [REFUSED, INVALID, UNAVAILABLE] = [409, 422, 503];
const NOT_THERE: ReadonlySet<RefusalCode> = new Set([
  'contract_not_found',
  'credit_grant_not_found',
  'customer_not_found',
  'event_not_found',
  'invoice_not_found',
  'test_clock_not_found',
  'import_not_found',
  'webhook_endpoint_not_found',
  'plan_move_not_found',
  'plan_not_found',
]);
/** Seconds after which a late contract is worth another look. */
const LATE_RETRY = 2;

/** Writes the page for what a handler threw and somebody can act on; throws again what nobody expected. */
export function sendExpected(ctx: Koa.Context, visit: Visit, error: unknown): void {
  if (error instanceof Refusal) sendRefusal(ctx, visit, error);
  else if (error instanceof BillingError) sendInvalid(ctx, visit, error);
  else if (isProviderMissing(error)) sendPage(ctx, visit, { ...refusedPage(visit, error.message, REFUSED), narrow: true });
  else {
    const page = passing(error);
    if (page === null) throw error;
    visit.parts.failed(error, String(ctx.state.requestId));
    sendResponse(ctx, visit, page);
  }
}

/** The page for what a rule found wrong, where no form of ours can show it beside its field. */
function sendInvalid(ctx: Koa.Context, visit: Visit, { problems }: BillingError): void {
  const messages = problems.map(({ message }) => message).join('; ');
  sendPage(ctx, visit, { ...refusedPage(visit, messages, INVALID), narrow: true });
}

/** What may be different in a moment: nothing was done, or nobody can say yet whether it was. */
function passing(error: unknown): ConsoleResponse | null {
  if (error instanceof CatchingUp) return { kind: 'fixed', page: 'catching_up', status: UNAVAILABLE, retryAfter: LATE_RETRY };
  if (error instanceof CommitUnknown) return { kind: 'fixed', page: 'unknown', status: UNAVAILABLE, retryAfter: error.retryAfter };
  return null;
}

/** The page for what a service refused, in the words that the API has for it. */
function sendRefusal(ctx: Koa.Context, visit: Visit, { code, message, retryAfter }: Refusal): void {
  if (retryAfter !== undefined) ctx.set('retry-after', String(retryAfter));
  const page = NOT_THERE.has(code) ? { ...messagePage(visit, 'not_found', true), status: 404 } : refusedPage(visit, message, REFUSED);
  sendPage(ctx, visit, { ...page, narrow: true });
}

function refusedPage({ t, path }: Visit, message: string, status: number): PageParts {
  const title = t('message.refused_title');
  const back = html`<p><a href="${path}">${t('message.again')}</a></p><p><a href="${CONSOLE_PREFIX}">${t('message.back')}</a></p>`;
  return { title, content: html`<section><h1>${title}</h1><p lang="en">${message}</p>${back}</section>`, status };
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
