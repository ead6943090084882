import type Koa from 'koa';
import { portalLookOfToken } from '../../../services/portal/look.ts';
import { endPortalSession, openPortalSession, type PortalEntry } from '../../../services/portal/token.ts';
import { cookiesOf } from '../../http/cookie.ts';
import { isFromOurPage } from '../../http/csrf.ts';
import { isOverAnonymousLimit } from '../../http/dispatch.ts';
import { imageSourceOf } from '../../http/headers.ts';
import { PORTAL_PREFIX, type PortalParts } from '../../http/parts.ts';
import { sendDocument, sendRedirect } from '../../http/response.ts';
import { sendPlain } from '../../http/send.ts';
import { readerFor } from '../../http/visit.ts';
import { entryPage } from './view.ts';

/** The token in a request's address; null when there is none. */
const tokenOf = ({ query: { token } }: Koa.Context): string | null => (typeof token === 'string' ? token : null);

/** For an address with a token, shows the page that opens the portal; else goes on. */
export const entryBefore =
  (parts: PortalParts) =>
  (ctx: Koa.Context, next: Koa.Next): Promise<unknown> => {
    const token = tokenOf(ctx);
    return token === null ? next() : showEntry(ctx, parts, token);
  };

/** Only shows a button, since mail scanners open links too and must not use the token. */
async function showEntry(ctx: Koa.Context, { db }: PortalParts, token: string): Promise<void> {
  const look = await portalLookOfToken(db, token);
  if (look === null) return sendPlain(ctx, 410, 'expired');
  const action = `${PORTAL_PREFIX}?token=${encodeURIComponent(token)}`;
  sendDocument(ctx, 200, entryPage(readerFor(ctx, look), look, action), { imageSource: imageSourceOf(look) });
}

/** Trades the token for a session. A form of another site could sign somebody in as somebody else. */
export async function enter(ctx: Koa.Context, parts: PortalParts): Promise<void> {
  const token = tokenOf(ctx);
  if (token === null) return sendPlain(ctx, 404, 'not_found');
  if (!isFromOurPage(ctx, parts.baseUrl)) return sendPlain(ctx, 403, 'form');
  const opened = await parts.db.transaction((tx) => openPortalSession(tx, token));
  if (opened === null) return sendPlain(ctx, 410, 'expired');
  // ends the earlier session: its cookie is replaced, so that nobody could sign out of it any more
  const cookies = cookiesOf(ctx);
  const before = cookies.session;
  if (before !== null) await endPortalSession(parts.db.em(), before);
  cookies.setSession(opened.session);
  sendRedirect(ctx, firstPage(opened.entry));
}

/** The page that a link leads to. */
function firstPage({ flow, invoiceId, contractId }: PortalEntry): string {
  switch (flow) {
    case 'pay':
      return `${PORTAL_PREFIX}/invoice/${invoiceId}/pay`;
    case 'method':
      return `${PORTAL_PREFIX}/methods`;
    case 'change':
    case 'cancel':
      return `${PORTAL_PREFIX}/contract/${contractId}/${flow}`;
    case null:
      return PORTAL_PREFIX;
  }
}

/**
 * Ends the session, even if its form is old: so it needs no csrf value. A request whose session has ended counts like
 * one without a session.
 */
export async function leave(ctx: Koa.Context, parts: PortalParts): Promise<void> {
  if (!isFromOurPage(ctx, parts.baseUrl)) return sendPlain(ctx, 403, 'form');
  const cookies = cookiesOf(ctx);
  const { session } = cookies;
  if (session !== null && !(await endPortalSession(parts.db.em(), session)) && isOverAnonymousLimit(ctx, parts)) return;
  cookies.clear('session');
  sendRedirect(ctx, PORTAL_PREFIX);
}
