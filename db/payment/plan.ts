import type { Instant } from '../../billing/calendar/instant.ts';
import { retryAt } from '../../billing/payment/retry.ts';
import type { Queryable, Row } from '../connect.ts';
import { stamp, upsertRows } from '../rows.ts';
import { type NewWish, recordWishes } from '../wish/record.ts';
import { type Candidate, candidates, candidatesOf } from './candidate.ts';

type CollectionKind = 'payment_due' | 'payment_retry';

/** Tells the workflow of an invoice to look at its rows; it is started when there is none. */
export const wakePayment = (invoiceId: string): NewWish => ({
  kind: 'wake_payment',
  workflowId: invoiceId,
  payload: {},
});

/**
 * Puts the next collection of each invoice on the agenda and wishes for its workflow, or takes it off where nothing can be collected.
 * Run again it changes nothing.
 *
 * @returns ids of the wishes to deliver after the commit
 */
export async function planPayments(tx: Queryable, invoiceIds: readonly string[]): Promise<string[]> {
  return invoiceIds.length === 0 ? [] : plan(tx, await candidates(tx, invoiceIds));
}

/** Plans everything of a customer anew: another default method, another status, frozen time that has passed. */
export async function planCustomer(tx: Queryable, customerId: string): Promise<string[]> {
  return plan(tx, await candidatesOf(tx, customerId));
}

async function plan(tx: Queryable, open: readonly Candidate[]): Promise<string[]> {
  const next = open.flatMap((candidate) => {
    const due = nextCollection(candidate);
    return due === null ? [] : [{ candidate, ...due }];
  });
  const rows = next.map(({ candidate, kind, at }) => collectionRow(candidate, kind, at));
  await tx.query(
    `delete from agenda where kind in ('payment_due', 'payment_retry') and subject = any($1::text[])
       and (kind, subject) not in (select x.kind, x.subject from jsonb_to_recordset($2::jsonb) as x(kind text, subject text))`,
    [open.map(({ id }) => id), JSON.stringify(rows.map(({ kind, subject }) => ({ kind, subject })))],
  );
  await upsertRows(tx, 'agenda', ['kind', 'subject'], rows);
  // A clock under way takes what is due from the agenda itself, in its order.
  const woken = next.filter(({ candidate }) => !candidate.clockAdvancing);
  return recordWishes(
    tx,
    woken.map(({ candidate }) => wakePayment(candidate.id)),
  );
}

/** The first try when the invoice is due, a retry after so many days; another method than the one that failed begins anew. */
function nextCollection({ collectable, dunning, method, dueDate, pauses }: Candidate): { kind: CollectionKind; at: Instant } | null {
  if (!collectable) return null;
  if (dunning === null || dunning.methodId !== method?.id) return { kind: 'payment_due', at: dueDate };
  const at = retryAt(dunning, pauses);
  return at === null ? null : { kind: 'payment_retry', at };
}

function collectionRow(candidate: Candidate, kind: CollectionKind, at: Instant): Row {
  return {
    vendor_id: candidate.vendorId,
    customer_id: candidate.customerId,
    contract_id: null,
    test_clock_id: candidate.clockId,
    kind,
    subject: candidate.id,
    due_at: stamp(at),
    detail: { invoice_id: candidate.id, contract_id: candidate.contractId },
  };
}
