import type { Instant } from '../../billing/calendar/instant.ts';
import type { Tx } from '../../db/connect.ts';
import { Agenda } from '../../db/entities/agenda.ts';
import { upsertAgenda } from '../../db/sql/agenda/upsert.ts';
import { type TopUpOwner, topUpsOf, type WatchingTopUp } from '../../db/sql/credit/top-ups-of.ts';
import { enqueue, workflowIdOf } from '../../temporal/message-kinds.ts';

/** The row of the agenda that has a top-up look at the credits; its subject is the top-up. */
export const CREDIT_TOP_UP = 'credit_top_up';

/** What a row of the agenda says of its top-up. */
type PlannedTopUp = Pick<WatchingTopUp, 'id' | 'vendorId' | 'customerId' | 'clockId'>;

/** Plans for top-ups when they look at the credits; each has one such instant at a time. */
export async function planTopUps(tx: Tx, plans: readonly { topUp: PlannedTopUp; at: Instant }[]): Promise<void> {
  await upsertAgenda(
    tx,
    plans.map(({ topUp: { id: subject, vendorId, customerId, clockId }, at: dueAt }) => ({
      ...{ vendorId, customerId, contractId: null, clockId, workflowId: workflowIdOf('customer', customerId) },
      ...{ held: false, kind: CREDIT_TOP_UP, subject, dueAt, detail: { top_up: subject } },
    })),
  );
  for (const { topUp } of plans) enqueue(tx, 'customer', topUp.customerId);
}

/**
 * Lets the top-ups of customers look at their credits now, since something has changed. The transaction must have
 * locked the wallet of the currency, or the customer: a top-up that is being carried out waits for that lock before it
 * takes its row off the agenda, and doesn't hold the row while it waits.
 */
export async function askTopUps(tx: Tx, owners: readonly TopUpOwner[]): Promise<void> {
  const found = (await topUpsOf(tx, owners)).filter(({ isStopped }) => !isStopped);
  if (found.length > 0)
    await planTopUps(
      tx,
      found.map((topUp) => ({ topUp, at: topUp.now })),
    );
}

/** Nothing is bought for these any more. */
export async function dropTopUpRows(tx: Tx, topUpIds: readonly string[]): Promise<void> {
  await tx.em.nativeDelete(Agenda, { kind: CREDIT_TOP_UP, subject: { $in: [...topUpIds] } });
}
