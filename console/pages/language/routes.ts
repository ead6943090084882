import type Koa from 'koa';
import { cookiesOf } from '../../../portal/http/cookie.ts';
import { isFromOurPage } from '../../../portal/http/csrf.ts';
import { readForm } from '../../../portal/http/form.ts';
import { sendRedirect } from '../../../portal/http/response.ts';
import { languageFromTag } from '../../../portal/messages/language.ts';
import type { ConsoleParts } from '../../http/parts.ts';
import { sendPlain } from '../../http/send.ts';
import { ownPage } from '../own-page.ts';

/** Stores the language that was chosen, and shows the page again. */
export async function chooseLanguage(ctx: Koa.Context, { baseUrl }: ConsoleParts): Promise<void> {
  if (!isFromOurPage(ctx, baseUrl)) return sendPlain(ctx, 403, 'form');
  const form = await readForm(ctx);
  if (typeof form === 'number') return sendPlain(ctx, form, 'form');
  const language = languageFromTag(form.text('language'));
  if (language === null) return sendPlain(ctx, 400, 'form');
  cookiesOf(ctx).setLanguage(language);
  sendRedirect(ctx, ownPage(form.text('to')));
}
