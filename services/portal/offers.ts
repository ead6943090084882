import type { EntityManager } from '@mikro-orm/postgresql';
import { type CyclePrice, cyclePrice } from '../../billing/contract/charge/cycle-price.ts';
import type { Offer } from '../../billing/contract/terms/offer.ts';
import { buildTerms, unitsTakenOver } from '../../billing/contract/terms/terms.ts';
import type { Contract, ContractSnapshot, Terms } from '../../billing/contract/types.ts';
import type { TaxContext } from '../../billing/invoice/types.ts';
import type { Currency } from '../../billing/money/currency.ts';
import { Plan, type PlanRecord } from '../../db/entities/catalogue.ts';
import { type UnitChoice, unitChoices } from './unit-choices.ts';

/** What a customer may have: the plan it has, or another one. */
export interface PortalOffer {
  /** id of the pricing that an other plan is sold at; null for the contract's own plan at its own prices */
  pricingId: string | null;
  planId: string;
  /** as they would be after the change, without a choice of units */
  terms: Terms;
  /** of one cycle with tax, before discount, without usage */
  price: CyclePrice;
  units: UnitChoice[];
}

/** The most plans that are offered, so that the page stays readable. */
const MOST_PLANS = 50;

/**
 * The contract's own plan, and what the vendor offers beside it.
 *
 * @param ids of the plans that customers may change to, in this order; null = all that are sold, in the order they were
 *   made
 */
export async function portalOffers(
  em: EntityManager,
  { contract, tax }: ContractSnapshot,
  ids: readonly string[] | null,
): Promise<{ own: PortalOffer; others: PortalOffer[] }> {
  const sold = await soldIn(em, contract, ids);
  const plans = ids === null ? sold : sold.toSorted((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id));
  const others = plans.flatMap((plan) => plan.pricings.getItems().map((pricing): Offer => offerOf(plan, pricing)));
  return {
    own: {
      pricingId: null,
      planId: contract.terms.originalPlanId,
      terms: contract.terms,
      price: cyclePrice(contract.terms, tax),
      units: unitChoices(contract.terms, 'signed'),
    },
    others: others.filter((offer) => !isOwn(offer, contract)).map((offer) => offered(offer, contract, tax)),
  };
}

/** Active plans with a pricing in the contract's currency, with those pricings alone. */
const soldIn = (em: EntityManager, { vendorId, terms }: Contract, ids: readonly string[] | null): Promise<PlanRecord[]> =>
  plansSold(em, vendorId, { currency: terms.currency }, ids);

/** Active plans with the pricings that are sold, in any currency unless one is named. */
export function plansSold(
  em: EntityManager,
  vendorId: string,
  of: { currency?: Currency } = {},
  ids: readonly string[] | null = null,
): Promise<PlanRecord[]> {
  const pricings = { active: true, ...of };
  return em.find(
    Plan,
    { vendor: vendorId, status: 'active', pricings, ...(ids === null ? {} : { id: { $in: [...ids] } }) },
    {
      populate: ['features', 'pricings'],
      populateWhere: { pricings, features: { archived: false } },
      orderBy: { created: 'asc', id: 'asc' },
      limit: MOST_PLANS,
    },
  );
}

/** A plan at one of its pricings, as it is sold now. */
export function offerOf(plan: PlanRecord, pricing: ReturnType<PlanRecord['pricings']['getItems']>[number]): Offer {
  const { id, slug, internalName, externalName, description, strategy, freeTrialDays, changeRules, pauseRules } = plan;
  const features = plan.features.getItems().map((one) => ({
    id: one.id,
    slug: one.slug,
    name: one.name,
    chargeTrigger: one.chargeTrigger,
    group: one.group ?? null,
    value: one.value ?? null,
  }));
  const { currency, cycle, freeCycles, price, features: prices, groups } = pricing;
  return {
    plan: {
      id,
      slug,
      internalName,
      externalName: externalName ?? null,
      description: description ?? null,
      strategy,
      freeTrialDays,
      features,
      changeRules,
      pauseRules,
    },
    pricing: { id: pricing.id, currency, cycle, freeCycles, price: price ?? null, features: prices, groups },
  };
}

const isOwn = ({ plan, pricing }: Offer, { terms }: Contract): boolean => plan.id === terms.originalPlanId && pricing.cycle === terms.cycle;

function offered(offer: Offer, contract: Contract, tax: TaxContext): PortalOffer {
  const terms = buildTerms(offer, unitsTakenOver(contract.terms, offer), (prefix) => prefix);
  return {
    pricingId: offer.pricing.id,
    planId: offer.plan.id,
    terms,
    price: cyclePrice(terms, tax),
    units: unitChoices(terms, 'offered'),
  };
}
