import type { ImportStatus } from '../../../db/entities/import.ts';
import { type Html, html } from '../../../portal/parts/html.ts';
import { badge, type Tone } from '../../../portal/parts/note.ts';
import { addressWith, pager } from '../../../portal/parts/pager.ts';
import { section } from '../../../portal/parts/section.ts';
import type { ImportView, RefusedImportLine } from '../../../services/console/imports.ts';
import { CONSOLE_PREFIX } from '../../http/parts.ts';
import type { Visit } from '../../http/visit.ts';
import type { Reader } from '../../messages/reader.ts';
import { codeWords } from '../kind-words.ts';
import { importAddress, linkTo, objectLink } from '../links.ts';
import { tableSection } from '../list-page.ts';

const TONES: Readonly<Record<ImportStatus, Tone>> = { open: 'wait', running: 'wait', stopped: 'bad', done: 'good' };

export const importBadge = ({ t }: Reader, { status }: { status: ImportStatus }): Html =>
  badge(TONES[status], t(`import.status_${status}`));

/** Whether the page shows itself again by itself: while the import runs, unless its reader has switched that off. */
export const isWatching = ({ query }: Visit, { status }: { status: ImportStatus }): boolean =>
  status === 'running' && query('watch') !== 'off';

const LINE = /^\d{1,9}$/;

/** The line of the file behind which something goes on, of the address; null for none. */
export const lineAsked = ({ query }: Visit): number | null => (LINE.test(query('after')) ? Number(query('after')) : null);

/** How far an import has come, what it has refused and why, and what may be done with it. */
export function importContent(visit: Visit, view: ImportView): Html {
  const { t } = visit;
  const { own } = view;
  return html`<a class="up" href="${CONSOLE_PREFIX}/imports">${t('import.list_title')}</a>
<div class="title"><h1>${t('import.one')}</h1>${importBadge(visit, own)}<p class="id">${own.id}</p></div>
<div class="columns"><div>
${progressSection(visit, view)}
${refusedSection(visit, view)}
</div><div>
${factsSection(visit, view)}
${actsSection(visit, view)}
</div></div>`;
}

function progressSection(visit: Visit, { own, progress }: ImportView): Html {
  const { t, format, path } = visit;
  const { total, made, repeated, refused, madeOf } = progress;
  const number = (count: number): string => format.number(String(count));
  const done = made + repeated + refused;
  const words = t('import.done_of', { done: number(done), total: number(total), refused: number(refused) });
  const fact = (term: string, count: number): Html => html`<dt>${term}</dt><dd>${number(count)}</dd>`;
  const watches = isWatching(visit, own);
  const other = linkTo(addressWith(path, { watch: watches ? 'off' : null }), t(watches ? 'clock.watch_off' : 'clock.watch_on'));
  return section(
    'progress',
    t('import.progress'),
    html`<p class="figure">${words}</p><progress max="${Math.max(1, total)}" value="${done}" aria-labelledby="progress">${words}</progress>
<dl class="sums">${fact(t('import.customers'), madeOf.customer)}${fact(t('import.contracts'), madeOf.contract)}${fact(t('import.wallets'), madeOf.wallet)}
${fact(t('import.repeated'), repeated)}${fact(t('import.refused'), refused)}${fact(t('import.waiting'), total - done)}</dl>
${own.status === 'running' ? html`<p class="links">${other}</p>` : null}`,
  );
}

function refusedSection(visit: Visit, { refused, nextRefused }: ImportView): Html {
  const { t, path } = visit;
  const isFirst = lineAsked(visit) === null;
  return tableSection(visit, 'refused', t('import.refused_title'), {
    ...refusedTable(visit, refused),
    head: refused.length === 0 ? null : html`<p class="soft">${t('import.refused_text')}</p>`,
    foot: pager({
      older: nextRefused === null ? null : addressWith(path, { after: String(nextRefused) }),
      newest: isFirst ? null : path,
      titles: { older: t('import.next_lines'), newest: t('import.first_lines') },
    }),
  });
}

/** Lines with why each is refused; what to give instead is English, as the API says it. */
export function refusedTable({ t, format }: Visit, lines: readonly (Omit<RefusedImportLine, 'objectId'> & { objectId?: string | null })[]) {
  const why = ({ code, problems, objectId = null }: (typeof lines)[number]): Html =>
    html`${codeWords(code)}
${(problems ?? []).map(({ field, fix }) => html`<p class="small soft" lang="en">${field}: ${fix}</p>`)}${objectId === null ? null : objectLink(objectId)}`;
  return {
    columns: [{ title: t('import.line') }, { title: t('import.type') }, { title: t('import.why') }],
    rows: lines.map((line) => [format.number(String(line.number)), t(`import.type_${line.type}`), html`<div>${why(line)}</div>`]),
  };
}

function factsSection({ t, format }: Visit, { own, keyName }: ImportView): Html {
  const fact = (term: string, value: string | null): Html | null => (value === null ? null : html`<dt>${term}</dt><dd>${value}</dd>`);
  return section(
    'facts',
    t('import.facts_title'),
    html`<dl class="narrow">${fact(t('import.made_at'), format.moment(own.created))}${fact(t('import.key'), keyName)}
${fact(t('import.ended'), own.ended === null ? null : format.moment(own.ended))}</dl>`,
  );
}

type Act = 'start' | 'stop' | 'resume' | 'discard';

const ACTS: Readonly<Record<ImportStatus, readonly Act[]>> = {
  open: ['start', 'discard'],
  running: ['stop'],
  stopped: ['resume', 'discard'],
  done: [],
};

/** What may be done with an import now; a key that only reads gets no buttons. */
function actsSection({ t, visitor }: Visit, { own }: ImportView): Html | null {
  const acts = ACTS[own.status as ImportStatus];
  if (visitor.scope !== 'full' || acts.length === 0) return null;
  const link = (act: Act): Html => html`<a class="button" href="${importAddress(own.id)}/${act}">${t(`import.${act}`)}</a>`;
  return section('acts', t('act.title'), html`<div class="actions">${acts.map(link)}</div>`);
}
