import { textField } from '../../../portal/parts/form.ts';
import { type Html, html } from '../../../portal/parts/html.ts';
import { selectField } from '../../../portal/parts/select.ts';
import type { Visit } from '../../http/visit.ts';
import type { ConsoleKey } from '../../messages/pages.ts';
import { fieldsOfKind, kindOf, PRICE_KINDS, type PriceKind } from './body.ts';
import { type Draft, rowsOf } from './draft.ts';

/** A form of a plan: what was typed, and what is wrong with which field. */
export interface Typed {
  visit: Visit;
  draft: Draft;
  errors: ReadonlyMap<string, string>;
}

export function field({ draft, errors }: Typed, name: string, label: string, hint?: string): Html {
  return textField({ name, label, value: draft.get(name) ?? '', error: errors.get(name), hint });
}

export function choice({ draft, errors }: Typed, name: string, label: string, options: readonly { value: string; text: string }[]): Html {
  return selectField({ name, label, value: draft.get(name) ?? '', options, error: errors.get(name) });
}

/** A button that posts the draft and adds or removes a row. */
export const rowButton = (act: 'add' | 'remove', name: string, text: string): Html =>
  html`<button type="submit" class="small" name="do" value="${act} ${name}" formnovalidate>${text}</button>`;

/** The fields of one price; which there are follows from its kind. */
export function priceFields(typed: Typed, at: string, title: string): Html {
  const { t } = typed.visit;
  const kind = kindOf(typed.draft.get(`${at}.type`));
  const kinds = [{ value: '', text: t('editor.kind_none') }, ...PRICE_KINDS.map((one) => ({ value: one, text: t(`editor.kind_${one}`) }))];
  return html`<fieldset class="priced"><legend>${title}</legend><div class="units">${choice(typed, `${at}.type`, t('editor.type'), kinds)}
${kind === null ? null : ownFields(typed, at, kind)}</div>${kind === 'unit_tiered' || kind === 'usage_tiered' ? tierFields(typed, `${at}.tiers`) : null}</fieldset>`;
}

function ownFields(typed: Typed, at: string, kind: PriceKind): Html {
  const { t } = typed.visit;
  const isTiered = kind === 'unit_tiered' || kind === 'usage_tiered';
  const own = (name: string): Html => {
    if (name === 'tier_mode')
      return choice(typed, `${at}.${name}`, t('editor.tier_mode'), [
        { value: 'graduated', text: t('editor.mode_graduated') },
        { value: 'volume', text: t('editor.mode_volume') },
      ]);
    if (name === 'over_usage_charge_strategy')
      return choice(typed, `${at}.${name}`, t('editor.over_usage_charge_strategy'), [
        { value: 'extra_usage_overcharge', text: t('editor.over_extra_usage_overcharge') },
        { value: 'all_usage_overcharge', text: t('editor.over_all_usage_overcharge') },
      ]);
    return field(typed, `${at}.${name}`, t(`editor.${name}` as ConsoleKey));
  };
  return html`${isTiered ? null : own('amount')}${fieldsOfKind(kind).map(own)}${own('free_cycles')}${own('tax_code')}`;
}

function tierFields(typed: Typed, at: string): Html {
  const { t } = typed.visit;
  const rows = rowsOf(typed.draft, at).map((row, index) => {
    const what = t('editor.tier', { number: index + 1 });
    return html`<fieldset class="row"><legend>${what}</legend><div class="units">${field(typed, `${at}.${row}.up_to`, t('editor.up_to'))}${field(typed, `${at}.${row}.unit_price`, t('editor.unit_price'))}${field(typed, `${at}.${row}.flat_fee`, t('editor.flat_fee'))}</div>
${rowButton('remove', `${at}.${row}`, t('editor.remove', { what }))}</fieldset>`;
  });
  return html`${rows}${rowButton('add', at, t('editor.add_tier'))}`;
}
