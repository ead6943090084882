import { planName } from '../../../billing/contract/period/sources.ts';
import type { CancelOption } from '../../../services/portal/cancel.ts';
import type { OwnContract } from '../../../services/portal/own-contract.ts';
import type { Visit } from '../../http/visit.ts';
import { actForm, fieldId, hiddenField } from '../../parts/form.ts';
import { type Html, html } from '../../parts/html.ts';
import { contractAddress } from '../change/own.ts';
import { MOST_WORDS, REASONS_TO_CANCEL } from './reason.ts';

/** What the form shows. */
interface CancelFormParts {
  own: OwnContract;
  options: readonly CancelOption[];
  sent: ReadonlyMap<string, string>;
  errors: ReadonlyMap<string, string>;
}

/** When, why, and the button that cancels. */
export function cancelForm(visit: Visit, { own, options, sent, errors }: CancelFormParts): Html {
  const { t } = visit;
  const { contract } = own.snapshot;
  const address = contractAddress(contract.id);
  return actForm({
    action: `${address}/cancel`,
    csrf: visit.csrf,
    content: html`${whenField(visit, own, options, sent.get('when') ?? options[0]?.when ?? '')}
${reasonField(visit, sent.get('reason') ?? '')}
${wordsField(visit, sent.get('words') ?? '', errors.get('words') ?? null)}
<div class="actions"><button type="submit" class="main">${buttonText(visit, options)}</button>
<a class="button" href="${address}">${t('cancel.keep', { plan: planName(contract.terms) })}</a></div>`,
  });
}

/**
 * The choice of a time, if there are more than one. The form sends the end that was shown, so that no other is taken.
 */
function whenField({ t, format }: Visit, own: OwnContract, options: readonly CancelOption[], chosen: string): Html {
  const end = options.find(({ when }) => when === 'end_of_cycle');
  const until = end === undefined ? null : hiddenField('until', String(end.at));
  const [only] = options;
  if (options.length === 1 && only) return html`${hiddenField('when', only.when)}${until}`;
  const isTrial = own.snapshot.contract.start === null;
  const text = ({ when, at }: CancelOption): string =>
    when === 'now' ? t('cancel.when_now') : t(isTrial ? 'cancel.when_trial_end' : 'cancel.when_end_of_cycle', { at: format.moment(at) });
  const choice = (option: CancelOption, at: number): Html => {
    const marks = html`${at === 0 ? html` id="${fieldId('when')}"` : null}${option.when === chosen ? html` checked` : null}`;
    return html`<label class="choice"><input type="radio" name="when" value="${option.when}"${marks} required><span>${text(option)}</span></label>`;
  };
  return html`${until}<fieldset><legend>${t('cancel.when_title')}</legend>
${options.map(choice)}</fieldset>`;
}

function reasonField({ t }: Visit, chosen: string): Html {
  const id = fieldId('reason');
  const option = ([name, key]: [string, (typeof REASONS_TO_CANCEL)[keyof typeof REASONS_TO_CANCEL]]): Html =>
    html`<option value="${name}"${name === chosen ? html` selected` : null}>${t(key)}</option>`;
  return html`<div class="field"><label for="${id}">${t('cancel.reason')}</label>
<select id="${id}" name="reason"><option value="">${t('cancel.reason_none')}</option>
${Object.entries(REASONS_TO_CANCEL).map(option)}</select></div>`;
}

function wordsField({ t, format }: Visit, value: string, error: string | null): Html {
  const id = fieldId('words');
  const described = `${id}-hint${error === null ? '' : ` ${id}-error`}`;
  return html`<div class="field"><label for="${id}">${t('cancel.words')}</label>
<p class="hint" id="${id}-hint">${t('cancel.words_hint', { most: format.number(String(MOST_WORDS)) })}</p>
${error === null ? null : html`<p class="error" id="${id}-error">${error}</p>`}
<textarea id="${id}" name="words" rows="4" maxlength="${MOST_WORDS}" aria-describedby="${described}"${error === null ? null : html` aria-invalid="true"`}>${value}</textarea></div>`;
}

function buttonText({ t, format }: Visit, options: readonly CancelOption[]): string {
  const [only] = options;
  return options.length === 1 && only?.when === 'end_of_cycle'
    ? t('cancel.confirm_at', { at: format.moment(only.at) })
    : t('cancel.confirm_now');
}
