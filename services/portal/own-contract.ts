import type { Instant } from '../../billing/calendar/instant.ts';
import type { ContractSnapshot } from '../../billing/contract/types.ts';
import type { Database } from '../../db/connect.ts';
import { ContractRecord } from '../../db/entities/contract.ts';
import { TestClock } from '../../db/entities/vendor.ts';
import { nowOf } from '../../db/sql/clock/now-of.ts';
import { advancedSnapshot } from '../contract/advance.ts';
import { loadSnapshots } from '../contract/load.ts';
import type { PortalVisitor } from './token.ts';

/** Why a customer can only read a contract at the moment, or for good. */
export type ReadOnlyReason = 'frozen' | 'parked' | 'catching_up' | 'ended';

/** A contract of the visitor as it stands now. */
export interface OwnContract {
  snapshot: ContractSnapshot;
  now: Instant;
  /** null: the customer may act on it */
  readOnly: ReadOnlyReason | null;
}

/** The contract itself, or the id of the one that took its place; a scheduled one leads back to the one that waits. */
export type FoundContract = { type: 'own'; own: OwnContract } | { type: 'elsewhere'; contractId: string };

/** A contract of the visitor, brought up to now in memory; null for an unknown one and for another customer's. */
export async function readOwnContract(db: Database, visitor: PortalVisitor, contractId: string): Promise<FoundContract | null> {
  const em = db.em();
  const { vendorId, customerId } = visitor;
  const record = await em.findOne(ContractRecord, { id: contractId, vendorId, customerId });
  if (record === null) return null;
  const { status, isSuccessor, predecessorId, rootId, clockId } = record;
  if (isSuccessor && status === 'scheduled' && predecessorId !== null) return { type: 'elsewhere', contractId: predecessorId };
  if (status === 'moved') {
    const live = await em.findOne(ContractRecord, { rootId, customerId, isSuccessor: false, status: { $ne: 'moved' } });
    if (live !== null) return { type: 'elsewhere', contractId: live.id };
  }
  const now = await nowOf(db, clockId);
  const [snapshot] = await loadSnapshots(db, [contractId], now);
  if (snapshot === undefined) return null;
  const advancing = clockId !== null && (await em.count(TestClock, { id: clockId, status: 'advancing' })) > 0;
  return { type: 'own', own: standing(snapshot, now, advancing) };
}

function standing(snapshot: ContractSnapshot, now: Instant, advancing: boolean): OwnContract {
  const { contract, customer } = snapshot;
  if (customer.status === 'inactive') return { snapshot, now, readOnly: 'frozen' };
  if (contract.parkedReason !== null) return { snapshot, now, readOnly: 'parked' };
  const after = advancing ? null : advancedSnapshot(snapshot, now);
  if (after === null) return { snapshot, now, readOnly: 'catching_up' };
  const hasEnded = after.contract.status === 'canceled' || after.contract.status === 'moved';
  return { snapshot: after, now, readOnly: hasEnded ? 'ended' : null };
}
