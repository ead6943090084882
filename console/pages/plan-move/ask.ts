import { actForm, hiddenField } from '../../../portal/parts/form.ts';
import { type Html, html } from '../../../portal/parts/html.ts';
import { addressWith } from '../../../portal/parts/pager.ts';
import { section } from '../../../portal/parts/section.ts';
import { selectField } from '../../../portal/parts/select.ts';
import { table } from '../../../portal/parts/table.ts';
import { type MoveChoices, moveAhead, moveChoices } from '../../../services/console/plan-move.ts';
import type { AskedMove } from '../../../services/plan-move/asked.ts';
import { type ConsoleResponse, noSuchPage, showPage } from '../../http/response.ts';
import type { Visit } from '../../http/visit.ts';
import { codeWords } from '../kind-words.ts';
import { planAddress } from '../links.ts';
import { catalogueName } from '../plan/words.ts';
import { type MoveSums, sumsFrom, sumsText, withPart } from './sums.ts';

const WHEN = ['now', 'next_cycle'] as const;

/** The move that an address or a form asks for; null where it says no time. */
export function askedMove({ visitor, param }: Visit, text: (name: string) => string): AskedMove | null {
  const when = WHEN.find((one) => one === text('when'));
  if (when === undefined) return null;
  const [planId, to] = [param('id'), text('to')];
  const time = when === 'now' ? 'immediate' : 'next_cycle';
  return { vendorId: visitor.vendorId, planId, toPlanId: to === '' || to === planId ? null : to, time, contractIds: null };
}

/** The page asks where to and when, shows what that comes to, and asks whether to do it. */
export async function askMove(visit: Visit): Promise<ConsoleResponse> {
  const { t, param } = visit;
  const choices = await moveChoices(visit.db, visit.visitor.vendorId, param('id'));
  if (choices === null) return noSuchPage;
  const name = catalogueName(choices.plan);
  const asked = askedMove(visit, visit.query);
  // computing takes seconds, so it counts like an act
  const { left, reset } = asked === null ? { left: 0, reset: 0 } : visit.parts.countAct(visit.visitor.sessionId);
  if (left < 0) return { kind: 'fixed', page: 'acts', status: 429, retryAfter: reset };
  const title = t('move.ask_title', { name });
  const content = html`<a class="up" href="${planAddress(choices.plan.id)}">${name}</a>
<div class="title"><h1>${title}</h1></div>
<section><p>${t('move.text')}</p>${choiceForm(visit, choices)}</section>
${asked === null ? null : await effect(visit, asked)}`;
  return showPage({ title, content });
}

function choiceForm({ t, path, query }: Visit, { plan, others }: MoveChoices): Html {
  const own = plan.status === 'archived' ? [] : [{ value: plan.id, text: t('move.to_newest', { name: catalogueName(plan) }) }];
  const options = [...own, ...others.map((other) => ({ value: other.id, text: catalogueName(other) }))];
  return html`<form action="${path}">${selectField({ name: 'to', label: t('move.to'), value: query('to'), options })}
${selectField({ name: 'when', label: t('move.when'), value: query('when'), options: WHEN.map((value) => ({ value, text: t(`move.when_${value}`) })) })}
<div class="actions"><button type="submit">${t('move.show')}</button></div></form>`;
}

async function effect(visit: Visit, asked: AskedMove): Promise<Html> {
  const { t, query, path, csrf } = visit;
  const { run, version } = await moveAhead(visit.db, asked, query('after') || null);
  const sums = withPart(sumsFrom(query('before')), run);
  const shown = { to: asked.toPlanId ?? asked.planId, when: query('when') };
  const next = run.after === null ? null : addressWith(path, { ...shown, after: run.after, before: sumsText(sums) });
  const fields = html`${hiddenField('to', shown.to)}${hiddenField('when', shown.when)}${hiddenField('version', String(version))}`;
  const buttons = html`<div class="actions">${next === null && sums.contracts === 0 ? null : html`<button type="submit" class="main">${t('move.start')}</button>`}
${next === null ? null : html`<a class="button" href="${next}">${t('move.go_on')}</a>`}
<a class="button" href="${planAddress(asked.planId)}">${t('act.back')}</a></div>`;
  return section(
    'effect',
    t('move.effect'),
    html`${next === null ? null : html`<p>${t('move.part', { count: run.contracts + run.refused.length + countedBefore(visit) })}</p>`}
${sumsTable(visit, sums)}
${actForm({ action: path, csrf, content: html`${fields}${buttons}` })}`,
  );
}

function countedBefore({ query }: Visit): number {
  const { contracts, refused } = sumsFrom(query('before'));
  return contracts + [...refused.values()].reduce((all, one) => all + one, 0);
}

function sumsTable({ t, format }: Visit, { contracts, totals, refused }: MoveSums): Html {
  const all = [...refused.values()].reduce((sum, one) => sum + one, 0);
  const money = [...totals].map(([currency, { total, later }]) => [
    currency.toUpperCase(),
    format.money(total, currency),
    format.money(later, currency),
  ]);
  const columns = [
    { title: t('move.currency') },
    { title: t('move.cost_now'), number: true },
    { title: t('move.cost_later'), number: true },
  ];
  const codes = [...refused].map(([code, count]) => [codeWords(code), format.number(String(count))]);
  return html`<dl class="sums"><dt>${t('move.contracts')}</dt><dd>${format.number(String(contracts))}</dd><dt>${t('move.refused')}</dt><dd>${format.number(String(all))}</dd></dl>
${money.length === 0 ? html`<p class="soft">${t('move.none')}</p>` : table({ labelledBy: 'effect', columns, rows: money })}
${codes.length === 0 ? null : html`<h3 id="refused">${t('move.refused')}</h3>${table({ labelledBy: 'refused', columns: [{ title: t('move.code') }, { title: t('move.count'), number: true }], rows: codes })}`}`;
}
