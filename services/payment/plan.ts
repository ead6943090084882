import type { Instant } from '../../billing/calendar/instant.ts';
import { dunningEndsAt, retryAt } from '../../billing/payment/retry.ts';
import { deleteCollections } from '../../db/sql/agenda/delete-collections.ts';
import { type AgendaEntry, upsertAgenda } from '../../db/sql/agenda/upsert.ts';
import type { Candidate } from '../../db/sql/payment/candidate.ts';
import { candidates } from '../../db/sql/payment/read-candidates.ts';
import { candidatesOf } from '../../db/sql/payment/read-candidates-of-customer.ts';
import type { Tx } from '../../db/transaction.ts';
import { enqueueWaiting } from '../../temporal/message-kinds.ts';
import { openAttempts } from './open-attempt.ts';

type CollectionKind = 'payment_due' | 'payment_retry' | 'dunning_end';

interface Planned {
  candidate: Candidate;
  kind: CollectionKind;
  at: Instant;
}

/**
 * Decides when each invoice is collected next: what is due is charged from now on, what is due later goes on the
 * agenda, and what can't be collected leaves it. Run again it changes nothing.
 *
 * @returns when each invoice that is collected automatically is charged next
 */
export async function planPayments(tx: Tx, invoiceIds: readonly string[]): Promise<Map<string, Instant>> {
  return invoiceIds.length === 0 ? new Map() : plan(tx, await candidates(tx, invoiceIds));
}

/** Plans everything of a customer again: another default method, another status, frozen time that has passed. */
export async function planCustomer(tx: Tx, customerId: string): Promise<void> {
  await plan(tx, await candidatesOf(tx, customerId));
}

async function plan(tx: Tx, open: readonly Candidate[]): Promise<Map<string, Instant>> {
  const next = open.flatMap((candidate): Planned[] => {
    const due = nextCollection(candidate);
    return due === null ? [] : [{ candidate, ...due }];
  });
  // A clock that advances takes what is due from the agenda, in its order.
  const due = next.filter(({ candidate, at }) => at <= candidate.now && !candidate.clockAdvancing);
  const later = next.filter((one) => !due.includes(one));
  const ends = open.flatMap(endOfDunning);
  const rows = [...later, ...ends].map(collectionRow);
  const gone = await deleteCollections(
    tx,
    open.map(({ id }) => id),
    rows,
  );
  await upsertAgenda(tx, rows);
  for (const id of gone) enqueueWaiting(tx, id);
  for (const { candidate } of [...later, ...ends]) enqueueWaiting(tx, candidate.workflowId);
  await openAttempts(
    tx,
    due.flatMap(({ candidate }) =>
      candidate.method === null ? [] : [{ invoice: candidate, method: candidate.method, origin: 'automatic', now: candidate.now }],
    ),
  );
  return new Map(next.map(({ candidate, at }) => [candidate.id, Math.max(at, candidate.now)]));
}

/**
 * The first attempt is at the due date, a retry some days after the first failure. With another method than the one
 * that failed, the attempts begin again.
 */
function nextCollection({ collectable, dunning, method, dueDate, pauses }: Candidate): { kind: CollectionKind; at: Instant } | null {
  if (!collectable) return null;
  if (dunning === null || dunning.methodId !== method?.id) return { kind: 'payment_due', at: dueDate };
  const at = retryAt(dunning, pauses);
  return at === null ? null : { kind: 'payment_retry', at };
}

/** What ends dunning waits for the day of the last retry, also where no retry follows; once for each method. */
function endOfDunning(candidate: Candidate): Planned[] {
  const { dunning, isUnpaid, isUnderWay, onDunningEnd, pauses } = candidate;
  if (dunning === null || dunning.ended !== null || !isUnpaid || isUnderWay || onDunningEnd === 'continue') return [];
  const at = dunningEndsAt(dunning, pauses);
  return at === null ? [] : [{ candidate, kind: 'dunning_end', at }];
}

function collectionRow({ candidate, kind, at }: Planned): AgendaEntry {
  const { dunning } = candidate;
  const retry = kind === 'payment_retry' && dunning !== null ? { retry: dunning.failures, retries: dunning.retryDays.length } : {};
  const end = kind === 'dunning_end' ? { action: candidate.onDunningEnd } : {};
  return {
    vendorId: candidate.vendorId,
    customerId: candidate.customerId,
    contractId: null,
    clockId: candidate.clockId,
    workflowId: candidate.workflowId,
    held: false,
    kind,
    subject: candidate.id,
    dueAt: at,
    detail: { invoice_id: candidate.id, contract_id: candidate.contractId, ...retry, ...end },
  };
}
