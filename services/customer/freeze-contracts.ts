import type { Instant } from '../../billing/calendar/instant.ts';
import type { ContractSnapshot, NewId, Outcome } from '../../billing/contract/types.ts';
import type { Tx } from '../../db/connect.ts';
import { newId } from '../../db/id.ts';
import { contractsToFreeze } from '../../db/sql/customer/contracts-to-freeze.ts';
import { publish } from '../../db/sql/event/publish.ts';
import { enqueue } from '../../temporal/message-kinds.ts';
import { applyToBatch } from '../contract/batch.ts';
import { recordHistory } from './history.ts';
import type { LockedCustomer } from './lock.ts';

type Rule = (snapshot: ContractSnapshot, now: Instant, newId: NewId) => Outcome;

/**
 * Applies a rule to every contract that is live or still has usage to close. Parked ones make up for it when they are
 * resumed.
 */
export async function applyToContracts(tx: Tx, { id, now }: LockedCustomer, rule: Rule): Promise<void> {
  const contracts = await contractsToFreeze(tx, id);
  const ids = contracts.map((contract) => contract.id);
  // of what was charged a freeze and its end need no more than an advance does
  await applyToBatch(tx, ids, now, (snapshot) => rule(snapshot, now, newId), { running: 'ending' });
  for (const { chainId } of contracts) enqueue(tx, 'contract', chainId);
}

/** Notes a freeze or its end in the customer's history, and as an event. */
export async function noteFreeze(
  tx: Tx,
  { id, vendorId, now }: LockedCustomer,
  kind: 'frozen' | 'activated',
  notes: string | null,
  data: Record<string, string | number> = {},
): Promise<void> {
  await recordHistory(tx, { customerId: id, kind, notes, object: data.invoice_id === undefined ? null : String(data.invoice_id), at: now });
  await publish(tx, [{ vendorId, type: `v1.customer.${kind}`, objectId: id, at: now, data }]);
}
