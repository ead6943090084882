import type Koa from 'koa';
import { cookiesOf } from '../../http/cookie.ts';
import { isFromOurPage } from '../../http/csrf.ts';
import { readForm } from '../../http/form.ts';
import { PORTAL_PREFIX, type PortalParts } from '../../http/parts.ts';
import { sendRedirect } from '../../http/response.ts';
import { sendPlain } from '../../http/send.ts';
import { languageFromTag } from '../../messages/language.ts';

/** A page of the portal with its query, so that the form leads to no other site. */
const OWN_PAGE = /^\/portal(\/[\w-]+)*(\?[\w.~%&=+*-]*)?$/;

/** Stores the language that was chosen, and shows the page again. */
export async function chooseLanguage(ctx: Koa.Context, { baseUrl }: PortalParts): Promise<void> {
  if (!isFromOurPage(ctx, baseUrl)) return sendPlain(ctx, 403, 'form');
  const form = await readForm(ctx);
  if (typeof form === 'number') return sendPlain(ctx, form, 'form');
  const language = languageFromTag(form.text('language'));
  if (language === null) return sendPlain(ctx, 400, 'form');
  cookiesOf(ctx).setLanguage(language);
  const to = form.text('to');
  sendRedirect(ctx, OWN_PAGE.test(to) ? to : PORTAL_PREFIX);
}
