import type Koa from 'koa';
import type { Asker } from '../../db/audited-call.ts';
import type { Database } from '../../db/connect.ts';
import { cookiesOf } from '../../portal/http/cookie.ts';
import { csrfOf } from '../../portal/http/csrf.ts';
import { noteInCookie, type PageNote } from '../../portal/http/note.ts';
import { languageFromHeader, languageFromTag } from '../../portal/messages/language.ts';
import { type ConsoleVisitor, touchConsoleSession } from '../../services/console/session.ts';
import { type ConsoleKey, isConsoleKey } from '../messages/pages.ts';
import { type Reader, readerOf } from '../messages/reader.ts';
import { onceInCookie } from './once.ts';
import type { ConsoleParts } from './parts.ts';

/** What the handler of a page gets: whose page it is, in which language, and what was asked for. */
export interface Visit extends Reader {
  readonly db: Database;
  readonly parts: ConsoleParts;
  readonly visitor: ConsoleVisitor;
  /** for the transactions of an act: who asks, and by which address */
  readonly asker: Asker;
  /** what the page before it did */
  readonly note: PageNote<ConsoleKey> | null;
  /** a secret that this page shows, this once */
  readonly once: string | null;
  /** goes into every form that acts; `actForm` puts it there */
  readonly csrf: string;
  /** path of the request, for example `/console/invoices` */
  readonly path: string;
  /** the path with the query parameters of our pages, for a form that shows the same page again */
  readonly address: string;
  /** the named part of the path, '' when the route has none of this name */
  param(name: string): string;
  /** the value of a query parameter without spaces at its ends, '' when there is none or several */
  query(name: string): string;
}

/** The language of a request: what was chosen here, else what the browser asks for. */
export const readerFor = (ctx: Koa.Context): Reader =>
  readerOf(languageFromTag(cookiesOf(ctx).language ?? '') ?? languageFromHeader(ctx.get('accept-language')) ?? 'en');

const NUL = '\0';

function askerOf({ vendorId, who }: ConsoleVisitor, route: string, object: string | undefined): Asker {
  const caller = { type: who.type, id: who.id };
  const named = route.split('/').filter((segment) => segment !== '' && !segment.startsWith(':'));
  return { caller, audit: { vendorId, caller, action: ['console', ...named].join('.'), object: object ?? vendorId, asked: null } };
}

/** People are signed out when their sign-in service is taken out of the configuration. */
const isServed = ({ who }: ConsoleVisitor, { provider }: ConsoleParts): boolean => who.type !== 'person' || provider !== null;

/**
 * The visit that a request belongs to; null without a live session.
 *
 * @param route path of the route, for the audit log
 */
export async function visitOf(ctx: Koa.Context, parts: ConsoleParts, route = ''): Promise<Visit | null> {
  const { session, note, once } = cookiesOf(ctx);
  const visitor = session === null ? null : await touchConsoleSession(parts.db, session);
  if (session === null || visitor === null || !isServed(visitor, parts)) return null;
  const params: Record<string, string | undefined> = ctx.params;
  return {
    ...readerFor(ctx),
    db: parts.db,
    parts,
    visitor,
    asker: askerOf(visitor, route, params.id),
    note: note === null ? null : noteInCookie(session, note, isConsoleKey),
    once: once === null ? null : onceInCookie(once, { session, path: ctx.path }, parts.secret),
    csrf: csrfOf(session),
    path: ctx.path,
    address: ctx.method === 'GET' && ctx.querystring !== '' ? `${ctx.path}?${ctx.querystring}` : ctx.path,
    param: (name) => params[name] ?? '',
    query: (name) => {
      const value = ctx.query[name];
      // no text of ours has it, and Postgres can't store it
      return typeof value === 'string' && !value.includes(NUL) ? value.trim() : '';
    },
  };
}
