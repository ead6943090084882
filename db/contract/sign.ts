import type { Instant } from '../../billing/calendar/instant.ts';
import type { PricingWish } from '../../billing/contract/offer.ts';
import { type PartialConfiguration, signContract as sign } from '../../billing/contract/sign.ts';
import type { Overrides } from '../../billing/contract/terms.ts';
import type { Configuration, Contract } from '../../billing/contract/types.ts';
import { replaceAgenda } from '../agenda/contract-rows.ts';
import { type Queryable, violatedConstraint } from '../connect.ts';
import { holdCustomer } from '../customer/hold.ts';
import { mayPass, reasonOf } from '../fault.ts';
import { newId } from '../id.ts';
import { fromContract } from '../mapping/contract.ts';
import { Refusal } from '../refusal.ts';
import { insertRows } from '../rows.ts';
import { inSavepoint } from '../savepoint.ts';
import { recordWishes } from '../wish/record.ts';
import { advanceContracts } from './advance.ts';
import { keepClaims } from './claims.ts';
import { figuresOf } from './figures.ts';
import { readDiscount, readOffer } from './offer.ts';
import { parkContract } from './park.ts';

/** A contract as the caller wishes it; what is null falls back to the plan, the customer, the vendor or the moment of signing. */
export interface SignWish {
  vendorId: string;
  customerId: string;
  planId: string;
  pricing: Omit<PricingWish, 'usual'>;
  overrides: Overrides;
  discountId: string | null;
  activation: Instant | null;
  isPending: boolean;
  expiration: Instant | null;
  trialDays: number | null;
  freeCycles: number | null;
  offset: number | null;
  configuration: PartialConfiguration;
}

interface SignedContract {
  contract: Contract;
  /** to be delivered after the commit */
  wishes: string[];
}

/**
 * Signs a contract with nothing but Postgres: its row, its first step and the wish to start its workflow are written together, so that it has its
 * first period and invoice when anybody sees it. One whose first step can't be carried out stays `not_ready`, parked with the reason.
 *
 * @throws Refusal `customer_not_found`, `customer_frozen`, `plan_not_found`, `plan_archived`, `pricing_not_found`, `discount_not_found`,
 *   `contract_exists`, `usage_feature_taken`, `clock_advancing`; BillingError with the fields that are wrong
 */
export async function signContract(tx: Queryable, wish: SignWish): Promise<SignedContract> {
  const customer = await holdCustomer(tx, wish.vendorId, wish.customerId);
  const offer = await readOffer(tx, wish.vendorId, wish.planId, { ...wish.pricing, usual: null });
  const [vendor] = await tx.query<{ invoicing: Configuration }>('select invoicing from vendor where id = $1', [wish.vendorId]);
  if (vendor === undefined) throw new Error(`the vendor ${wish.vendorId} does not exist`);
  const discount = wish.discountId === null ? null : await readDiscount(tx, wish.vendorId, wish.discountId);
  const { contract, agenda } = sign(
    {
      ...wish,
      clockId: customer.clockId,
      offer,
      discount,
      customerConfiguration: customer.configuration,
      vendorConfiguration: vendor.invoicing,
    },
    customer.now,
    { mint: newId, pauses: customer.pauses },
  );
  await insertContract(tx, contract, customer.pauses);
  await keepClaims(tx, [contract]);
  await replaceAgenda(tx, [{ contract, rows: agenda }]);
  const wishes = await recordWishes(tx, [{ kind: 'start_contract', workflowId: contract.id, payload: {} }]);
  return { contract, wishes: [...wishes, ...(await firstStep(tx, contract.id, customer.now))] };
}

async function firstStep(tx: Queryable, contractId: string, now: Instant): Promise<string[]> {
  try {
    return await inSavepoint(tx, async () => {
      const { wishes, failed } = await advanceContracts(tx, [{ ids: [contractId], lock: 'wait' }], now);
      for (const { error } of failed) throw error;
      return wishes;
    });
  } catch (error) {
    if (mayPass(error)) throw error;
    await parkContract(tx, contractId, reasonOf(error), now);
    return [];
  }
}

async function insertContract(tx: Queryable, contract: Contract, pauses: Parameters<typeof figuresOf>[1]): Promise<void> {
  try {
    await insertRows(tx, 'contract', [fromContract(contract, figuresOf(contract, pauses))]);
  } catch (error) {
    if (violatedConstraint(error) !== 'contract_one_live_unique') throw error;
    throw new Refusal('contract_exists', 'The customer already has a contract of this plan.', { plan: contract.terms.originalPlanId });
  }
}
