import { LANGUAGES } from '../../db/customer/language.ts';
import { actForm } from '../../portal/parts/form.ts';
import { type Html, html } from '../../portal/parts/html.ts';
import { layout } from '../../portal/parts/layout.ts';
import { badge, noteBox } from '../../portal/parts/note.ts';
import type { Reader } from '../messages/reader.ts';
import { NAVIGATION } from '../pages/navigation.ts';
import { ASSETS } from './asset.ts';
import { CONSOLE_PREFIX } from './parts.ts';
import type { PageParts } from './response.ts';
import type { Visit } from './visit.ts';

/** The document of a page of somebody who is signed in. */
export function frameOf(visit: Visit, { title, content, narrow = false }: PageParts): string {
  const { t, path, visitor, note } = visit;
  return layout({
    ...ASSETS,
    language: visit.language,
    title: t('frame.title', { page: title, vendor: visitor.vendorName }),
    brand: { name: visitor.vendorName, logoUrl: null },
    acts: html`${visitor.scope === 'read' ? badge('plain', t('frame.read_only')) : null}${searchForm(visit)}`,
    skip: t('frame.skip'),
    navigationTitle: t('frame.navigation'),
    links: NAVIGATION.map(({ title: name, to, below }) => ({ title: t(name), to, isCurrent: below.test(path) })),
    content: html`${note === null ? null : noteBox('good', html`${t(note.key, note.values)}`)}${content}`,
    narrow,
    foot: html`<p>${signedInWords(visit)} <span class="id">${visitor.who.id}</span></p>
<div class="acts">${leaveForm(visit, 'leave')}${leaveForm(visit, 'leave_everywhere')}</div>${languageForm(visit, visit.address)}`,
  });
}

function signedInWords({ t, visitor: { who } }: Visit): string {
  if (who.type === 'console') return t('frame.signed_in', { key: who.name });
  const { name, email } = who;
  return t('frame.signed_in_person', { person: email === null || email === name ? name : `${name} (${email})` });
}

/** The document of a page for somebody who isn't signed in. */
export const plainFrame = (reader: Reader, { title, content }: { title: string; content: Html }, address = CONSOLE_PREFIX): string =>
  layout({
    ...ASSETS,
    language: reader.language,
    title: reader.t('frame.plain_title', { page: title }),
    brand: null,
    acts: null,
    skip: reader.t('frame.skip'),
    navigationTitle: reader.t('frame.navigation'),
    links: [],
    content,
    narrow: true,
    foot: languageForm(reader, address),
  });

const searchForm = ({ t, path, query }: Visit): Html =>
  html`<form class="find" role="search" action="${CONSOLE_PREFIX}/search"><label class="hidden" for="find">${t('frame.search')}</label>
<input type="search" id="find" name="q" value="${path === `${CONSOLE_PREFIX}/search` ? query('q') : ''}" placeholder="${t('frame.search_hint')}" maxlength="200">
<button type="submit">${t('frame.search_button')}</button></form>`;

const leaveForm = ({ t, csrf }: Visit, what: 'leave' | 'leave_everywhere'): Html =>
  actForm({
    action: `${CONSOLE_PREFIX}/${what}`,
    csrf,
    content: html`<button type="submit" class="small">${t(`frame.${what}`)}</button>`,
  });

/** Buttons that show the same page in another language. */
function languageForm({ t, language }: Reader, address: string): Html {
  const others = LANGUAGES.filter((other) => other !== language);
  return html`<form method="post" action="${CONSOLE_PREFIX}/language"><input type="hidden" name="to" value="${address}">
${others.map((other) => html`<button type="submit" class="small" name="language" value="${other}" lang="${other}">${t(`frame.language_${other}`)}</button>`)}</form>`;
}
