import { CYCLES } from '../../../billing/calendar/cycle.ts';
import { CHARGE_TRIGGERS } from '../../../billing/pricing/price.ts';
import type { CataloguePlan } from '../../../db/plan/plan.ts';
import { actForm, errorSummary, hiddenField } from '../../../portal/parts/form.ts';
import { type Html, html } from '../../../portal/parts/html.ts';
import { section } from '../../../portal/parts/section.ts';
import { type ConsoleResponse, showPage } from '../../http/response.ts';
import { noPreviewYet, previewSection } from '../plan/preview.ts';
import { groupsOf, rowsOf, VALUE_KINDS } from './draft.ts';
import { choice, field, priceFields, rowButton, type Typed } from './price-form.ts';

const STRATEGIES = ['plan', 'feature', 'group'] as const;
const [OUTDATED, INVALID] = [409, 422];

interface FormParts extends Typed {
  title: string;
  up: { to: string; title: string };
  /** the plan that the draft comes to; null while something is wrong with it */
  plan: CataloguePlan | null;
  /** what the plan became meanwhile */
  note?: Html | null;
}

/** The form of a plan: its buttons post what was typed and show it again. */
export function editPage({ title, up, plan, note = null, ...typed }: FormParts): ConsoleResponse {
  const { visit, draft, errors } = typed;
  const { t, csrf, path } = visit;
  const preview = plan === null ? noPreviewYet(visit) : previewSection(visit, plan, (name) => draft.get(name) ?? '', null);
  const content = html`<button type="submit" name="do" value="review" class="hidden" tabindex="-1" aria-hidden="true">${t('editor.review')}</button>
${hiddenField('version', draft.get('version') ?? '')}${aboutSection(typed)}${featuresSection(typed)}
${rowsOf(draft, 'pricings').map((row, index) => pricingSection(typed, row, index))}
<p>${rowButton('add', 'pricings', t('editor.add_pricing'))}</p>${preview}
<div class="actions"><button type="submit" class="main" name="do" value="review">${t('editor.review')}</button>
<button type="submit" name="do" value="update">${t('editor.update')}</button><a class="button" href="${up.to}">${t('act.back')}</a></div>`;
  return showPage({
    title,
    content: html`<a class="up" href="${up.to}">${up.title}</a><div class="title"><h1>${title}</h1></div>
${note}${errorSummary(t('error.title'), errors)}${actForm({ action: path.replace(/\/save$/, ''), csrf, content })}`,
    status: errors.size > 0 ? INVALID : note === null ? 200 : OUTDATED,
  });
}

function aboutSection(typed: Typed): Html {
  const { t } = typed.visit;
  const strategies = STRATEGIES.map((value) => ({ value, text: t(`plan.strategy_${value}`) }));
  const texts = (['internal_name', 'slug', 'external_name', 'description'] as const).map((name) => field(typed, name, t(`editor.${name}`)));
  return section(
    'about',
    t('editor.about'),
    html`<div class="units">${texts}${choice(typed, 'strategy', t('editor.strategy'), strategies)}${field(typed, 'free_trial_days', t('editor.free_trial_days'))}</div>`,
  );
}

function featuresSection(typed: Typed): Html {
  const { t } = typed.visit;
  const triggers = CHARGE_TRIGGERS.map((value) => ({ value, text: t(`editor.trigger_${value}`) }));
  const kinds = VALUE_KINDS.map((value) => ({ value, text: t(`editor.value_${value}`) }));
  const rows = rowsOf(typed.draft, 'features').map((row, index) => {
    const at = `features.${row}`;
    const what = t('editor.feature', { number: index + 1 });
    return html`<fieldset class="row"><legend>${what}</legend><div class="units">${field(typed, `${at}.name`, t('editor.name'))}${field(typed, `${at}.slug`, t('editor.slug'))}
${choice(typed, `${at}.charge_trigger`, t('editor.charge_trigger'), triggers)}${field(typed, `${at}.group`, t('editor.group'))}
${choice(typed, `${at}.value_is`, t('editor.value'), kinds)}${field(typed, `${at}.value`, t('editor.value_given'), t('editor.value_hint'))}</div>
${rowButton('remove', at, t('editor.remove', { what }))}</fieldset>`;
  });
  return section('features', t('editor.features'), html`${rows}${rowButton('add', 'features', t('editor.add_feature'))}`);
}

function pricingSection(typed: Typed, row: number, index: number): Html {
  const { t } = typed.visit;
  const { draft } = typed;
  const at = `pricings.${row}`;
  const what = t('editor.pricing', { number: index + 1 });
  const cycles = CYCLES.map((value) => ({ value, text: t(`editor.cycle_${value}`) }));
  const named = (number: number): string => draft.get(`features.${number}.name`) || t('editor.feature', { number: number + 1 });
  const strategy = draft.get('strategy');
  return section(
    `pricing-${row}`,
    what,
    html`<div class="units">${field(typed, `${at}.currency`, t('editor.currency'), t('editor.currency_hint'))}${choice(typed, `${at}.cycle`, t('editor.cycle'), cycles)}${field(typed, `${at}.free_cycles`, t('editor.free_cycles'))}</div>
${strategy === 'plan' ? priceFields(typed, `${at}.price`, t('plan.plan_price')) : null}
${strategy === 'group' ? html`${groupsOf(draft).map((name, number) => priceFields(typed, `${at}.groups.${number}`, t('plan.group_price', { name })))}` : null}
${rowsOf(draft, 'features').map((number) => priceFields(typed, `${at}.features.${number}`, named(number)))}
<fieldset class="priced"><legend>${t('plan.credits')}</legend><div class="units">${(['amount', 'expires_after_cycles', 'rollover_maximum'] as const).map((name) => field(typed, `${at}.credits.${name}`, t(`editor.credits_${name}`)))}</div></fieldset>`,
    rowButton('remove', at, t('editor.remove', { what })),
  );
}
