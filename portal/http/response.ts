import type Koa from 'koa';
import type { Language } from '../../db/customer/language.ts';
import type { Html } from '../parts/html.ts';
import { cookiesOf } from './cookie.ts';
import { policyOf } from './headers.ts';
import type { PageNote } from './note.ts';
import { noteToCookie } from './note.ts';

/** What a page shows below the portal's head. */
export interface PageParts {
  readonly kind: 'page';
  readonly title: string;
  readonly content: Html;
  /** 200 unless something is wrong with the request */
  readonly status?: number;
  /** a narrow column, for a form or a short text */
  readonly narrow?: boolean;
  /** origins that the page's forms lead to through a redirect, for example a payment provider's */
  readonly formOrigins?: readonly string[];
}

interface Move {
  readonly kind: 'move';
  readonly to: string;
  readonly note: PageNote | null;
  /** the language of the pages from now on; null = as before */
  readonly language: Language | null;
}

interface SentFile {
  readonly kind: 'file';
  readonly bytes: Buffer;
  readonly type: string;
  readonly name: string;
}

/** Pages of a fixed text, by the keys of `messages/…/message.json`. */
export type FixedPage = 'expired' | 'ended' | 'not_found' | 'requests' | 'downloads' | 'acts' | 'pages' | 'form';

/** What a handler gives back. */
export type PortalResponse =
  | PageParts
  | Move
  | SentFile
  | { readonly kind: 'fixed'; readonly page: FixedPage; readonly status: number; readonly retryAfter?: number };

export const showPage = (page: Omit<PageParts, 'kind'>): PortalResponse => ({ kind: 'page', ...page });

/** Goes on with another page (303), which may say what was done. `to` is a path of ours or a provider's page. */
export const goTo = (to: string, note: PageNote | null = null, language: Language | null = null): PortalResponse => ({
  kind: 'move',
  to,
  note,
  language,
});

/** A file to be saved. */
export const fileOf = (file: { bytes: Buffer; type: string; name: string }): PortalResponse => ({ kind: 'file', ...file });

/** The page for what there isn't, also for what belongs to another customer. */
export const noSuchPage: PortalResponse = { kind: 'fixed', page: 'not_found', status: 404 };

/** Writes a page that is complete already. */
export function sendDocument(ctx: Koa.Context, status: number, document: string, policy: Parameters<typeof policyOf>[0] = {}): void {
  ctx.status = status;
  ctx.type = 'text/html; charset=utf-8';
  // the address of a page has no secret; with `no-referrer` browsers would hide the origin of our own forms too
  ctx.set({ 'content-security-policy': policyOf(policy), 'referrer-policy': 'same-origin' });
  ctx.body = document;
}

export function sendFile(ctx: Koa.Context, { bytes, type, name }: SentFile): void {
  ctx.type = type;
  ctx.set('content-disposition', `attachment; filename="${name}"`);
  ctx.body = bytes;
}

export function sendMove(ctx: Koa.Context, { to, note, language }: Move): void {
  const cookies = cookiesOf(ctx);
  if (note !== null) cookies.setNote(noteToCookie(cookies.session ?? '', note));
  if (language !== null) cookies.setLanguage(language);
  sendRedirect(ctx, to);
}

/** A 303 without a body; the next request names no referrer. */
export function sendRedirect(ctx: Koa.Context, to: string): void {
  ctx.status = 303;
  ctx.set('location', to);
  ctx.body = '';
}
