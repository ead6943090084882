import type { Instant } from '../../../billing/calendar/instant.ts';
import { discountIn } from '../../../billing/contract/period/cycles-left.ts';
import { planName, usageSources } from '../../../billing/contract/period/sources.ts';
import { cancellationAt, expirationAt, trialEndOf, whenAt } from '../../../billing/contract/period/time.ts';
import { dec } from '../../../billing/money/decimal.ts';
import type { ChangeReview } from '../../../services/portal/change.ts';
import { unitChoices } from '../../../services/portal/unit-choices.ts';
import type { Visit } from '../../http/visit.ts';
import { actForm, hiddenField } from '../../parts/form.ts';
import { type Html, html } from '../../parts/html.ts';
import { noteBox } from '../../parts/note.ts';
import { amountsNow, amountsThen } from './amounts-view.ts';
import { contractAddress } from './own.ts';

/** When a change takes effect: at once, at a later instant, or with a contract that hasn't begun. */
export type Effect = 'now' | 'later' | 'start';

export function effectOf({ own, fresh }: ChangeReview): Effect {
  if (own.snapshot.contract.status !== 'active') return 'start';
  return fresh.status === 'scheduled' ? 'later' : 'now';
}

/** What the review needs beside the computed change. */
interface ReviewParts {
  review: ChangeReview;
  /** the estimate's sealed token */
  token: string;
  /** what an estimate that doesn't hold any more asked to pay now; null = this is the first look */
  before: string | null;
}

/** A change line by line, with the button that makes it. */
export function reviewContent(visit: Visit, { review, token, before }: ReviewParts): Html {
  const { t } = visit;
  const { contract } = review.own.snapshot;
  return html`<a class="up" href="${contractAddress(contract.id, '/change')}">${t('change.review_up')}</a>
<div class="title"><h1>${t('change.review_title')}</h1></div>
${before === null ? null : outdatedNote(visit, review, before)}
${termsSection(visit, review)}
${effectOf(review) === 'later' ? amountsThen(visit, review) : amountsNow(visit, review)}
${actForm({
  action: contractAddress(contract.id, '/change'),
  csrf: visit.csrf,
  content: html`${hiddenField('estimate', token)}${hiddenField('shown', review.payment.due)}
<div class="actions"><button type="submit" class="main">${buttonText(visit, review)}</button></div>`,
})}`;
}

function outdatedNote({ t, format }: Visit, { own, payment }: ChangeReview, before: string): Html {
  const { currency } = own.snapshot.contract.terms;
  const differs = !dec(before).eq(payment.due);
  const amounts = { before: format.money(before, currency), now: format.money(payment.due, currency) };
  return noteBox(
    'bad',
    html`<strong>${t('change.outdated_title')}.</strong> ${t('change.outdated_text')} ${differs ? t('change.outdated_from_to', amounts) : null}`,
  );
}

function termsSection(visit: Visit, review: ChangeReview): Html {
  const { t, format } = visit;
  const { own, fresh, price } = review;
  const { terms: old } = own.snapshot.contract;
  const { terms } = fresh;
  const [from, to] = [planName(old), planName(terms)];
  const title = from === to ? t('change.units_of', { plan: to }) : t('change.from_to', { from, to });
  const then = t('prices.per_cycle', { price: format.money(price.total, terms.currency), cycle: terms.cycle });
  const notes = [
    ...(dec(price.tax).isZero() ? [] : [t('change.with_tax')]),
    ...(usageSources(terms).length === 0 ? [] : [t('change.plus_usage')]),
  ];
  return html`<section aria-labelledby="terms"><div class="head"><h2 id="terms">${title}</h2></div>
<dl>${unitFacts(visit, review)}
<dt>${t('change.takes_effect')}</dt><dd>${effectText(visit, review)}</dd>
<dt>${t('change.price_then')}</dt><dd>${then}${notes.length === 0 ? null : html` <span class="soft">(${notes.join(', ')})</span>`}</dd></dl>
${remarks(visit, review).map((text) => html`<p class="soft">${text}</p>`)}</section>`;
}

function unitFacts({ t, format }: Visit, { own, fresh }: ChangeReview): Html[] {
  const before = new Map(unitChoices(own.snapshot.contract.terms, 'signed').map(({ key, units }) => [key, units]));
  return unitChoices(fresh.terms, 'offered').map(({ key, name, units }) => {
    const [now, then] = [format.number(units), before.get(key)];
    const text = then === undefined || then === units ? now : t('change.units_now', { units: now, before: format.number(then) });
    return html`<dt>${name}</dt><dd>${text}</dd>`;
  });
}

function effectText({ t, format }: Visit, review: ChangeReview): string {
  const effect = effectOf(review);
  if (effect === 'later') return t('change.effect_at', { at: format.moment(review.plan.activation) });
  return t(effect === 'now' ? 'change.effect_now' : 'change.effect_start');
}

/** What happens to a discount, a trial, and to what is planned already. */
function remarks({ t, format }: Visit, review: ChangeReview): string[] {
  const { own, fresh, plan } = review;
  const { contract, customer } = own.snapshot;
  const { pauses } = customer;
  const trial = contract.status === 'active' && contract.start === null ? trialEndOf(contract, pauses) : null;
  const planned = contract.pendingChange && whenAt(contract, contract.pendingChange.when, pauses);
  const isKept = contract.pendingChange !== null && fresh.pendingChange?.successorId === contract.pendingChange.successorId;
  const ends = knownEndOf(review);
  const isLater = effectOf(review) === 'later';
  const nextIdx = (contract.currentIdx ?? 0) + (isLater ? 1 : 0);
  const discount = fresh.discount && discountIn(contract, Math.max(nextIdx, 1), customer.pauses);
  return [
    ...(discount === null ? [] : [t('change.discount_goes_on', { name: discount.name })]),
    ...(trial === null ? [] : [t('change.trial_goes_on', { at: format.moment(trial) })]),
    ...(isLater ? [t('change.until_then', { plan: planName(contract.terms) })] : []),
    ...(planned === null ? [] : [t(isKept ? 'change.keeps_planned' : 'change.replaces', { at: format.moment(planned) })]),
    ...(ends === null
      ? []
      : [t(isLater && ends <= plan.activation ? 'change.ends_before' : 'change.keeps_end', { at: format.moment(ends) })]),
  ];
}

/** When the contract is to end: a change at once takes a cancellation along, one that waits leaves it where it is. */
function knownEndOf(review: ChangeReview): Instant | null {
  const { contract, customer } = review.own.snapshot;
  const ending = effectOf(review) === 'later' ? contract : review.fresh;
  const canceled = cancellationAt(ending, customer.pauses);
  const expires = expirationAt(ending, customer.pauses);
  return canceled === null || expires === null ? (canceled ?? expires) : Math.min(canceled, expires);
}

/** The last button says what it does: it pays, or it confirms, and for when. */
function buttonText({ t, format }: Visit, review: ChangeReview): string {
  const { payment, plan, own, fresh } = review;
  if (effectOf(review) === 'later') return t('change.confirm_at', { at: format.moment(plan.activation) });
  const isCharged = payment.method !== null && payment.dueAt <= own.now && dec(payment.due).gt(0);
  return isCharged ? t('change.confirm_pay', { amount: format.money(payment.due, fresh.terms.currency) }) : t('change.confirm_now');
}
