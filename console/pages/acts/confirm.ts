import { actForm } from '../../../portal/parts/form.ts';
import { type Html, html } from '../../../portal/parts/html.ts';
import { type ConsoleResponse, showPage } from '../../http/response.ts';
import type { Visit } from '../../http/visit.ts';

interface Confirmation {
  readonly title: string;
  /** where the page leads back to, and what stands there */
  readonly up: { readonly to: string; readonly title: string };
  /** what the act means, before the button */
  readonly effect: Html;
  /** fields of the form */
  readonly fields?: Html | null | undefined;
  /** null: there is nothing to do, as the effect says */
  readonly button: string | null;
}

/** The page that says what an act means and asks whether to do it; its button posts to the same address. */
export function confirmPage({ t, csrf, path }: Visit, { title, up, effect, fields = null, button }: Confirmation): ConsoleResponse {
  const content = html`${fields}<div class="actions">${button === null ? null : html`<button type="submit" class="main">${button}</button>`}
<a class="button" href="${up.to}">${t('act.back')}</a></div>`;
  return showPage({
    title,
    content: html`<a class="up" href="${up.to}">${up.title}</a>
<div class="title"><h1>${title}</h1></div><section>${effect}${actForm({ action: path, csrf, content })}</section>`,
    narrow: true,
  });
}
