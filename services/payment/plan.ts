import type { Instant } from '../../billing/calendar/instant.ts';
import { dunningEndsAt, retryAt } from '../../billing/payment/retry.ts';
import { stamp } from '../../db/rows.ts';
import { deleteCollections } from '../../db/sql/agenda/delete-collections.ts';
import { type AgendaEntry, upsertAgenda } from '../../db/sql/agenda/upsert.ts';
import type { Candidate } from '../../db/sql/payment/candidate.ts';
import { candidates } from '../../db/sql/payment/read-candidates.ts';
import { candidatesOf, type OpenInvoicePlace } from '../../db/sql/payment/read-candidates-of-customer.ts';
import { together } from '../../db/together.ts';
import type { Tx } from '../../db/transaction.ts';
import { enqueueWaiting, workflowIdOf } from '../../temporal/message-kinds.ts';
import { type NewCharge, openAttempts, openFirstAttempts } from './open-attempt.ts';

/** The row of a customer of whom more invoices are open than one transaction plans. */
export const PAYMENT_REST = 'payment_rest';

/** The most invoices of a customer that one transaction plans. */
const AT_ONCE = 50;
/** Milliseconds between such transactions where they charge: the payments of others are carried out meanwhile. */
const BETWEEN = 5_000;

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
  if (invoiceIds.length === 0) return new Map();
  const open = await candidates(tx, invoiceIds);
  const next = planned(open);
  await write(tx, idsOf(open), next, []);
  const collected = [...next.due, ...next.soon, ...next.later].filter(({ kind }) => kind !== 'dunning_end');
  return new Map(collected.map(({ candidate, at }) => [candidate.id, Math.max(at, candidate.now)]));
}

/**
 * Plans the collection of all open invoices of a customer again, because its default method or status has changed or a
 * freeze has ended. It plans the oldest 50 and leaves the rest to the customer's workflow, which calls it again. On a
 * test clock it plans all of them: while the clock stands still, nobody takes anything from its agenda.
 *
 * @param after where the transaction before this one has ended
 */
export async function planCustomer(tx: Tx, customerId: string, after: OpenInvoicePlace | null = null): Promise<void> {
  const found = await candidatesOf(tx, customerId, after, AT_ONCE + 1);
  const isOnClock = found.some(({ clockId }) => clockId !== null);
  const open = isOnClock ? found : found.slice(0, AT_ONCE);
  const next = planned(open);
  const last = found.length > open.length ? open.at(-1) : undefined;
  const rest = last === undefined ? [] : [rowOfRest(last, next.due.length > 0)];
  await write(tx, [...idsOf(open), customerId], next, rest);
}

/**
 * Whether an invoice is to be charged now. It is so even on the day its dunning ends, if another method than the failed
 * one is the default now.
 */
export function isChargeDue(candidate: Candidate): boolean {
  const next = nextCollection(candidate);
  return next !== null && next.at <= candidate.now;
}

/**
 * Decides the same for invoices that the transaction is about to write, so that nothing has been planned for them yet.
 *
 * @returns ids of those that are charged from now on: their rows have to say so
 */
export async function planFirstPayments(tx: Tx, made: readonly Candidate[]): Promise<Set<string>> {
  const { due, later } = planned(made);
  await together(tx, [() => writeRows(tx, later.map(collectionRow)), () => openFirstAttempts(tx, due.flatMap(chargeOf))]);
  return new Set(due.map(({ candidate }) => candidate.id));
}

interface NextCollections {
  due: Planned[];
  /** due, and planned again once credits and wallet have paid what they can */
  soon: Planned[];
  later: Planned[];
}

async function write(
  tx: Tx,
  subjects: readonly string[],
  { due, later }: Omit<NextCollections, 'soon'>,
  rest: readonly AgendaEntry[],
): Promise<void> {
  const rows = [...later.map(collectionRow), ...rest];
  const gone = await deleteCollections(tx, subjects, rows);
  for (const id of gone) enqueueWaiting(tx, id);
  await writeRows(tx, rows);
  await openAttempts(tx, due.flatMap(chargeOf));
}

/** What is charged from now on, and what goes on the agenda. */
function planned(open: readonly Candidate[]): NextCollections {
  const next = open.flatMap((candidate): Planned[] => {
    const collection = nextCollection(candidate);
    return collection === null ? [] : [{ candidate, ...collection }];
  });
  // A clock that advances takes what is due from the agenda, in its order.
  const isDue = ({ candidate, at }: Planned) => at <= candidate.now && !candidate.clockAdvancing;
  const due = next.filter(isDue);
  const later = [...next.filter((one) => !isDue(one)), ...open.flatMap(endOfDunning)];
  const [now, soon] = [due.filter(({ candidate }) => candidate.isOffered), due.filter(({ candidate }) => !candidate.isOffered)];
  return { due: now, soon, later };
}

async function writeRows(tx: Tx, rows: readonly AgendaEntry[]): Promise<void> {
  await upsertAgenda(tx, rows);
  for (const { workflowId } of rows) enqueueWaiting(tx, workflowId);
}

const idsOf = (open: readonly Candidate[]): string[] => open.map(({ id }) => id);

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

/** The end of dunning comes on the day of the last retry, also if no retry follows; once for each method. */
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

/** What was left is planned in the order of its due dates, behind the invoice that was the last. */
function rowOfRest({ vendorId, customerId, dueDate, id, now }: Candidate, isCharging: boolean): AgendaEntry {
  return {
    ...{ vendorId, customerId, contractId: null, clockId: null, workflowId: workflowIdOf('customer', customerId), held: false },
    ...{ kind: PAYMENT_REST, subject: customerId, dueAt: now + (isCharging ? BETWEEN : 1) },
    detail: { after: { due_date: stamp(dueDate), id } },
  };
}
