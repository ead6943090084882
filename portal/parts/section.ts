import { type Html, html } from './html.ts';

/** A subject of a page with its heading, and at the heading's side a badge or a link. */
export const section = (
  id: string,
  title: Html | string,
  content: Html,
  side: Html | null = null,
): Html => html`<section aria-labelledby="${id}">
<div class="head"><h2 id="${id}">${title}</h2>${side}</div>
${content}</section>
`;
