import { type Html, html } from './html.ts';

interface PagerParts {
  /** where the next older rows are; null on the last page */
  readonly older: string | null;
  /** where the newest rows are; null on the first page */
  readonly newest: string | null;
  readonly titles: { readonly older: string; readonly newest: string };
}

/** Links to the other pages of a list that is newest first; nothing where there is one page. */
export function pager({ older, newest, titles }: PagerParts): Html | null {
  if (older === null && newest === null) return null;
  const link = (to: string | null, title: string): Html | null =>
    to === null ? null : html`<a class="button small" href="${to}">${title}</a>`;
  return html`<div class="actions">${link(newest, titles.newest)}${link(older, titles.older)}</div>
`;
}

/** An address with query parameters; those without a value are left out. */
export function addressWith(path: string, query: Readonly<Record<string, string | null>>): string {
  const given = Object.entries(query).flatMap(([name, value]): [string, string][] =>
    value === null || value === '' ? [] : [[name, value]],
  );
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`;
}
