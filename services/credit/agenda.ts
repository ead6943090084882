import type { Instant } from '../../billing/calendar/instant.ts';
import type { Tx } from '../../db/connect.ts';
import { Agenda } from '../../db/entities/agenda.ts';
import { upsertAgenda } from '../../db/sql/agenda/upsert.ts';
import { enqueue, workflowIdOf } from '../../temporal/message-kinds.ts';

/** The row of the agenda for the end of a grant's life; its subject is the grant. */
export const CREDIT_EXPIRY = 'credit_expiry';

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
  if (tx.actor !== 'timer') enqueue(tx, 'customer', customerId);
}
