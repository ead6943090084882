import type { Instant } from '../../billing/calendar/instant.ts';
import type { Tx } from '../../db/connect.ts';
import { Agenda } from '../../db/entities/agenda.ts';
import { upsertAgenda } from '../../db/sql/agenda/upsert.ts';
import { balanceWatched } from '../../db/sql/credit/balance-watched.ts';
import { enqueue, workflowIdOf } from '../../temporal/message-kinds.ts';

/** The row of the agenda for the end of a grant's life; its subject is the grant. */
export const CREDIT_EXPIRY = 'credit_expiry';

/** The row of the agenda for a look at what is left of a customer's credits; its subject is the customer. */
export const CREDIT_LOOK = 'credit_look';

/**
 * Plans a look at the credits of customers that have become less otherwise than by usage. What bills, expires or voids
 * credits locks the customer too weakly to publish an event of it, so the look is a transaction of its own.
 */
export async function planLooks(tx: Tx, customerIds: readonly string[], now: Instant): Promise<void> {
  const watched = customerIds.length === 0 ? [] : await balanceWatched(tx, customerIds);
  await upsertAgenda(
    tx,
    watched.map(({ id: customerId, vendorId, clockId }) => ({
      ...{ vendorId, customerId, contractId: null, clockId, workflowId: workflowIdOf('customer', customerId) },
      ...{ held: false, kind: CREDIT_LOOK, subject: customerId, dueAt: now, detail: {} },
    })),
  );
  for (const { id } of watched) enqueue(tx, 'customer', id);
}

/** When grants of a customer expire; null: nobody waits for it any more. */
export async function planExpiries(
  tx: Tx,
  { id: customerId, vendorId, clockId }: { id: string; vendorId: string; clockId: string | null },
  grants: readonly { id: string; expiresAt: Instant | null }[],
): Promise<void> {
  if (grants.length === 0) return;
  const workflowId = workflowIdOf('customer', customerId);
  const rows = grants.flatMap(({ id: subject, expiresAt: dueAt }) =>
    dueAt === null ? [] : [{ subject, dueAt, detail: { grant: subject } }],
  );
  const whose = { vendorId, customerId, contractId: null, clockId, workflowId, held: false, kind: CREDIT_EXPIRY };
  await upsertAgenda(
    tx,
    rows.map((row) => ({ ...whose, ...row })),
  );
  const gone = grants.filter(({ expiresAt }) => expiresAt === null).map(({ id }) => id);
  if (gone.length > 0) await tx.em.nativeDelete(Agenda, { kind: CREDIT_EXPIRY, subject: { $in: gone } });
  enqueue(tx, 'customer', customerId);
}

/**
 * Drops rows of the agenda elsewhere than in the workflow that waits for them: it is signalled, and ends where nothing
 * else is to come.
 */
export async function dropExpiries(
  tx: Tx,
  of: { customerId: string; dueAt?: { $lte: Instant } } | { subject: { $in: string[] } },
): Promise<void> {
  const dropped = await tx.em.find(Agenda, { kind: CREDIT_EXPIRY, ...of }, { fields: ['customerId'], disableIdentityMap: true });
  if (dropped.length === 0) return;
  await tx.em.nativeDelete(Agenda, { kind: CREDIT_EXPIRY, ...of });
  for (const { customerId } of dropped) if (customerId !== null) enqueue(tx, 'customer', customerId);
}
