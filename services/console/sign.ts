import { type CyclePrice, cyclePrice } from '../../billing/contract/charge/cycle-price.ts';
import { invoicesMade } from '../../billing/contract/estimate/steps-ahead.ts';
import { buildTerms } from '../../billing/contract/terms/terms.ts';
import type { Terms } from '../../billing/contract/types.ts';
import type { Asker } from '../../db/audited-call.ts';
import type { Database, Tx } from '../../db/connect.ts';
import type { CustomerRecord } from '../../db/customer/customer.ts';
import { Invoice } from '../../db/entities/invoice.ts';
import { nowOf } from '../../db/sql/clock/now-of.ts';
import { readPauses } from '../../db/sql/customer/read-pauses.ts';
import { sendLast } from '../../db/transaction.ts';
import { requireAtMost } from '../contract/change.ts';
import { estimateSigning } from '../contract/estimate-sign.ts';
import type { FixedSigning } from '../contract/estimate-token.ts';
import { signContract } from '../contract/sign.ts';
import { readAround, type SignContractInput, type SigningPlan } from '../contract/signing.ts';
import { wasMade } from '../portal/change.ts';
import { type ChangePayment, paymentOf } from '../portal/change-payment.ts';
import { offerOf, plansSold } from '../portal/offers.ts';
import { type UnitChoice, unitChoices } from '../portal/unit-choices.ts';

/** A plan at one of its pricings, as a customer would sign it. */
export interface SoldOffer {
  planId: string;
  pricingId: string;
  terms: Terms;
  /** of one cycle with the customer's tax, without usage */
  price: CyclePrice;
  units: UnitChoice[];
}

/** What a signing comes to; nothing of it is written. */
export interface SigningReview {
  plan: SigningPlan;
  price: CyclePrice;
  payment: ChangePayment;
}

/** Everything that is sold now, at the customer's tax. */
export async function soldTo(db: Database, customer: CustomerRecord): Promise<SoldOffer[]> {
  const { tax } = await around(db, customer);
  const plans = await plansSold(db.em(), customer.vendorId);
  return plans
    .flatMap((plan) => plan.pricings.getItems().map((pricing) => offerOf(plan, pricing)))
    .map((offer) => {
      const terms = buildTerms(offer, {}, (prefix) => prefix);
      const units = unitChoices(terms, 'offered');
      return { planId: offer.plan.id, pricingId: offer.pricing.id, terms, price: cyclePrice(terms, tax), units };
    });
}

async function around(db: Database, { id, vendorId, clockId, configuration }: CustomerRecord) {
  const [pauses, now] = [await readPauses(db, id), await nowOf(db, clockId)];
  return readAround(db, { vendorId, customerId: id }, { id, clockId, configuration, pauses, now });
}

/**
 * What signing would write and charge.
 *
 * @throws Refusal and BillingError as the signing
 */
export async function reviewSigning(db: Database, customer: CustomerRecord, input: SignContractInput): Promise<SigningReview> {
  const plan = await estimateSigning(db, input);
  const { tax } = await around(db, customer);
  const made = { outcome: plan.outcome, remainsToPay: [], priceOnNew: invoicesMade(plan.outcome) };
  return { plan, price: cyclePrice(plan.contract.terms, tax), payment: await paymentOf(db, plan.contract, made) };
}

/** What became of a signing: the contract it made, now or by an earlier use of the same estimate. */
export interface SignedAsShown {
  contractId: string;
  isRepeat: boolean;
}

/**
 * Signs as the estimate has shown, once, where no more is left to pay of it than was shown. Used again it says what the
 * first use made.
 *
 * @throws Refusal `estimate_outdated` and those of the signing
 */
export async function signAsShown(db: Database, asker: Asker, { input, basis }: FixedSigning, atMost: string): Promise<SignedAsShown> {
  const sign = async (tx: Tx): Promise<string> => {
    const contractId = await signContract(tx, input, basis);
    await sendLast(tx);
    const made = await tx.em.find(Invoice, { contractId }, { fields: ['id'] });
    const ids = made.map(({ id }) => id);
    await requireAtMost(tx, ids, atMost);
    return contractId;
  };
  try {
    return { contractId: await db.transaction(sign, asker), isRepeat: false };
  } catch (error) {
    // the first use has changed what a second one meets; a lost COMMIT may have been the first
    if (await wasMade(db, basis.contractId)) return { contractId: basis.contractId, isRepeat: true };
    throw error;
  }
}
