import { actForm } from '../../../portal/parts/form.ts';
import { type Html, html } from '../../../portal/parts/html.ts';
import { addressWith } from '../../../portal/parts/pager.ts';
import { section } from '../../../portal/parts/section.ts';
import { type ImportAhead, importAhead, importView } from '../../../services/console/imports.ts';
import { discardImport, resumeImport, startImport, stopImport } from '../../../services/import/start.ts';
import { type ConsoleResponse, goTo, noSuchPage, showPage } from '../../http/response.ts';
import { type ConsoleRoute, onAct } from '../../http/route.ts';
import type { Visit } from '../../http/visit.ts';
import { confirmPage } from '../acts/confirm.ts';
import { importAddress } from '../links.ts';
import { tableSection } from '../list-page.ts';
import { lineAsked, refusedTable } from './view.ts';

type Act = 'start' | 'stop' | 'resume' | 'discard';

const CHANGES = { start: startImport, stop: stopImport, resume: resumeImport, discard: discardImport };

const simple = (what: Exclude<Act, 'start'>): ConsoleRoute[] =>
  onAct(
    `/import/:id/${what}`,
    (visit) => ask(visit, what),
    (visit) => act(visit, what),
    [],
  );

/** What may be done with an import. Its lines come by the API or the command line. */
export const importActs: readonly ConsoleRoute[] = [
  ...onAct('/import/:id/start', askStart, (visit) => act(visit, 'start'), []),
  ...simple('stop'),
  ...simple('resume'),
  ...simple('discard'),
];

const viewOf = ({ db, visitor, param }: Visit) => importView(db, visitor.vendorId, param('id'), 0);

async function ask(visit: Visit, what: Exclude<Act, 'start'>): Promise<ConsoleResponse> {
  const { t, format } = visit;
  const view = await viewOf(visit);
  if (view === null) return noSuchPage;
  const { total, made, repeated, refused } = view.progress;
  const left = html`<p class="soft">${t('import.left', { count: format.number(String(total - made - repeated - refused)) })}</p>`;
  const up = { to: importAddress(view.own.id), title: t('import.one') };
  return confirmPage(visit, {
    title: t(`import.${what}`),
    up,
    effect: html`<p>${t(`import.${what}_text`)}</p>${left}`,
    button: t(`import.${what}`),
  });
}

/** A second press finds the import started, and changes nothing. */
async function act({ db, visitor, param, asker }: Visit, what: Act): Promise<ConsoleResponse> {
  const call = { vendorId: visitor.vendorId, importId: param('id') };
  await db.transaction((tx) => CHANGES[what](tx, call), asker);
  return goTo(importAddress(call.importId), { key: `import.${what}_done` });
}

/** Carries the lines out, takes all of it back, and says what it came to. */
async function askStart(visit: Visit): Promise<ConsoleResponse> {
  const { t, db, visitor, param, parts, path, csrf } = visit;
  const view = await viewOf(visit);
  if (view === null) return noSuchPage;
  if (view.own.status !== 'open') return goTo(importAddress(param('id')));
  // computing takes seconds, so it counts like an act
  const { left, reset } = parts.countAct(visitor.sessionId);
  if (left < 0) return { kind: 'fixed', page: 'acts', status: 429, retryAfter: reset };
  const run = await importAhead(db, view, lineAsked(visit));
  const next = run.after === null ? null : addressWith(path, { after: String(run.after) });
  const title = t('import.start');
  const buttons = html`<div class="actions"><button type="submit" class="main">${title}</button>
${next === null ? null : html`<a class="button" href="${next}">${t('import.go_on')}</a>`}<a class="button" href="${importAddress(param('id'))}">${t('act.back')}</a></div>`;
  const content = html`<a class="up" href="${importAddress(param('id'))}">${t('import.one')}</a><div class="title"><h1>${title}</h1></div>
${effectSection(visit, run, next !== null || lineAsked(visit) !== null)}
${moneySection(visit, run)}
${run.refused.count === 0 ? null : refusedSection(visit, run)}
<section>${actForm({ action: path, csrf, content: html`<p>${t('import.start_text')}</p>${buttons}` })}</section>`;
  return showPage({ title, content });
}

function effectSection({ t, format }: Visit, { made, repeated, waiting, refused }: ImportAhead, isPart: boolean): Html {
  const fact = (term: string, count: number): Html => html`<dt>${term}</dt><dd>${format.number(String(count))}</dd>`;
  return section(
    'effect',
    t('import.effect'),
    html`<p>${t('import.effect_text')} ${isPart ? t('import.part') : null}</p>
<dl class="sums">${fact(t('import.customers'), made.customer)}${fact(t('import.contracts'), made.contract)}${fact(t('import.wallets'), made.wallet)}
${fact(t('import.repeated'), repeated)}${fact(t('import.refused'), refused.count)}${waiting === 0 ? null : fact(t('import.on_clocks'), waiting)}</dl>`,
  );
}

function moneySection(visit: Visit, { recurring, balances }: ImportAhead): Html | null {
  if (recurring.length + balances.length === 0) return null;
  const { t, format, portal } = visit;
  return tableSection(visit, 'money', t('import.money'), {
    columns: [{ title: t('import.what') }, { title: t('import.contracts'), number: true }, { title: t('invoice.amount'), number: true }],
    rows: [
      ...recurring.map(({ currency, cycle, contracts, total }) => [
        t('import.recurring'),
        format.number(String(contracts)),
        portal.t('prices.per_cycle', { price: format.money(total, currency), cycle }),
      ]),
      ...balances.map(({ currency, total }) => [t('import.in_wallets'), '–', format.money(total, currency)]),
    ],
  });
}

function refusedSection(visit: Visit, { refused: { count, first } }: ImportAhead): Html {
  const further = count - first.length;
  return tableSection(visit, 'refused', visit.t('import.refused_title'), {
    ...refusedTable(visit, first),
    foot: further > 0 ? html`<p class="soft">${visit.t('import.further', { count: further })}</p>` : null,
  });
}
