import type { Instant } from '../../billing/calendar/instant.ts';
import type { ContractSnapshot } from '../../billing/contract/types.ts';
import type { InvoiceWithLines } from '../../billing/contract/work.ts';
import { type Ledger, snapshotOf } from './ledger.ts';

/** Later than anything that a story reports. */
const ALL_TIME = Date.UTC(2200, 0, 1);

/** Snapshots as the loader reads them for an estimate: usage up to the end of all time, or to the change that waits. */
export function snapshotAhead(ledger: Ledger, contractId: string, now: Instant): ContractSnapshot {
  const { usage, earlier } = snapshotOf(ledger, contractId, ALL_TIME);
  return { ...snapshotOf(ledger, contractId, now), usage, earlier };
}

/** Every contract of a story for which something is due. */
export function chainAhead(ledger: Ledger, now: Instant): ContractSnapshot[] {
  const ids = [...ledger.agenda].filter(([, rows]) => rows.length > 0).map(([id]) => id);
  return ids.map((id) => snapshotAhead(ledger, id, now));
}

/** Runs a computation that yields after each step to its end. */
export function finished<T>(computation: Generator<undefined, T>): T {
  for (;;) {
    const { done, value } = computation.next();
    if (done) return value;
  }
}

/** All that two invoices must have in common to be the same but for their ids. */
export function shownOf({ invoice, lines }: InvoiceWithLines): unknown {
  const { contractId, date, dueDate, total, status } = invoice;
  const shown = lines.map((line) => [
    line.name,
    line.kind,
    line.source,
    line.span,
    line.unitCount,
    line.unitPrice,
    line.subtotal,
    line.discountAmount,
    line.taxAmount,
    line.totalIncludingTax,
  ]);
  return { contractId, date, dueDate, total, status, lines: shown };
}

/** The invoices of a ledger from a place on, with their lines. */
export function writtenSince({ invoices, lines }: Ledger, from: number): InvoiceWithLines[] {
  return invoices.slice(from).map((invoice) => ({ invoice, lines: invoice.lineIds.flatMap((id) => lines.get(id) ?? []) }));
}
