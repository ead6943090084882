import { planName, usageSources } from '../../../billing/contract/period/sources.ts';
import { whenAt } from '../../../billing/contract/period/time.ts';
import { dec, sum } from '../../../billing/money/decimal.ts';
import { moneyText } from '../../../billing/money/round.ts';
import { linesLater } from '../../../portal/pages/change/amounts-view.ts';
import { effectOf } from '../../../portal/pages/change/review-view.ts';
import { hiddenField } from '../../../portal/parts/form.ts';
import { type Html, html } from '../../../portal/parts/html.ts';
import { selectField } from '../../../portal/parts/select.ts';
import { sealEstimate } from '../../../services/contract/estimate-token.ts';
import { type ChangeReview, UNITS_FIELD } from '../../../services/portal/change.ts';
import type { PortalOffer } from '../../../services/portal/offers.ts';
import type { OwnContract, ReadOnlyReason } from '../../../services/portal/own-contract.ts';
import { unitChoices } from '../../../services/portal/unit-choices.ts';
import type { ConsoleResponse } from '../../http/response.ts';
import type { Visit } from '../../http/visit.ts';
import { contractAddress } from '../links.ts';
import { linesOf, lineTable, paymentSums, taxOf } from './amounts.ts';
import { choicePage } from './choice.ts';
import { confirmPage } from './confirm.ts';
import { unitFields } from './unit-fields.ts';

/** How the form names the contract's own plan at its own prices. */
export const OWN = 'own';

const upOf = ({ snapshot }: OwnContract) => ({ to: contractAddress(snapshot.contract.id), title: planName(snapshot.contract.terms) });

/** Why nothing can be changed now. */
export const notNow = (visit: Visit, own: OwnContract, reason: ReadOnlyReason): ConsoleResponse =>
  choicePage(visit, {
    title: visit.t('sale.change'),
    up: upOf(own),
    intro: html`<p>${visit.t(`sale.not_now_${reason}`)}</p>`,
    fields: null,
    button: '',
  });

/** Asks for the plan: its own with other units, or another one at one of its prices. */
export function askForPlan(visit: Visit, own: OwnContract, offers: readonly PortalOffer[]): ConsoleResponse {
  const { t } = visit;
  const { currency } = own.snapshot.contract.terms;
  const nothing = html`<p>${t('sale.no_other_plan', { currency: currency.toUpperCase() })}</p>`;
  const options = offers.map((offer) => ({ value: offer.pricingId ?? OWN, text: offerText(visit, offer) }));
  return choicePage(visit, {
    title: t('sale.change'),
    up: upOf(own),
    intro: offers.length === 0 ? nothing : null,
    fields: offers.length === 0 ? null : selectField({ name: 'to', label: t('sale.plan'), value: '', options }),
    button: t('act.next'),
  });
}

function offerText({ t, format, portal }: Visit, { pricingId, terms, price }: PortalOffer): string {
  const each = portal.t('prices.per_cycle', { price: format.money(price.total, terms.currency), cycle: terms.cycle });
  return t(pricingId === null ? 'sale.own_plan' : 'sale.plan_at', { plan: planName(terms), price: each });
}

/** Asks for units and for the time of the change. */
export function askForUnits(visit: Visit, own: OwnContract, offer: PortalOffer, errors: ReadonlyMap<string, string>): ConsoleResponse {
  const { t, query } = visit;
  const options = (['', 'now', 'next_cycle'] as const).map((value) => ({ value, text: t(`sale.when_${value || 'rule'}`) }));
  return choicePage(visit, {
    title: t('sale.change'),
    up: upOf(own),
    intro: html`<p>${offerText(visit, offer)}</p>`,
    fields: html`${hiddenField('to', offer.pricingId ?? OWN)}${hiddenField('next', 'yes')}${unitFields(visit, offer.units, errors)}
${selectField({ name: 'when', label: t('act.when'), hint: t('sale.when_hint'), value: query('when'), options })}`,
    button: t('act.look'),
    errors,
  });
}

/** Says what the change makes of the contract and what is charged for it, and asks whether to make it. */
export function askToChange(visit: Visit, offer: PortalOffer, review: ChangeReview): ConsoleResponse {
  const { t, query, parts, visitor } = visit;
  const { text: token } = sealEstimate(parts.secret, visitor.vendorId, review.fixed);
  const units = offer.units.map(({ key }) => `${UNITS_FIELD}${key}`).filter((name) => query(name) !== '');
  const chosen = ['to', 'when', ...units].map((name) => hiddenField(name, query(name)));
  return confirmPage(visit, {
    title: t('sale.change'),
    up: upOf(review.own),
    effect: html`${facts(visit, review)}${effectOf(review) === 'later' ? amountsThen(visit, review) : amountsNow(visit, review)}`,
    fields: html`${chosen}${hiddenField('estimate', token)}${hiddenField('shown', review.payment.due)}`,
    button: t('sale.change'),
  });
}

function facts({ t, format, portal }: Visit, review: ChangeReview): Html {
  const { own, fresh, price, plan } = review;
  const { contract, customer } = own.snapshot;
  const before = new Map(unitChoices(contract.terms, 'signed').map(({ key, units }) => [key, units]));
  const units = unitChoices(fresh.terms, 'offered').map(({ key, name, units: now }) => {
    const then = before.get(key);
    const text = then === undefined || then === now ? format.number(now) : `${format.number(then)} → ${format.number(now)}`;
    return html`<dt>${name}</dt><dd>${text}</dd>`;
  });
  const effect = effectOf(review);
  const [from, to] = [planName(contract.terms), planName(fresh.terms)];
  const each = portal.t('prices.per_cycle', { price: format.money(price.total, fresh.terms.currency), cycle: fresh.terms.cycle });
  const planned = contract.pendingChange && whenAt(contract, contract.pendingChange.when, customer.pauses);
  return html`<dl><dt>${t('sale.plan')}</dt><dd>${from === to ? to : `${from} → ${to}`}</dd>${units}
<dt>${t('sale.takes_effect')}</dt><dd>${effect === 'later' ? format.moment(plan.activation) : t(`sale.effect_${effect}`)}</dd>
<dt>${t('sale.price_then')}</dt><dd>${each}</dd></dl>
${planned === null ? null : html`<p class="soft">${t('sale.planned_before', { at: format.moment(planned) })}</p>`}`;
}

function amountsNow(visit: Visit, { payment, plan, own }: ChangeReview): Html {
  const { t, format } = visit;
  const { currency } = own.snapshot.contract.terms;
  const lines = linesOf(payment.invoices);
  const { waiting, usage } = linesLater(plan, lines);
  const later = sum(usage.map(({ totalIncludingTax }) => dec(totalIncludingTax)));
  return html`${lineTable(visit, 'now', t('sale.now_title'), lines)}${paymentSums(visit, payment, currency)}
${waiting.length === 0 ? null : lineTable(visit, 'waiting', t('sale.waiting_title'), waiting)}
${later.isZero() ? null : html`<p class="soft">${t('sale.usage_later', { amount: format.money(moneyText(later, currency), currency) })}</p>`}`;
}

function amountsThen(visit: Visit, { plan, fresh, own }: ChangeReview): Html {
  const { t, format } = visit;
  const { currency } = fresh.terms;
  const lines = linesOf(plan.priceOnNew);
  const total = moneyText(sum(plan.priceOnNew.map(({ invoice }) => dec(invoice.total))), currency);
  return html`<p>${t('sale.nothing_now')}</p>${lineTable(visit, 'then', t('sale.then_title', { at: format.moment(plan.activation) }), lines)}
<dl class="sums"><dt>${t('invoice.tax')}</dt><dd>${format.money(taxOf(lines, currency), currency)}</dd>
<dt class="total">${t('invoice.total')}</dt><dd class="total">${format.money(total, currency)}</dd></dl>
${usageSources(own.snapshot.contract.terms).length === 0 ? null : html`<p class="soft">${t('sale.usage_until_then')}</p>`}`;
}
