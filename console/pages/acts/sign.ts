import { at } from '../../../billing/calendar/instant.ts';
import { planName } from '../../../billing/contract/period/sources.ts';
import { dec } from '../../../billing/money/decimal.ts';
import { BillingError } from '../../../billing/problem.ts';
import type { CustomerRecord } from '../../../db/customer/customer.ts';
import { readCustomer } from '../../../db/customer/read.ts';
import type { Form } from '../../../portal/http/form.ts';
import { hiddenField, textField } from '../../../portal/parts/form.ts';
import { type Html, html } from '../../../portal/parts/html.ts';
import { selectField } from '../../../portal/parts/select.ts';
import { reviewSigning, type SigningReview, type SoldOffer, signAsShown, soldTo } from '../../../services/console/sign.ts';
import { openSigning, sealSigning } from '../../../services/contract/estimate-token.ts';
import type { SignContractInput } from '../../../services/contract/signing.ts';
import { UNITS_FIELD } from '../../../services/portal/change.ts';
import { type ConsoleResponse, goTo, noSuchPage } from '../../http/response.ts';
import { onAct } from '../../http/route.ts';
import type { Visit } from '../../http/visit.ts';
import { contractAddress, upToCustomer } from '../links.ts';
import { isAmount } from './amount.ts';
import { linesOf, lineTable, paymentSums } from './amounts.ts';
import { choicePage } from './choice.ts';
import { confirmPage } from './confirm.ts';
import { unitErrors, unitFields, unitsTyped } from './unit-fields.ts';

/** Pages that sign a contract for a customer. */
export const signActs = onAct('/customer/:id/sign', ask, sign, ['to', 'start', UNITS_FIELD, 'shown']);

/** First asks for the plan, then for units and the beginning, then shows what that comes to. */
async function ask(visit: Visit): Promise<ConsoleResponse> {
  const { db, visitor, param, query } = visit;
  const customer = await readCustomer(db.em(), visitor.vendorId, param('id'));
  if (customer === null) return noSuchPage;
  const offers = await soldTo(db, customer);
  const offer = offers.find(({ pricingId }) => pricingId === query('to'));
  if (offer === undefined) return askForPlan(visit, customer, offers);
  if (query('next') === '') return askForTerms(visit, customer, offer, new Map());
  try {
    const input = inputOf(customer, offer, query);
    return askToSign(visit, customer, offer, { input, review: await reviewSigning(db, customer, input) });
  } catch (error) {
    if (!(error instanceof BillingError)) throw error;
    const errors = unitErrors(visit, offer.units, error.problems);
    if (error.problems.some(({ field }) => field === 'start' || field === 'activation')) errors.set('start', visit.t('wrong.day'));
    if (errors.size === 0) throw error;
    return askForTerms(visit, customer, offer, errors);
  }
}

function askForPlan(visit: Visit, customer: CustomerRecord, offers: readonly SoldOffer[]): ConsoleResponse {
  const { t } = visit;
  const options = offers.map((offer) => ({ value: offer.pricingId, text: offerText(visit, offer) }));
  return choicePage(visit, {
    title: t('sale.sign'),
    up: upToCustomer(visit, customer),
    intro: offers.length === 0 ? html`<p>${t('sale.no_plan')}</p>` : null,
    fields: offers.length === 0 ? null : selectField({ name: 'to', label: t('sale.plan'), value: '', options }),
    button: t('act.next'),
  });
}

function offerText({ t, format, portal }: Visit, { terms, price }: Pick<SoldOffer, 'terms' | 'price'>): string {
  const each = portal.t('prices.per_cycle', { price: format.money(price.total, terms.currency), cycle: terms.cycle });
  return t('sale.plan_at', { plan: planName(terms), price: each });
}

function askForTerms(visit: Visit, customer: CustomerRecord, offer: SoldOffer, errors: ReadonlyMap<string, string>): ConsoleResponse {
  const { t, query } = visit;
  const start = { name: 'start', label: t('sale.start'), hint: t('sale.start_hint'), value: query('start'), error: errors.get('start') };
  return choicePage(visit, {
    title: t('sale.sign'),
    up: upToCustomer(visit, customer),
    intro: html`<p>${offerText(visit, offer)}</p>`,
    fields: html`${hiddenField('to', offer.pricingId)}${hiddenField('next', 'yes')}${unitFields(visit, offer.units, errors)}${textField(start)}`,
    button: t('act.look'),
    errors,
  });
}

/** What was chosen; prices, trial and rules are those of the plan, the customer and the vendor. */
function inputOf({ id, vendorId }: CustomerRecord, offer: SoldOffer, text: (name: string) => string): SignContractInput {
  const units = Object.entries(unitsTyped(offer.units, text));
  const start = text('start');
  return {
    vendorId,
    customerId: id,
    planId: offer.planId,
    pricing: { pricingId: offer.pricingId, currency: null, cycle: null },
    overrides: Object.fromEntries(units.map(([key, typed]) => [key, { units: typed, field: `${UNITS_FIELD}${key}` }])),
    discountId: null,
    activation: start === '' ? null : at(`${start}T00:00:00Z`, 'start'),
    isPending: false,
    expiration: null,
    trialDays: null,
    freeCycles: null,
    offset: null,
    configuration: {},
    changeRules: {},
  };
}

function askToSign(
  visit: Visit,
  customer: CustomerRecord,
  offer: SoldOffer,
  { input, review }: { input: SignContractInput; review: SigningReview },
): ConsoleResponse {
  const { t, query, parts, visitor } = visit;
  const { plan, payment } = review;
  const { text: token } = sealSigning(parts.secret, visitor.vendorId, { input, basis: plan.basis });
  const chosen = ['to', 'start', ...offer.units.map(({ key }) => `${UNITS_FIELD}${key}`)].filter((name) => query(name) !== '');
  return confirmPage(visit, {
    title: t('sale.sign'),
    up: upToCustomer(visit, customer),
    effect: html`${facts(visit, review)}${lineTable(visit, 'now', t('sale.now_title'), linesOf(payment.invoices))}
${paymentSums(visit, payment, plan.contract.terms.currency)}`,
    fields: html`${chosen.map((name) => hiddenField(name, query(name)))}${hiddenField('estimate', token)}${hiddenField('shown', payment.due)}`,
    button: t('sale.sign'),
  });
}

function facts(visit: Visit, { plan: { contract }, price }: SigningReview): Html {
  const { t, format } = visit;
  const { terms, activation, discount } = contract;
  const { freeTrialDays } = terms;
  return html`<dl><dt>${t('sale.plan')}</dt><dd>${offerText(visit, { terms, price })}</dd>
<dt>${t('sale.starts')}</dt><dd>${activation === null ? t('sale.starts_later') : format.moment(activation)}</dd>
${dec(freeTrialDays).gt(0) ? html`<dt>${t('sale.trial')}</dt><dd>${t('sale.trial_days', { days: freeTrialDays })}</dd>` : null}
${discount === null ? null : html`<dt>${t('contract.discount')}</dt><dd>${discount.name}</dd>`}</dl>`;
}

/** Signs what the estimate has shown, where it is what the form names. */
async function sign(visit: Visit, form: Form): Promise<ConsoleResponse> {
  const { db, parts, visitor, asker, param } = visit;
  const customer = await readCustomer(db.em(), visitor.vendorId, param('id'));
  if (customer === null) return noSuchPage;
  const fixed = openSigning(parts.secret, visitor.vendorId, form.text('estimate'));
  const shown = form.text('shown');
  const offer = (await soldTo(db, customer)).find(({ pricingId }) => pricingId === form.text('to'));
  const asked = offer === undefined ? null : inputOf(customer, offer, form.text);
  if (fixed === null || !isAmount(shown) || JSON.stringify(asked) !== JSON.stringify(fixed.input))
    return { kind: 'fixed', page: 'form', status: 400 };
  const made = await signAsShown(db, asker, fixed, shown);
  return goTo(contractAddress(made.contractId), { key: made.isRepeat ? 'sale.signed_before' : 'sale.signed' });
}
