import { SANDBOX_CHOICES, type SandboxChoice } from '../../../services/portal/sandbox.ts';
import type { Visit } from '../../http/visit.ts';
import { actForm, errorSummary, fieldId, hiddenField } from '../../parts/form.ts';
import { type Html, html } from '../../parts/html.ts';

/** Where the customer goes back to, and where it goes without finishing. */
interface Way {
  readonly action: string;
  readonly back: string;
}

/** Stands for a payment provider's page: which method is set up says how its charges end. */
export function setupContent(visit: Visit, { action, back }: Way, errors: ReadonlyMap<string, string>): Html {
  const { t, csrf } = visit;
  const content = html`${hiddenField('back', back)}<fieldset><legend><h2>${t('sandbox.choose_title')}</h2></legend>
${SANDBOX_CHOICES.map((name, at) => option(visit, name, at === 0))}</fieldset>
<div class="actions"><a class="button" href="${back}&amp;canceled=yes">${t('sandbox.cancel')}</a><button type="submit" class="main">${t('sandbox.add')}</button></div>`;
  return html`${errorSummary(t('frame.errors_title', { count: errors.size }), errors)}<div class="title"><h1>${t('sandbox.setup_title')}</h1></div>
<section><p>${t('sandbox.setup_text')}</p>${actForm({ action, csrf, content })}</section>`;
}

const option = ({ t }: Visit, name: SandboxChoice, isFirst: boolean): Html =>
  html`<label class="choice"><input type="radio" id="${isFirst ? fieldId('choice') : name}" name="choice" value="${name}"${isFirst ? html` checked` : null}>
<span>${t(`sandbox.${name}`)}<br><span class="soft small">${name}</span></span></label>
`;

/** Stands for the customer's bank, which asks whether to add a card. */
export function bankSetupContent(visit: Visit, { action, back }: Way, choice: SandboxChoice): Html {
  const { t, csrf } = visit;
  const content = html`${hiddenField('back', back)}${hiddenField('choice', choice)}<button type="submit" class="main">${t('sandbox.approve')}</button>`;
  return bank(
    visit,
    t('sandbox.bank_setup_text'),
    html`<a class="button" href="${back}&amp;canceled=yes">${t('sandbox.decline')}</a>${actForm({ action, csrf, content })}`,
  );
}

/** Stands for the customer's bank, which asks whether to pay. */
export function bankChargeContent(visit: Visit, action: string, amount: string): Html {
  const { t, csrf } = visit;
  const content = html`<div class="actions"><button type="submit" name="decision" value="decline">${t('sandbox.decline')}</button>
<button type="submit" class="main" name="decision" value="approve">${t('sandbox.approve')}</button></div>`;
  return bank(visit, t('sandbox.bank_charge_text', { amount }), actForm({ action, csrf, content }));
}

const bank = ({ t }: Visit, text: string, acts: Html): Html =>
  html`<section><h1>${t('sandbox.bank_title')}</h1><p>${text}</p><div class="actions">${acts}</div></section>`;
