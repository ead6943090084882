import type { Instant } from '../../billing/calendar/instant.ts';
import type { Pause } from '../../billing/calendar/pauses.ts';
import { requireRecentActivation } from '../../billing/contract/advance/catching-up.ts';
import type { PricingChoice } from '../../billing/contract/terms/offer.ts';
import { type PartialConfiguration, planSigning as sign } from '../../billing/contract/terms/sign.ts';
import type { Overrides } from '../../billing/contract/terms/terms.ts';
import type { Contract } from '../../billing/contract/types.ts';
import { Refusal } from '../../billing/refusal.ts';
import { replaceAgenda } from '../../db/agenda/contract-rows.ts';
import type { Tx } from '../../db/connect.ts';
import { ContractRecord } from '../../db/entities/contract.ts';
import { newId } from '../../db/id.ts';
import { configurationOfVendor } from '../../db/sql/vendor/configuration.ts';
import { insertNew } from '../../db/sql/write-many.ts';
import { enqueue } from '../../temporal/message-kinds.ts';
import { lockCustomer } from '../customer/lock.ts';
import { advanceBatch } from './advance.ts';
import { readOffer, requireDiscount } from './offer.ts';
import { writeUsageOwners } from './usage-owners.ts';
import { contractRow } from './write.ts';

/**
 * A contract as the caller asks for it; what is null falls back to the plan, the customer, the vendor or the moment of
 * signing.
 */
export interface SignContractInput {
  vendorId: string;
  customerId: string;
  planId: string;
  pricing: Omit<PricingChoice, 'usual'>;
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

/**
 * Signs a contract with nothing but Postgres: its row, its first step and the message that starts its workflow are
 * written together, so that it has its first period and invoice as soon as it can be read. One whose first step can't
 * be carried out stays `not_ready`, parked with the reason.
 *
 * @returns the contract's id
 * @throws Refusal `customer_not_found`, `customer_frozen`, `plan_not_found`, `plan_archived`, `pricing_not_found`,
 * `discount_not_found`, `contract_exists`, `usage_feature_taken`, `clock_advancing`; BillingError with the fields that
 * are wrong
 */
export async function signContract(tx: Tx, input: SignContractInput): Promise<string> {
  const customer = await lockCustomer(tx, input.vendorId, input.customerId);
  const offer = await readOffer(tx, input.vendorId, input.planId, { ...input.pricing, usual: null });
  const vendorConfiguration = await configurationOfVendor(tx, input.vendorId);
  const discount = input.discountId === null ? null : await requireDiscount(tx, input.vendorId, input.discountId);
  const { contract, agenda } = sign(
    {
      ...input,
      clockId: customer.clockId,
      offer,
      discount,
      customerConfiguration: customer.configuration,
      vendorConfiguration,
    },
    customer.now,
    { newId, pauses: customer.pauses },
  );
  requireRecentActivation(contract, customer.pauses, customer.now);
  await insertContract(tx, contract, customer.pauses);
  await writeUsageOwners(tx, [contract]);
  await replaceAgenda(tx, [{ contract, rows: agenda }]);
  enqueue(tx, 'contract', contract.id);
  await advanceBatch(tx, [contract.id], customer.now, customer.clockId === null ? {} : { instants: Number.POSITIVE_INFINITY });
  return contract.id;
}

async function insertContract(tx: Tx, contract: Contract, pauses: Pause[]): Promise<void> {
  const written = await insertNew(tx, ContractRecord, [contractRow(contract, pauses)]);
  if (written > 0) return;
  const { customerId, terms } = contract;
  const status = { $in: ['not_ready', 'pending', 'scheduled', 'active'] as const };
  const existing = await tx.em.findOne(ContractRecord, { customerId, planId: terms.originalPlanId, isSuccessor: false, status });
  // the one that was in the way may have ended meanwhile: then there is nothing to name, and signing again succeeds
  const which = existing === null ? 'a contract' : `the contract ${existing.id}`;
  const about = existing === null ? null : { contract: existing.id };
  throw new Refusal('contract_exists', `The customer already has ${which} of this plan: change or cancel that one.`, about);
}
