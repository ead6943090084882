import type { Position } from '../../db/sql/list/list.ts';
import { textField } from '../../portal/parts/form.ts';
import { type Html, html } from '../../portal/parts/html.ts';
import { selectField } from '../../portal/parts/select.ts';
import { type ConsoleResponse, showPage } from '../http/response.ts';
import type { Visit } from '../http/visit.ts';
import { pagerOf, tableSection } from './list-page.ts';

interface ListParts {
  readonly title: string;
  /** what a text may be looked for by, by the names of query parameters */
  readonly texts: readonly { readonly name: string; readonly label: string }[];
  readonly choice: {
    readonly name: string;
    readonly label: string;
    readonly options: readonly { readonly value: string; readonly text: string }[];
  } | null;
  readonly table: Pick<Parameters<typeof tableSection>[3], 'columns' | 'rows'>;
  readonly next: Position | null;
  /** what may be done beside looking */
  readonly acts?: Html | null;
}

/** A page of a list with the form that filters it and the links to its other pages. */
export function listResponse(visit: Visit, { title, texts, choice, table, next, acts = null }: ListParts): ConsoleResponse {
  const filters = [...texts.map(({ name }) => name), ...(choice === null ? [] : [choice.name])];
  const foot = pagerOf(visit, next, filters);
  const content = html`<div class="title"><h1>${title}</h1>${acts}</div>
${filterForm(visit, texts, choice)}
${tableSection(visit, 'rows', visit.t('list.newest_first'), { ...table, foot })}`;
  return showPage({ title, content });
}

function filterForm({ t, path, query }: Visit, texts: ListParts['texts'], choice: ListParts['choice']): Html {
  const all = { value: '', text: t('list.all') };
  return html`<form class="filter" action="${path}">
${texts.map(({ name, label }) => textField({ name, label, value: query(name) }))}
${choice === null ? null : selectField({ name: choice.name, label: choice.label, value: query(choice.name), options: [all, ...choice.options] })}
<button type="submit">${t('list.filter')}</button></form>`;
}
