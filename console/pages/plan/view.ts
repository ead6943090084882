import type { CataloguePlan, HeldPlan } from '../../../db/plan/plan.ts';
import { type Html, html } from '../../../portal/parts/html.ts';
import { badge } from '../../../portal/parts/note.ts';
import { section } from '../../../portal/parts/section.ts';
import { MOST_COUNTED, type PlanView } from '../../../services/console/plan.ts';
import { CONSOLE_PREFIX } from '../../http/parts.ts';
import type { Visit } from '../../http/visit.ts';
import { changeRulesSection, pauseRulesSection } from '../contract/rules.ts';
import { planAddress } from '../links.ts';
import { movesSection } from '../plan-move/view.ts';
import { previewSection } from './preview.ts';
import { includedSection, pricesSections } from './prices.ts';
import { versionsSection } from './versions.ts';
import { catalogueName, planBadge } from './words.ts';

/** Prices with the contracts at them, versions, moves, and what may be done. */
export function planContent(visit: Visit, view: PlanView): Html {
  const { t, format } = visit;
  const { plan, contracts, isCut } = view;
  const count = (id: string): Html => badge('plain', t('plan.contracts', { count: contracts.get(id) ?? 0 }));
  return html`<a class="up" href="${CONSOLE_PREFIX}/plans">${t('plan.list_title')}</a>
${planTitle(visit, plan)}
<div class="columns"><div>
${pricesSections(visit, plan, ({ id }) => count(id))}
${isCut ? html`<p class="soft">${t('plan.contracts_cut', { most: format.number(String(MOST_COUNTED)) })}</p>` : null}
${includedSection(visit, plan)}
${previewSection(visit, plan, visit.query, planAddress(plan.id))}
${versionsSection(visit, view)}
${movesSection(visit, plan.id, view.moves)}
${rulesSections(visit, plan)}
</div><div>
${factsSection(visit, plan)}
${acts(visit, plan)}
</div></div>`;
}

/** What may be done with it now; a key that only reads gets no buttons. */
function acts({ t, visitor }: Visit, { id, status }: CataloguePlan): Html | null {
  if (visitor.scope !== 'full') return null;
  const link = (act: string, text: string): Html => html`<a class="button" href="${planAddress(id)}/${act}">${text}</a>`;
  const archive = status === 'active' ? link('archive', t('plan.archive')) : null;
  return section(
    'acts',
    t('act.title'),
    html`<div class="actions">${link('edit', t('editor.change'))}${link('move', t('move.start'))}${archive}</div>`,
  );
}

const planTitle = (visit: Visit, plan: CataloguePlan): Html =>
  html`<div class="title"><h1>${catalogueName(plan)}</h1>${planBadge(visit, plan)}<p class="id">${plan.id}</p></div>`;

/** What holds for the plan in all its currencies and cycles. */
function factsSection({ t }: Visit, plan: HeldPlan): Html {
  const fact = (term: string, value: string | null): Html | null => (value === null ? null : html`<dt>${term}</dt><dd>${value}</dd>`);
  return section(
    'facts',
    t('plan.details_title'),
    html`<dl class="narrow">${fact(t('plan.slug'), plan.slug)}${fact(t('plan.shown_name'), plan.externalName)}
${fact(t('plan.description'), plan.description)}${fact(t('plan.strategy'), t(`plan.strategy_${plan.strategy}`))}
${fact(t('plan.trial'), t('plan.days', { count: plan.freeTrialDays }))}
${Object.entries(plan.metadata).map(([name, value]) => fact(name, value))}</dl>`,
  );
}

/** The plan's own rules; nothing where it gives none. */
function rulesSections(visit: Visit, { changeRules, pauseRules }: HeldPlan): Html {
  return html`${Object.keys(changeRules).length === 0 ? null : changeRulesSection(visit, { plan: changeRules })}
${Object.keys(pauseRules).length === 0 ? null : pauseRulesSection(visit, { plan: pauseRules })}`;
}

/** What the plan held in one of its versions. */
export function versionContent(visit: Visit, plan: CataloguePlan, { number, began, held }: PlanView['versions'][number]): Html {
  const { t, format } = visit;
  return html`<a class="up" href="${planAddress(plan.id)}">${catalogueName(plan)}</a>
<div class="title"><h1>${t('plan.version_of', { number, name: catalogueName(held) })}</h1></div>
<p class="intro">${t('plan.version_text', { day: format.moment(began) })}</p>
<div class="columns"><div>
${pricesSections(visit, held, () => null)}
${includedSection(visit, held)}
${rulesSections(visit, held)}
</div><div>
${factsSection(visit, held)}
</div></div>`;
}
