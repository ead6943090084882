import { errorSummary } from '../../../portal/parts/form.ts';
import { type Html, html } from '../../../portal/parts/html.ts';
import { type ConsoleResponse, showPage } from '../../http/response.ts';
import type { Visit } from '../../http/visit.ts';

interface Choice {
  readonly title: string;
  /** where the page leads back to, and what stands there */
  readonly up: { readonly to: string; readonly title: string };
  /** what is to be known before something is typed */
  readonly intro: Html | null;
  /** fields of the form; null: there is nothing to choose, as the intro says */
  readonly fields: Html | null;
  readonly button: string;
  /** what is wrong with what was typed, by the field's name */
  readonly errors?: ReadonlyMap<string, string>;
}

const INVALID = 422;
const NO_ERRORS: ReadonlyMap<string, string> = new Map();

/** The page that asks what an act is to do. Its form only looks: the next page says what it comes to, and asks. */
export function choicePage({ t, path }: Visit, { title, up, intro, fields, button, errors = NO_ERRORS }: Choice): ConsoleResponse {
  const form =
    fields === null
      ? html`<div class="actions"><a class="button" href="${up.to}">${t('act.back')}</a></div>`
      : html`<form method="get" action="${path}">${fields}<div class="actions"><button type="submit" class="main">${button}</button>
<a class="button" href="${up.to}">${t('act.back')}</a></div></form>`;
  return showPage({
    title,
    content: html`<a class="up" href="${up.to}">${up.title}</a>
<div class="title"><h1>${title}</h1></div>${errorSummary(t('wrong.title'), errors)}<section>${intro}${form}</section>`,
    narrow: true,
    status: errors.size === 0 ? 200 : INVALID,
  });
}
