import { LANGUAGES } from '../../db/customer/language.ts';
import { textIn } from '../../services/portal/look.ts';
import type { Reader } from '../messages/language.ts';
import { NAVIGATION } from '../pages/navigation.ts';
import { type Html, html } from '../parts/html.ts';
import { type LayoutLink, layout } from '../parts/layout.ts';
import { noteBox } from '../parts/note.ts';
import { ICON_ADDRESS, SCRIPT_ADDRESS, STYLE_ADDRESS, themeAddress } from './asset.ts';
import { noteText } from './note.ts';
import { PORTAL_PREFIX } from './parts.ts';
import type { PageParts } from './response.ts';
import { vendorText } from './vendor-text.ts';
import type { Visit } from './visit.ts';

/** The document of a page of a signed-in customer, in the look of its vendor. */
export function frameOf(visit: Visit, { title, content, narrow = false }: Omit<PageParts, 'kind'>): string {
  const { t, look, note } = visit;
  return layout({
    language: visit.language,
    title: t('frame.customer_title', { page: title, vendor: look.name }),
    icon: ICON_ADDRESS,
    styles: [STYLE_ADDRESS, themeAddress(look.color)],
    scripts: [SCRIPT_ADDRESS],
    brand: look,
    acts: html`${backLink(visit)}<form method="post" action="${PORTAL_PREFIX}/leave"><button type="submit" class="small">${t('frame.leave')}</button></form>`,
    skip: t('frame.skip'),
    navigationTitle: t('frame.navigation'),
    links: linksOf(visit),
    content: html`${note === null ? null : noteBox('good', html`${noteText(t, note)}`)}${pausedNote(visit)}${content}`,
    narrow,
    foot: html`${vendorText(visit, 'footer')}${footLinks(visit)}${languageForm(visit, visit.address)}`,
  });
}

/** The document of a page that belongs to no customer, since nobody is signed in. */
export const plainFrame = (reader: Reader, { title, content }: { title: string; content: Html }): string =>
  layout({
    language: reader.language,
    title,
    icon: ICON_ADDRESS,
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

function pausedNote({ t, format, customer: { status, resumeAt } }: Visit): Html | null {
  if (status !== 'inactive') return null;
  const until = resumeAt === null ? null : html`${t('frame.paused_until', { day: format.day(resumeAt) })} `;
  return noteBox('wait', html`<strong>${t('frame.paused_title')}</strong> ${until}${t('frame.paused_text')}`);
}

/** Links of the vendor. */
const footLinks = ({ look, language }: Visit): Html =>
  html`<ul>${look.links.map(({ label, url }) => html`<li><a href="${url}" rel="noreferrer">${textIn(label, language)}</a></li>`)}</ul>`;

/** The way back to where the customer came from. */
const backLink = ({ t, look, returnUrl }: Visit): Html | null =>
  returnUrl === null ? null : html`<a class="back" href="${returnUrl}" rel="noreferrer">${t('frame.return', { vendor: look.name })}</a>`;

/** Buttons that show the same page in another language. */
function languageForm({ t, language }: Reader, address: string): Html {
  const others = LANGUAGES.filter((other) => other !== language);
  return html`<form method="post" action="${PORTAL_PREFIX}/language"><input type="hidden" name="to" value="${address}">
${others.map((other) => html`<button type="submit" class="small" name="language" value="${other}" lang="${other}">${t(`frame.language_${other}`)}</button>`)}</form>`;
}
