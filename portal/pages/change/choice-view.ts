import { planName, usageSources } from '../../../billing/contract/period/sources.ts';
import type { TermFeature } from '../../../billing/contract/types.ts';
import type { Currency } from '../../../billing/money/currency.ts';
import { dec } from '../../../billing/money/decimal.ts';
import type { PortalOffer } from '../../../services/portal/offers.ts';
import type { OwnContract } from '../../../services/portal/own-contract.ts';
import type { UnitChoice } from '../../../services/portal/unit-choices.ts';
import { vendorText } from '../../http/vendor-text.ts';
import type { Visit } from '../../http/visit.ts';
import { errorSummary, fieldId, hiddenField } from '../../parts/form.ts';
import { type Html, html } from '../../parts/html.ts';
import { badge, noteBox } from '../../parts/note.ts';
import { stepper } from '../../parts/stepper.ts';
import { offerName, unitsField } from './choice-form.ts';
import { contractAddress } from './own.ts';
import { featureWords, priceWords } from './price-words.ts';
import { scheduledNotice } from './scheduled-notice.ts';

/** What the page of plans shows: the offers, and what is wrong with an earlier choice. */
interface ChoiceParts {
  own: OwnContract;
  offers: { own: PortalOffer; others: PortalOffer[] };
  /** by the field's id without `field-` */
  errors: ReadonlyMap<string, string>;
  /** what was asked for by the field's id without `field-`, where it differs from what the contract has */
  asked: ReadonlyMap<string, string>;
  /** why the change isn't possible at all */
  refused: string | null;
}

/** All that a customer can choose: its own plan with other units, and other plans, each with a form of its own. */
export function choiceContent(visit: Visit, parts: ChoiceParts): Html {
  const { t } = visit;
  const { own, offers, errors, refused } = parts;
  const plan = planName(offers.own.terms);
  return html`<a class="up" href="${contractAddress(own.snapshot.contract.id)}">${t('change.up', { plan })}</a>
<div class="title"><h1>${t('change.title')}</h1></div>
${vendorText(visit, 'change')}
${errorSummary(t('frame.errors_title', { count: errors.size }), errors)}
${refused === null ? null : noteBox('bad', html`<strong>${t('change.refused_title')}</strong> ${refused}`)}
${scheduledNotice(visit, own)}
<p class="soft intro">${t('change.intro')}</p>
<section aria-labelledby="own-plan own-plan-price"><div class="head"><h2 id="own-plan">${plan}</h2>${badge('good', t('change.own_badge'))}</div>
${offerBody(visit, parts, offers.own, 'own-plan-price')}</section>
<h2 class="group">${t('change.others_title')}</h2>
${offers.others.length === 0 ? html`<p class="soft">${t('change.none_offered')}</p>` : html`<div class="plans">${offers.others.map((offer) => otherPlan(visit, parts, offer))}</div>`}`;
}

/** A plan that is sold for several cycles stands there several times: its price tells them apart. */
function otherPlan(visit: Visit, parts: ChoiceParts, offer: PortalOffer): Html {
  const id = `plan-${offerName(offer)}`;
  const priceId = `${id}-price`;
  return html`<section aria-labelledby="${id} ${priceId}"><h3 id="${id}">${planName(offer.terms)}</h3>
${offerBody(visit, parts, offer, priceId)}</section>`;
}

function offerBody(visit: Visit, parts: ChoiceParts, offer: PortalOffer, priceId: string): Html {
  const { t, format } = visit;
  const { terms, price } = offer;
  const notes = [
    ...(dec(price.tax).isZero() ? [] : [t('change.with_tax')]),
    ...(usageSources(terms).length === 0 ? [] : [t('change.plus_usage')]),
  ];
  return html`<p class="figure" id="${priceId}">${t('prices.per_cycle', { price: format.money(price.total, terms.currency), cycle: terms.cycle })}</p>
${notes.length === 0 ? null : html`<p class="soft small">${notes.join(', ')}</p>`}
${terms.description === null ? null : html`<p>${terms.description}</p>`}
${includedList(visit, offer)}
${offerForm(visit, parts, offer)}`;
}

function includedList(visit: Visit, { terms }: PortalOffer): Html | null {
  const groups = terms.groups.map(({ name, price }) => ({ name, words: priceWords(visit, price, 'every_cycle', terms.currency) }));
  const features = terms.features
    .filter(({ group, price }) => group === null || price !== null)
    .map((feature) => ({ name: feature.name, words: wordsOf(visit, feature, terms.currency) }));
  const grouped = terms.features
    .filter(({ group, price }) => group !== null && price === null)
    .map((feature) => ({ name: feature.name, words: wordsOf(visit, feature, terms.currency) }));
  const all = [...groups, ...features, ...grouped];
  if (all.length === 0) return null;
  return html`<ul class="included" aria-label="${visit.t('change.included_of', { plan: planName(terms) })}">${all.map(
    ({ name, words }) => html`<li>${name}${words === '' ? null : html` <span class="soft">${words}</span>`}</li>`,
  )}</ul>`;
}

/** In a list of what is included a feature that costs nothing needs no more words, unless it has a value. */
const wordsOf = (visit: Visit, feature: TermFeature, currency: Currency): string =>
  feature.price === null && feature.value === null ? '' : featureWords(visit, feature, currency);

/** A form that only looks: the next page says what it would cost. The own plan is a choice only where it has units. */
function offerForm(visit: Visit, parts: ChoiceParts, offer: PortalOffer): Html | null {
  const isOwn = offer.pricingId === null;
  if (isOwn && offer.units.length === 0) return null;
  const button = html`<button type="submit"${isOwn ? null : html` class="main"`}>${buttonText(visit, parts, offer)}</button>`;
  return html`<form method="get" action="${contractAddress(parts.own.snapshot.contract.id, '/change/review')}">${hiddenField('to', offerName(offer))}
${offer.units.map((unit) => unitStepper(visit, parts, offer, unit))}
<div class="actions">${button}</div></form>`;
}

/** Where a plan is sold for several cycles, its buttons say which. */
function buttonText({ t }: Visit, { offers }: ChoiceParts, offer: PortalOffer): string {
  const plan = planName(offer.terms);
  if (offer.pricingId === null) return t('change.change_units', { names: offer.units.map(({ name }) => name).join(', ') });
  const sold = [offers.own, ...offers.others].filter(({ planId }) => planId === offer.planId);
  return sold.length === 1 ? t('change.choose', { plan }) : t('change.choose_cycle', { plan, cycle: offer.terms.cycle });
}

function unitStepper({ t, format }: Visit, { errors, asked }: ChoiceParts, offer: PortalOffer, unit: UnitChoice): Html {
  const { name, units, minimum, maximum, batchSize } = unit;
  const place = `${offerName(offer)}.${unit.key}`;
  const isWhole = [units, minimum, maximum ?? '0'].every((one) => !one.includes('.'));
  return stepper({
    id: fieldId(place),
    name: unitsField(unit),
    label: name,
    value: asked.get(place) ?? units,
    minimum,
    maximum,
    step: batchSize === null ? (isWhole ? '1' : 'any') : String(batchSize),
    hint: t('change.limits', {
      kind: maximum === null ? 'least' : 'between',
      minimum: format.number(minimum),
      maximum: format.number(maximum ?? '0'),
      batch: batchSize === null ? 'none' : format.number(String(batchSize)),
    }),
    error: errors.get(place) ?? null,
    fewer: t('change.fewer', { name }),
    more: t('change.more', { name }),
  });
}
