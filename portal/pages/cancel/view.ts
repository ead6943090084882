import { planName, usageSources } from '../../../billing/contract/period/sources.ts';
import { expirationAt, whenAt } from '../../../billing/contract/period/time.ts';
import { dec } from '../../../billing/money/decimal.ts';
import type { ForeseenCancellation } from '../../../services/contract/estimate-cancel.ts';
import type { CancelOption } from '../../../services/portal/cancel.ts';
import type { OwnContract } from '../../../services/portal/own-contract.ts';
import { vendorText } from '../../http/vendor-text.ts';
import type { Visit } from '../../http/visit.ts';
import { errorSummary } from '../../parts/form.ts';
import { type Html, html } from '../../parts/html.ts';
import { noteBox } from '../../parts/note.ts';
import { contractAddress } from '../change/own.ts';
import { scheduledNotice } from '../change/scheduled-notice.ts';
import { cancelForm } from './form-view.ts';

/** What the page shows. */
export interface CancelParts {
  own: OwnContract;
  options: readonly CancelOption[];
  /** of the first option; null where there is none */
  estimate: ForeseenCancellation | null;
  /** what was sent before, by field */
  sent: ReadonlyMap<string, string>;
  errors: ReadonlyMap<string, string>;
  /** why nothing was done; null = the first look */
  refused: string | null;
}

/** When the contract would end, what that means, why, and the button that does it. */
export function cancelContent(visit: Visit, parts: CancelParts): Html {
  const { t } = visit;
  const { own, options, errors, refused } = parts;
  const { contract } = own.snapshot;
  const plan = planName(contract.terms);
  const head = html`<a class="up" href="${contractAddress(contract.id)}">${t('cancel.up', { plan })}</a>
<div class="title"><h1>${t('cancel.title', { plan })}</h1></div>
${vendorText(visit, 'cancel')}
${errorSummary(t('frame.errors_title', { count: errors.size }), errors)}
${refused === null ? null : noteBox('bad', html`${refused}`)}
${scheduledNotice(visit, own)}`;
  if (contract.cancellation !== null) return html`${head}<p>${t('cancel.canceled_already')}</p>`;
  if (options.length === 0) return html`${head}<p>${noOptionText(visit, own)}</p>`;
  return html`${head}
${meaningSection(visit, parts)}
<section>${cancelForm(visit, parts)}</section>`;
}

function noOptionText({ t, format }: Visit, { snapshot: { contract, customer } }: OwnContract): string {
  const expires = expirationAt(contract, customer.pauses);
  return expires === null ? t('cancel.no_end') : t('cancel.ends_by_itself', { at: format.moment(expires) });
}

function meaningSection(visit: Visit, parts: CancelParts): Html {
  return html`<section aria-labelledby="meaning"><div class="head"><h2 id="meaning">${visit.t('cancel.meaning_title')}</h2></div>
<ul>${meaning(visit, parts).map((text) => html`<li>${text}</li>`)}</ul></section>`;
}

function meaning({ t, format }: Visit, { own, options, estimate }: CancelParts): Html[] {
  const { contract, customer } = own.snapshot;
  const plan = planName(contract.terms);
  const money = (amount: string): string => format.money(amount, contract.terms.currency);
  if (contract.status !== 'active') return [html`${t('cancel.not_begun', { plan })}`];
  const end = options.find(({ when }) => when === 'end_of_cycle');
  const isTrial = contract.start === null;
  const planned = contract.pendingChange && whenAt(contract, contract.pendingChange.when, customer.pauses);
  const usage = estimate?.usage ?? '0';
  return [
    ...(end === undefined ? [] : [t.html('cancel.use_until', { plan, at: format.moment(end.at) })]),
    html`${t(isTrial ? 'cancel.trial_free' : 'cancel.paid_time')}`,
    ...(isTrial || usageSources(contract.terms).length === 0
      ? []
      : [html`${t('cancel.last_usage')} ${dec(usage).isZero() ? null : t('cancel.usage_so_far', { amount: money(usage) })}`]),
    ...(estimate === null || dec(estimate.credit).isZero()
      ? []
      : [html`${t('cancel.goes_to_wallet', { amount: money(estimate.credit) })}`]),
    ...(planned === null || end === undefined || planned < end.at
      ? []
      : [html`${t('cancel.change_dropped', { at: format.moment(planned) })}`]),
    html`${t('cancel.may_undo')}`,
  ];
}
