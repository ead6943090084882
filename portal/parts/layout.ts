import { documentOf } from './document.ts';
import { type Html, html } from './html.ts';

/** A link of the page's head or foot. */
export interface LayoutLink {
  readonly title: string;
  readonly to: string;
  readonly isCurrent?: boolean;
}

interface LayoutParts {
  readonly language: string;
  /** of the document, in the browser's tab */
  readonly title: string;
  readonly icon: string;
  readonly styles: readonly string[];
  readonly scripts: readonly string[];
  /** name and logo at the top; null on pages that belong to nobody */
  readonly brand: { readonly name: string; readonly logoUrl: string | null } | null;
  /** what stands beside the name, for example a button to leave */
  readonly acts: Html | null;
  readonly skip: string;
  readonly navigationTitle: string;
  readonly links: readonly LayoutLink[];
  readonly content: Html;
  readonly narrow: boolean;
  readonly foot: Html | null;
}

/** A page with its head, the links to other pages, its content and its foot. */
export const layout = ({ language, title, icon, styles, scripts, ...parts }: LayoutParts): string =>
  documentOf({
    language,
    title,
    icon,
    styles,
    scripts,
    body: html`<a class="skip" href="#content">${parts.skip}</a>
${head(parts)}
<main id="content" tabindex="-1"${parts.narrow ? html` class="narrow"` : null}>
${parts.content}
</main>
${parts.foot === null ? null : html`<footer>${parts.foot}</footer>`}`,
  });

type HeadParts = Pick<LayoutParts, 'brand' | 'acts' | 'navigationTitle' | 'links'>;

function head({ brand, acts, navigationTitle, links }: HeadParts): Html | null {
  if (brand === null) return null;
  return html`<header class="bar"><div class="inner brand"><p class="vendor">${logo(brand.logoUrl)}<span>${brand.name}</span></p>
${acts === null ? null : html`<div class="acts">${acts}</div>`}</div>
${links.length === 0 ? null : html`<nav aria-label="${navigationTitle}"><div class="inner"><ul>${links.map(link)}</ul></div></nav>`}
</header>`;
}

/** The name stands beside it, so the image has no text of its own. */
const logo = (address: string | null): Html | null =>
  address === null ? null : html`<img src="${address}" alt="" referrerpolicy="no-referrer">`;

const link = ({ title, to, isCurrent }: LayoutLink): Html =>
  html`<li><a href="${to}"${isCurrent ? html` aria-current="page"` : null}>${title}</a></li>`;
