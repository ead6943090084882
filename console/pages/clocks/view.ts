import type { ClockRecord } from '../../../db/sql/clock/read-with-next-due.ts';
import { type Html, html } from '../../../portal/parts/html.ts';
import { badge, noteBox, type Tone } from '../../../portal/parts/note.ts';
import { addressWith } from '../../../portal/parts/pager.ts';
import { section } from '../../../portal/parts/section.ts';
import type { ClockView } from '../../../services/console/clocks.ts';
import { CONSOLE_PREFIX } from '../../http/parts.ts';
import type { Visit } from '../../http/visit.ts';
import type { Reader } from '../../messages/reader.ts';
import { dueWords } from '../kind-words.ts';
import { clockAddress, customerAddress, linkTo, objectLink } from '../links.ts';
import { tableSection } from '../list-page.ts';

const TONES: Readonly<Record<ClockRecord['status'], Tone>> = { ready: 'good', advancing: 'wait', failed: 'bad' };

export const clockBadge = ({ t }: Reader, { status }: ClockRecord): Html => badge(TONES[status], t(`clock.status_${status}`));

/** Whether the page shows itself again by itself: while the clock advances, unless its reader has switched that off. */
export const isWatching = ({ query }: Visit, { status }: ClockRecord): boolean => status === 'advancing' && query('watch') !== 'off';

/** A test clock: its time, where an advance stands, what is due first, and who lives on it. */
export const clockContent = (
  visit: Visit,
  view: ClockView,
): Html => html`<a class="up" href="${CONSOLE_PREFIX}/test_clocks">${visit.t('clock.list_title')}</a>
<div class="title"><h1>${view.clock.name ?? visit.t('clock.one')}</h1>${clockBadge(visit, view.clock)}<p class="id">${view.clock.id}</p></div>
${failure(visit, view.clock)}
${progress(visit, view.clock)}
<div class="columns"><div>
${dueSection(visit, view)}
${customersSection(visit, view)}
</div><div>
${facts(visit, view.clock)}
${acts(visit, view.clock)}
</div></div>`;

const failure = ({ t }: Visit, { reason }: ClockRecord): Html | null =>
  reason === null ? null : noteBox('bad', t.html('clock.failed_text', { reason: html`<span lang="en">${reason}</span>` }));

const INSTANT = /^\d{1,15}$/;

/** How far an advance has come; from where, the address says. */
function progress(visit: Visit, clock: ClockRecord): Html | null {
  const { t, format, query, path } = visit;
  if (clock.status !== 'advancing' || clock.target === null) return null;
  const from = INSTANT.test(query('from')) ? Number(query('from')) : clock.now;
  const [way, whole] = [clock.now - from, clock.target - from];
  const share = way >= 0 && whole > 0 ? way / whole : 0;
  const watches = isWatching(visit, clock);
  const other = addressWith(path, { from: query('from'), watch: watches ? 'off' : null });
  const text = t('clock.progress', { now: format.moment(clock.now), target: format.moment(clock.target), share: format.percent(share) });
  return section(
    'progress',
    t('clock.progress_title'),
    html`<p>${text}</p><progress max="100" value="${Math.floor(share * 100)}" aria-labelledby="progress"></progress>
<p class="links">${linkTo(other, t(watches ? 'clock.watch_off' : 'clock.watch_on'))}</p>`,
  );
}

function dueSection(visit: Visit, { due }: ClockView): Html {
  const { t, format } = visit;
  return tableSection(visit, 'due', t('clock.due_title'), {
    columns: [t('contract.due_what'), t('contract.due_at'), t('clock.of')].map((title) => ({ title })),
    rows: due.map(({ kind, dueAt, held, contractId, customerId }) => [
      html`${dueWords(visit, kind)}${held ? html`<p class="small soft">${t('contract.due_held')}</p>` : null}`,
      format.moment(dueAt),
      objectLink(contractId ?? customerId),
    ]),
  });
}

function customersSection(visit: Visit, { customers, hasMore }: ClockView): Html {
  const { t } = visit;
  return tableSection(visit, 'customers', t('clock.customers_title'), {
    columns: [{ title: t('customer.name') }, { title: t('customer.id') }],
    rows: customers.map(({ id, name }) => [
      linkTo(customerAddress(id), name || t('customer.no_name')),
      html`<span class="id">${id}</span>`,
    ]),
    foot: hasMore ? html`<p class="soft">${t('clock.more_customers')}</p>` : null,
  });
}

function facts({ t, format }: Visit, { id, now, nextDue }: ClockRecord): Html {
  const overview = linkTo(addressWith(CONSOLE_PREFIX, { test_clock: id }), t('clock.overview'));
  const next = nextDue === null ? t('contract.nothing_due') : format.moment(nextDue);
  return section(
    'facts',
    t('clock.now'),
    html`<p class="figure">${format.moment(now)}</p><dl class="narrow"><dt>${t('clock.next_due')}</dt><dd>${next}</dd></dl><p>${overview}</p>`,
  );
}

function acts({ t, visitor }: Visit, { id, status }: ClockRecord): Html | null {
  if (visitor.scope !== 'full') return null;
  const act = status === 'advancing' ? 'stop' : 'advance';
  return section(
    'acts',
    t('act.title'),
    html`<div class="actions"><a class="button" href="${clockAddress(id)}/${act}">${t(`clock.${act}`)}</a></div>`,
  );
}
