import type { Instant } from '../../billing/calendar/instant.ts';
import { dunningEndsAt, retryAt } from '../../billing/payment/retry.ts';
import { deleteCollections } from '../../db/sql/agenda/delete-collections.ts';
import { type AgendaEntry, upsertAgenda } from '../../db/sql/agenda/upsert.ts';
import type { Candidate } from '../../db/sql/payment/candidate.ts';
import { candidates } from '../../db/sql/payment/read-candidates.ts';
import { candidatesOf } from '../../db/sql/payment/read-candidates-of-customer.ts';
import { together } from '../../db/together.ts';
import type { Tx } from '../../db/transaction.ts';
import { enqueueWaiting } from '../../temporal/message-kinds.ts';
import { type NewCharge, openAttempts, openFirstAttempts } from './open-attempt.ts';

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

/**
 * Decides the same for invoices that the transaction is about to write, so that nothing has been planned for them yet.
 *
 * @returns ids of those that are charged from now on: their rows have to say so
 */
export async function planFirstPayments(tx: Tx, made: readonly Candidate[]): Promise<Set<string>> {
  const { due, later } = planned(made);
  await together(tx, [() => writeLater(tx, later), () => openFirstAttempts(tx, due.flatMap(chargeOf))]);
  return new Set(due.map(({ candidate }) => candidate.id));
}

async function plan(tx: Tx, open: readonly Candidate[]): Promise<Map<string, Instant>> {
  const { due, later } = planned(open);
  const gone = await deleteCollections(
    tx,
    open.map(({ id }) => id),
    later.map(collectionRow),
  );
  for (const id of gone) enqueueWaiting(tx, id);
  await writeLater(tx, later);
  await openAttempts(tx, due.flatMap(chargeOf));
  const collected = [...due, ...later].filter(({ kind }) => kind !== 'dunning_end');
  return new Map(collected.map(({ candidate, at }) => [candidate.id, Math.max(at, candidate.now)]));
}

/** What is charged from now on, and what goes on the agenda. */
function planned(open: readonly Candidate[]): { due: Planned[]; later: Planned[] } {
  const next = open.flatMap((candidate): Planned[] => {
    const collection = nextCollection(candidate);
    return collection === null ? [] : [{ candidate, ...collection }];
  });
  // A clock that advances takes what is due from the agenda, in its order.
  const due = next.filter(({ candidate, at }) => at <= candidate.now && !candidate.clockAdvancing);
  return { due, later: [...next.filter((one) => !due.includes(one)), ...open.flatMap(endOfDunning)] };
}

async function writeLater(tx: Tx, later: readonly Planned[]): Promise<void> {
  await upsertAgenda(tx, later.map(collectionRow));
  for (const { candidate } of later) enqueueWaiting(tx, candidate.workflowId);
}

const chargeOf = ({ candidate }: Planned): NewCharge[] =>
  candidate.method === null ? [] : [{ invoice: candidate, method: candidate.method, origin: 'automatic', now: candidate.now }];

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
