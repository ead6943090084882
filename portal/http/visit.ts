import type Koa from 'koa';
import type { Asker } from '../../db/audited-call.ts';
import type { Database } from '../../db/connect.ts';
import type { CustomerRecord } from '../../db/customer/customer.ts';
import type { PortalFlow } from '../../db/entities/portal.ts';
import type { PortalLook } from '../../services/portal/look.ts';
import type { PortalVisitor } from '../../services/portal/token.ts';
import { readVisit, readVisitToAct } from '../../services/portal/visit.ts';
import { languageFromHeader, languageFromTag, type Reader, readerOf } from '../messages/language.ts';
import { cookiesOf } from './cookie.ts';
import { csrfOf } from './csrf.ts';
import { noteFromCookie, type PageNote } from './note.ts';
import type { PortalParts } from './parts.ts';

/** What the handler of a page gets: whose page it is, in which language and look, and what was asked for. */
export interface Visit extends Reader {
  readonly db: Database;
  readonly parts: PortalParts;
  readonly visitor: PortalVisitor;
  /** for the transactions of an act: who asks, and by which address */
  readonly asker: Asker;
  readonly customer: CustomerRecord;
  readonly look: PortalLook;
  /** what the link was made for; null: the overview */
  readonly flow: PortalFlow | null;
  /** where the customer may go back to, of a site that the vendor has listed */
  readonly returnUrl: string | null;
  /** the time of the customer: its test clock's, where it has one */
  readonly now: number;
  /** goes into every form that acts; `actForm` puts it there */
  readonly csrf: string;
  /** what the page before it did */
  readonly note: PageNote | null;
  /** path of the request, for example `/portal/invoices` */
  readonly path: string;
  /**
   * the path with the query parameters of our pages, for a form that shows the same page again; for an act, only the
   * path of the page nearest to it
   */
  readonly address: string;
  /** the named part of the path, '' when the route has none of this name */
  param(name: string): string;
  /** the value of a query parameter, '' when there is none or several */
  query(name: string): string;
}

/**
 * The language of a request: what was chosen here, what the customer has, what the browser asks for, what the vendor
 * has.
 */
export function readerFor(ctx: Koa.Context, look: PortalLook | null = null, customer: CustomerRecord | null = null): Reader {
  const chosen = languageFromTag(cookiesOf(ctx).language ?? '');
  return readerOf(chosen ?? customer?.language ?? languageFromHeader(ctx.get('accept-language')) ?? look?.language ?? 'en');
}

/** Query parameters of our pages: of lists, choices, and the units of a change. */
const ASKED_BY = /^(after|method|show|to|units\..+)$/;

function addressOf({ method, path, querystring }: Koa.Context, page: number): string {
  if (method !== 'GET') return path.split('/').slice(0, page).join('/');
  const asked = [...new URLSearchParams(querystring)].filter(([name]) => ASKED_BY.test(name));
  return asked.length === 0 ? path : `${path}?${new URLSearchParams(asked)}`;
}

const ID = /^[A-Za-z]+_[0-9a-f-]{36}$/;
const NUL = '\0';

function askerOf({ vendorId, customerId }: PortalVisitor, act: string | null, params: Readonly<Record<string, string | undefined>>): Asker {
  const caller = { type: 'portal', id: customerId } as const;
  if (act === null) return { caller };
  const named = act.split('/').filter((segment) => segment !== '' && !segment.startsWith(':'));
  const object = Object.values(params).findLast((value) => ID.test(value ?? '')) ?? customerId;
  return { caller, audit: { vendorId, caller, action: ['portal', ...named].join('.'), object, asked: null } };
}

/**
 * The visit that a request belongs to; null without a live session.
 *
 * @param page how many segments of the path of an act lead to the nearest page; all unless given
 * @param act path of the route of an act, for the audit log
 */
export async function visitOf(
  ctx: Koa.Context,
  parts: PortalParts,
  page = Number.POSITIVE_INFINITY,
  act: string | null = null,
): Promise<Visit | null> {
  const { session, note } = cookiesOf(ctx);
  const read = session === null ? null : await (ctx.method === 'GET' ? readVisit : readVisitToAct)(parts.db, session);
  if (session === null || read === null) return null;
  const params: Record<string, string | undefined> = ctx.params;
  return {
    ...readerFor(ctx, read.look, read.customer),
    ...read,
    asker: askerOf(read.visitor, act, params),
    db: parts.db,
    parts,
    csrf: csrfOf(session),
    note: note === null ? null : noteFromCookie(session, note),
    path: ctx.path,
    address: addressOf(ctx, page),
    param: (name) => params[name] ?? '',
    query: (name) => {
      const value = ctx.query[name];
      // no text of ours has it, and Postgres can't store it
      return typeof value === 'string' && !value.includes(NUL) ? value : '';
    },
  };
}
