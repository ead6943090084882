import { planName } from '../../../billing/contract/period/sources.ts';
import { BillingError } from '../../../billing/problem.ts';
import { Refusal, type RefusalCode } from '../../../billing/refusal.ts';
import { sealEstimate } from '../../../services/contract/estimate-token.ts';
import { type ChangeReview, reviewChange } from '../../../services/portal/change.ts';
import { portalOffers } from '../../../services/portal/offers.ts';
import type { OwnContract } from '../../../services/portal/own-contract.ts';
import { type PortalResponse, showPage } from '../../http/response.ts';
import type { Visit } from '../../http/visit.ts';
import type { MessageKey } from '../../messages/pages.ts';
import { refusalText } from '../../messages/refusal.ts';
import { choiceOfVisit, offerName, unitErrors, unitsField } from './choice-form.ts';
import { choiceContent } from './choice-view.ts';
import { reviewContent } from './review-view.ts';

/** The plans that a customer may change to. */
export const showChoice = (visit: Visit, own: OwnContract): Promise<PortalResponse> => choicePage(visit, own, null, 200);

/** The page of plans once more, with what is wrong with the choice. */
async function choicePage(visit: Visit, own: OwnContract, wrong: Refusal | BillingError | null, status: number): Promise<PortalResponse> {
  const { query } = visit;
  const offers = await portalOffers(visit.db.em(), own.snapshot, visit.look.plans);
  const all = [offers.own, ...offers.others];
  const chosen = all.find((offer) => offerName(offer) === query('to'));
  const errors = wrong instanceof BillingError && chosen ? unitErrors(visit, chosen, wrong.problems) : new Map<string, string>();
  const asked = (chosen?.units ?? []).map(
    (unit) => [`${offerName({ pricingId: chosen?.pricingId ?? null })}.${unit.key}`, query(unitsField(unit))] as const,
  );
  const refused = wrong instanceof Refusal ? changeRefusalText(visit, wrong.code) : null;
  const content = choiceContent(visit, { own, offers, errors, asked: new Map(asked.filter(([, units]) => units !== '')), refused });
  return showPage({ title: visit.t('change.title'), content, status });
}

const TEXTS: Partial<Record<RefusalCode, MessageKey>> = {
  plan_not_found: 'change.not_offered',
  plan_archived: 'change.not_offered',
  pricing_not_found: 'change.not_offered',
  nothing_to_change: 'change.nothing_to_change',
  usage_feature_taken: 'change.usage_feature_taken',
  contract_exists: 'change.contract_exists',
  cycle_end_unknown: 'change.cycle_end_unknown',
};

function changeRefusalText({ t }: Visit, code: RefusalCode): string {
  const key = TEXTS[code];
  return key === undefined ? refusalText(t, code) : t(key);
}

/** What a choice would cost; the plans again, with what is wrong with it. */
export async function showReview(visit: Visit, own: OwnContract): Promise<PortalResponse> {
  const { db, look, parts } = visit;
  try {
    const { own: current, others } = await portalOffers(db.em(), own.snapshot, look.plans);
    const choice = choiceOfVisit(visit, [current, ...others]);
    return reviewPage(visit, await reviewChange({ db, estimates: parts.estimates, plans: look.plans }, own, choice), null);
  } catch (error) {
    if (error instanceof BillingError) return choicePage(visit, own, error, 422);
    if (error instanceof Refusal) return choicePage(visit, own, error, 409);
    throw error;
  }
}

/** @param before what an estimate that doesn't hold any more asked to pay; null = the first look */
export function reviewPage(visit: Visit, review: ChangeReview, before: string | null): PortalResponse {
  const token = sealEstimate(visit.parts.secret, visit.visitor.customerId, review.fixed).text;
  return showPage({
    title: `${visit.t('change.review_title')}: ${planName(review.fresh.terms)}`,
    content: reviewContent(visit, { review, token, before }),
    status: before === null ? 200 : 409,
    narrow: true,
  });
}

/** The page of plans with what refused the change that was to be made. */
export const refusedPage = (visit: Visit, own: OwnContract, refusal: Refusal): Promise<PortalResponse> =>
  choicePage(visit, own, refusal, 409);
