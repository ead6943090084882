import type { Pause } from '../../billing/calendar/pauses.ts';
import type { Contract } from '../../billing/contract/types.ts';
import { Refusal } from '../../billing/refusal.ts';
import { replaceAgenda } from '../../db/agenda/contract-rows.ts';
import type { Tx } from '../../db/connect.ts';
import { ContractRecord } from '../../db/entities/contract.ts';
import { newId, seededIds } from '../../db/id.ts';
import { insertNew } from '../../db/sql/write-many.ts';
import { enqueue } from '../../temporal/message-kinds.ts';
import { lockCustomer } from '../customer/lock.ts';
import { advanceBatch } from './advance.ts';
import { firstStepLimit, readSignRequest, requireAsEstimated, type SignBasis, type SignContractInput, signedAt } from './signing.ts';
import { writeUsageOwners } from './usage-owners.ts';
import { contractRow } from './write.ts';

/**
 * Signs a contract with nothing but Postgres: its row, its first step and the message that starts its workflow are
 * written together, so that it has its first period and invoice as soon as it can be read. One whose first step can't
 * be carried out stays `not_ready`, parked with the reason.
 *
 * @param estimate of this same signing: it is signed as of its instant
 * @returns the contract's id
 * @throws Refusal `customer_not_found`, `customer_frozen`, `plan_not_found`, `plan_archived`, `pricing_not_found`,
 * `discount_not_found`, `contract_exists`, `usage_feature_taken`, `clock_advancing`, `estimate_outdated`; BillingError
 * with the fields that are wrong
 */
export async function signContract(tx: Tx, input: SignContractInput, estimate: SignBasis | null = null): Promise<string> {
  const customer = await lockCustomer(tx, input.vendorId, input.customerId);
  const request = await readSignRequest(tx, input, customer);
  if (estimate !== null) await requireAsEstimated(tx, request, customer, estimate);
  const at = estimate?.instant ?? customer.now;
  const ids = estimate === null ? newId : seededIds(estimate.seed, estimate.instant);
  const { contract, agenda } = signedAt(request, customer.pauses, at, ids);
  await insertContract(tx, contract, customer.pauses);
  await writeUsageOwners(tx, [contract]);
  await replaceAgenda(tx, [{ contract, rows: agenda }]);
  enqueue(tx, 'contract', contract.id);
  await advanceBatch(tx, [contract.id], at, { ...firstStepLimit(customer.clockId), newId: ids });
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
