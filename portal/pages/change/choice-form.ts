import type { FieldProblem } from '../../../billing/problem.ts';
import { type ChangeChoice, UNITS_FIELD } from '../../../services/portal/change.ts';
import type { PortalOffer } from '../../../services/portal/offers.ts';
import type { UnitChoice } from '../../../services/portal/unit-choices.ts';
import type { Visit } from '../../http/visit.ts';

/** How the form names the contract's own plan. */
const OWN = 'own';

/** Name of an offer in the form and in the ids of its fields. */
export const offerName = ({ pricingId }: Pick<PortalOffer, 'pricingId'>): string => pricingId ?? OWN;

/** Name of a field of units; its id has the offer's name before it. */
export const unitsField = ({ key }: UnitChoice): string => `${UNITS_FIELD}${key}`;

/** What was chosen, from the address of the review. */
export function choiceOfVisit({ query }: Visit, offers: readonly PortalOffer[]): ChangeChoice {
  const to = query('to');
  const chosen = offers.find((offer) => offerName(offer) === to);
  const asked = (chosen?.units ?? []).map((unit) => [unit.key, query(unitsField(unit)).trim()] as const);
  return { pricingId: to === OWN ? null : to, units: Object.fromEntries(asked.filter(([, units]) => units !== '')) };
}

const TEXTS = { below_minimum: 'change.below_minimum', above_maximum: 'change.above_maximum' } as const;
const isLimit = (code: string): code is keyof typeof TEXTS => Object.hasOwn(TEXTS, code);

/** What is wrong with the units, worded for the customer, by the field's id without `field-`. */
export function unitErrors({ t, format }: Visit, offer: PortalOffer, problems: readonly FieldProblem[]): Map<string, string> {
  const errors = new Map<string, string>();
  for (const unit of offer.units) {
    const problem = problems.find(({ field }) => field === unitsField(unit));
    if (problem === undefined) continue;
    const { name, minimum, maximum } = unit;
    const text = t(isLimit(problem.code) ? TEXTS[problem.code] : 'change.not_a_number', {
      name,
      minimum: format.number(minimum),
      maximum: format.number(maximum ?? '0'),
    });
    errors.set(`${offerName(offer)}.${unit.key}`, text);
  }
  return errors;
}
