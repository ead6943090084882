import type { Instant } from '../../billing/calendar/instant.ts';
import { Customer } from '../../db/entities/customer.ts';
import { PaymentGate } from '../../db/entities/payment-gate.ts';
import type { Tx } from '../../db/transaction.ts';
import { fingerprintOf } from '../contract/fingerprint.ts';
import { loadSurroundings } from '../contract/load.ts';
import { dropGatesOfCustomer } from './end.ts';

interface WhoChanges {
  customerId: string;
  vendorId: string;
  at: Instant;
}

/**
 * Writes new data of a customer, and ends the open gates that they make outdated: all where they change its taxes,
 * those of signings where they change its settings. The caller has locked the customer.
 */
export async function endingOutdatedGates(tx: Tx, who: WhoChanges, write: () => Promise<void>): Promise<void> {
  const { customerId, at } = who;
  if ((await tx.em.count(PaymentGate, { customerId, status: 'waiting' })) === 0) return write();
  const before = await factsOf(tx, who);
  await write();
  const after = await factsOf(tx, who);
  if (before.taxes !== after.taxes) await dropGatesOfCustomer(tx, customerId, { reason: 'customer_changed', at });
  else if (before.settings !== after.settings)
    await dropGatesOfCustomer(tx, customerId, { reason: 'customer_changed', at }, { fromContractId: null });
}

/** Fingerprints of the data of a customer on which a change or a signing depends. */
async function factsOf(tx: Tx, { customerId, vendorId }: WhoChanges): Promise<{ taxes: string; settings: string }> {
  const { taxes } = await loadSurroundings(tx, [{ vendorId, customerId, pendingChange: null }]);
  const { configuration } = await tx.em.findOneOrFail(
    Customer,
    { id: customerId },
    { fields: ['configuration'], disableIdentityMap: true },
  );
  return { taxes: fingerprintOf([taxes.get(customerId)]), settings: fingerprintOf([configuration]) };
}
