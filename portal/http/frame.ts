import { LANGUAGES, type Reader } from '../messages/language.ts';
import { NAVIGATION } from '../pages/navigation.ts';
import { type Html, html } from '../parts/html.ts';
import { type LayoutLink, layout } from '../parts/layout.ts';
import { noteBox } from '../parts/note.ts';
import { HTMX_ADDRESS, STYLE_ADDRESS, themeAddress } from './asset.ts';
import { noteText } from './note.ts';
import { PORTAL_PREFIX } from './parts.ts';
import type { PageParts } from './response.ts';
import type { Visit } from './visit.ts';

/** The document of a page of a signed-in customer, in the look of its vendor. */
export function frameOf(visit: Visit, { title, content, narrow = false }: Omit<PageParts, 'kind'>): string {
  const { t, look, note } = visit;
  return layout({
    language: visit.language,
    title: t('frame.customer_title', { page: title, vendor: look.name }),
    styles: [STYLE_ADDRESS, themeAddress(look.color)],
    scripts: [HTMX_ADDRESS],
    brand: look,
    acts: html`<form method="post" action="${PORTAL_PREFIX}/leave"><button type="submit" class="small">${t('frame.leave')}</button></form>`,
    skip: t('frame.skip'),
    navigationTitle: t('frame.navigation'),
    links: linksOf(visit),
    content: html`${note === null ? null : noteBox('good', html`${noteText(t, note)}`)}${pausedNote(visit)}${content}`,
    narrow,
    foot: html`${footLinks(visit)}${languageForm(visit, visit.path)}`,
  });
}

/** The document of a page that belongs to no customer, since nobody is signed in. */
export const plainFrame = (reader: Reader, { title, content }: { title: string; content: Html }): string =>
  layout({
    language: reader.language,
    title,
    styles: [STYLE_ADDRESS],
    scripts: [],
    brand: null,
    acts: null,
    skip: reader.t('frame.skip'),
    navigationTitle: reader.t('frame.navigation'),
    links: [],
    content,
    narrow: true,
    foot: null,
  });

const linksOf = ({ t, path }: Visit): LayoutLink[] =>
  NAVIGATION.length === 1 ? [] : NAVIGATION.map(({ title, to, below }) => ({ title: t(title), to, isCurrent: below.test(path) }));

function pausedNote({ t, customer }: Visit): Html | null {
  if (customer.status !== 'inactive') return null;
  return noteBox('wait', html`<strong>${t('frame.paused_title')}</strong> ${t('frame.paused_text')}`);
}

const LINK_TITLES = { terms: 'frame.link_terms', privacy: 'frame.link_privacy', support: 'frame.link_support' } as const;
const isTitled = (name: string): name is keyof typeof LINK_TITLES => Object.hasOwn(LINK_TITLES, name);

/** Links of the vendor; a name that isn't usual is shown as it is. */
function footLinks({ t, look }: Visit): Html {
  const links = Object.entries(look.links).map(([name, to]) => ({ title: isTitled(name) ? t(LINK_TITLES[name]) : name, to }));
  return html`<ul>${links.map(({ title, to }) => html`<li><a href="${to}" rel="noreferrer">${title}</a></li>`)}</ul>`;
}

/** Buttons that show the same page in another language. */
function languageForm({ t, language }: Reader, path: string): Html {
  const others = LANGUAGES.filter((other) => other !== language);
  return html`<form method="post" action="${PORTAL_PREFIX}/language"><input type="hidden" name="to" value="${path}">
${others.map((other) => html`<button type="submit" class="small" name="language" value="${other}" lang="${other}">${t(`frame.language_${other}`)}</button>`)}</form>`;
}
