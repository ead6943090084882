import { type PreviewUnits, type PricePreview, previewPrices } from '../../../billing/contract/estimate/price-preview.ts';
import type { OfferedPricing } from '../../../billing/contract/terms/offer.ts';
import type { Line } from '../../../billing/invoice/types.ts';
import { boughtUnits, isUnitPriced, isUsagePriced } from '../../../billing/pricing/price.ts';
import { BillingError } from '../../../billing/problem.ts';
import { newId } from '../../../db/id.ts';
import type { CataloguePlan } from '../../../db/plan/plan.ts';
import { lineWords } from '../../../portal/pages/change/line-words.ts';
import { textField } from '../../../portal/parts/form.ts';
import { type Html, html } from '../../../portal/parts/html.ts';
import { section } from '../../../portal/parts/section.ts';
import { selectField } from '../../../portal/parts/select.ts';
import { table } from '../../../portal/parts/table.ts';
import type { Visit } from '../../http/visit.ts';
import { errorWords } from './error-words.ts';
import { pricedRows, pricingTitle } from './words.ts';

/** Where the units that were typed come from: the address, or a form. */
export type Typed = (name: string) => string;

/** A number of units that somebody may type for a price. */
interface UnitField {
  name: string;
  label: string;
  value: string;
}

/** Prices that a preview asks units of, and lines that it shows. */
const MOST_FIELDS = 40;
const MOST_LINES = 100;

/** What stands in the place of a preview while something is wrong with the plan. */
export const noPreviewYet = ({ t }: Visit): Html =>
  section('preview', t('preview.title'), html`<p class="soft">${t('preview.not_yet', { button: t('editor.review') })}</p>`);

/**
 * What any number of units comes to, as the first invoice and the usage of its cycle would say it.
 *
 * @param action the form's own; null: the section stands in the form of the page, which has a button for it
 */
export function previewSection(visit: Visit, plan: CataloguePlan, typed: Typed, action: string | null): Html | null {
  const { t } = visit;
  const at = Math.max(
    0,
    plan.pricings.findIndex((_, index) => String(index) === typed('preview')),
  );
  const pricing = plan.pricings[at];
  if (pricing === undefined) return null;
  const fields = unitFields(visit, plan, pricing, typed);
  const { result, errors } = computed(visit, plan, pricing, fields);
  const choice =
    plan.pricings.length === 1
      ? null
      : selectField({
          name: 'preview',
          label: t('preview.pricing'),
          value: String(at),
          options: plan.pricings.map((one, index) => ({ value: String(index), text: pricingTitle(visit, one) })),
        });
  const content = html`${choice}<div class="units">${fields.map(({ name, label, value }) => textField({ name, label, value, error: errors.get(name) }))}</div>`;
  const isAsking = fields.length > 0 || choice !== null;
  const form =
    action === null || !isAsking
      ? content
      : html`<form action="${action}#preview">${content}<button type="submit">${t('preview.compute')}</button></form>`;
  return section(
    'preview',
    t('preview.title'),
    html`<p class="soft">${t('preview.text')}</p>${form}<div id="preview-result" aria-live="polite">${result}</div>`,
  );
}

function unitFields(visit: Visit, plan: CataloguePlan, pricing: OfferedPricing, typed: Typed): UnitField[] {
  const { t } = visit;
  return pricedRows(visit, plan.features, pricing)
    .slice(0, MOST_FIELDS)
    .flatMap(({ source, name, price }): UnitField[] => {
      const key = source === 'plan' ? 'plan' : source.slice(source.indexOf(':') + 1);
      const field = (kind: 'bought' | 'used', otherwise: string): UnitField[] => [
        { name: `${kind}.${key}`, label: t(`preview.${kind}`, { name }), value: typed(`${kind}.${key}`) || otherwise },
      ];
      if (isUnitPriced(price)) return field('bought', boughtUnits(price));
      return isUsagePriced(price) ? field('used', '0') : [];
    });
}

function computed(visit: Visit, plan: CataloguePlan, pricing: OfferedPricing, fields: readonly UnitField[]) {
  const none = new Map<string, string>();
  try {
    const preview = previewPrices({ plan, pricing }, unitsOf(fields), Date.now(), newId);
    return { result: resultOf(visit, pricing, preview), errors: none };
  } catch (error) {
    if (!(error instanceof BillingError)) throw error;
    const errors = new Map(error.problems.map(({ field, code, message }) => [field, errorWords(visit, code, message)]));
    return { result: html`<p class="error">${visit.t('preview.wrong')}</p>`, errors };
  }
}

function unitsOf(fields: readonly UnitField[]): PreviewUnits {
  const of = (kind: 'bought' | 'used'): Record<string, string> =>
    Object.fromEntries(fields.flatMap(({ name, value }) => (name.startsWith(`${kind}.`) ? [[name.slice(kind.length + 1), value]] : [])));
  return { bought: of('bought'), used: of('used') };
}

function resultOf(visit: Visit, { currency }: OfferedPricing, { atStart, atEnd, total }: PricePreview): Html {
  const { t, format } = visit;
  const columns = [{ title: t('preview.line') }, { title: t('preview.amount'), number: true }];
  const rows = (lines: readonly Line[]) =>
    lines.slice(0, MOST_LINES).map((line) => {
      const { text, amount } = lineWords(visit.portal, { ...line, span: null });
      return [text, format.money(amount, currency)];
    });
  const part = (id: string, title: string, lines: readonly Line[]): Html | null =>
    lines.length === 0 ? null : html`<h3 id="${id}">${title}</h3>${table({ labelledBy: id, columns, rows: rows(lines) })}`;
  return html`${part('preview-start', t('preview.at_start'), atStart)}${part('preview-end', t('preview.at_end'), atEnd)}
<dl class="sums"><dt class="total">${t('preview.total')}</dt><dd class="total">${format.money(total, currency)}</dd></dl>`;
}
