import { Refusal } from '../../billing/refusal.ts';
import type { Database } from '../../db/connect.ts';
import { readCustomer } from '../../db/customer/read.ts';
import { newSeed } from '../../db/id.ts';
import { nowOf } from '../../db/sql/clock/now-of.ts';
import { usageOwnersOf } from '../../db/sql/contract/usage-owners.ts';
import { readPauses } from '../../db/sql/customer/read-pauses.ts';
import { estimateAfterFreeze } from '../customer/after-freeze.ts';
import { inactiveRefusal, refuseWhileAdvancing } from '../customer/lock.ts';
import { planSigningAhead, readSignRequest, type SignContractInput, type SigningPlan } from './signing.ts';
import { requireNotOwned } from './usage-owners.ts';

/**
 * What signing a contract now would write: the computation of the signing itself. Nothing of it is written and nothing
 * is locked.
 *
 * @throws Refusal and BillingError as `signContract`
 */
export const estimateSigning = (db: Database, input: SignContractInput): Promise<SigningPlan> =>
  estimateAfterFreeze(db, input, () => computeSigning(db, input));

async function computeSigning(db: Database, input: SignContractInput): Promise<SigningPlan> {
  const { vendorId, customerId } = input;
  const tx = db.preparing;
  const customer = await readCustomer(db.em(), vendorId, customerId);
  if (customer === null) throw new Refusal('customer_not_found', `There is no customer ${customerId}.`, 'customer');
  await refuseWhileAdvancing(tx, customer.clockId);
  if (customer.status === 'inactive') throw inactiveRefusal(customer);
  const who = { ...customer, pauses: await readPauses(tx, customerId), now: await nowOf(tx, customer.clockId) };
  const request = await readSignRequest(tx, input, who);
  const plan = await planSigningAhead(tx, request, who, { instant: who.now, seed: newSeed() });
  await requireNotOwned(tx, await usageOwnersOf(tx, [customerId]), request.offer, plan.contract);
  return plan;
}
