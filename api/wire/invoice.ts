import type { z } from 'zod';
import { iso } from '../../billing/calendar/instant.ts';
import type { InvoiceWithLines } from '../../billing/contract/work.ts';
import { isCredited } from '../../billing/invoice/is-credited.ts';
import { REVERSE_CHARGE_NOTE } from '../../billing/invoice/tax.ts';
import type { ChargedLine, Line, NewInvoice } from '../../billing/invoice/types.ts';
import type { InvoiceState } from '../../billing/lifecycle/invoice.ts';
import type { Currency } from '../../billing/money/currency.ts';
import { dec } from '../../billing/money/decimal.ts';
import { moneyText } from '../../billing/money/round.ts';
import type { InvoiceDispute, InvoiceNote } from '../../db/invoice/read.ts';
import type { InvoiceRecord } from '../../db/sql/invoice/columns.ts';
import type { PaymentRow } from '../../db/sql/payment/of-invoices.ts';
import { statusOnceMade } from '../../services/invoice/issue.ts';
import type {
  CreditNote,
  DetailedStatus,
  Dispute,
  InvoiceHit,
  InvoiceItem,
  InvoicePayment,
  Invoice as InvoiceWire,
} from '../schema/invoice.ts';
import { priceAmountToWire } from './price.ts';

type DetailedStatusName = z.input<typeof DetailedStatus>;

/** On the wire a voided invoice stays pending_validation; its detailed status says that it is voided. */
export const shownStatus = ({ status }: Pick<InvoiceRecord, 'status'>): z.input<typeof InvoiceWire>['status'] =>
  status === 'voided' ? 'pending_validation' : status;

/** What an invoice's status means for its collection. */
function detailedStatus(invoice: InvoiceRecord): DetailedStatusName {
  if (isCredited(invoice)) return 'canceled_unpaid_transaction';
  if (invoice.status !== 'ready_for_payment') return invoice.status;
  if (invoice.customerStatus !== 'active') return 'customer_not_active';
  return invoice.dueDate > invoice.now ? 'not_yet_due' : 'ready_for_payment';
}

const money = (amount: string, currency: Currency): string => moneyText(dec(amount), currency);

export const amountDueToWire = ({ amountDue, currency }: InvoiceRecord): string => money(amountDue, currency);

/** An invoice without its lines. */
export const invoiceToWire = (invoice: InvoiceRecord): z.input<typeof InvoiceWire> => ({
  id: invoice.id,
  currency: invoice.currency,
  customer_id: invoice.customerId,
  contract_id: invoice.contractId,
  date: iso(invoice.date),
  due_date: iso(invoice.dueDate),
  deposit_transaction_status: invoice.depositTransactionStatus,
  deposit_transaction_id: invoice.depositTransactionId,
  invoice_number: { number: invoice.number },
  status: shownStatus(invoice),
  total: money(invoice.total, invoice.currency),
  external_reference: invoice.externalReference,
});

/** Yields after each line, of which an invoice may have ten thousand. */
export function* hitToWire(invoice: InvoiceRecord, lines: readonly ChargedLine[]): Generator<undefined, z.input<typeof InvoiceHit>> {
  const items: z.input<typeof InvoiceHit>['invoice_items'] = [];
  for (const line of lines) {
    items.push(itemToWire(line, { id: invoice.id, status: shownStatus(invoice), paidBy: invoice.depositTransactionId }));
    yield;
  }
  return {
    invoice: invoiceToWire(invoice),
    invoice_items: items,
    detailed_invoice_status: detailedStatus(invoice),
    amount_due: amountDueToWire(invoice),
  };
}

/** Those of a page, which have so many lines together. */
export function* hitsToWire(
  invoices: readonly InvoiceRecord[],
  lines: ReadonlyMap<string, readonly ChargedLine[]>,
): Generator<undefined, z.input<typeof InvoiceHit>[]> {
  const hits: z.input<typeof InvoiceHit>[] = [];
  for (const invoice of invoices) hits.push(yield* hitToWire(invoice, lines.get(invoice.id) ?? []));
  return hits;
}

/** An invoice of an estimate, as the decision that it foresees makes it: with nothing to pay it is paid. */
export const estimatedToWire = ({ invoice, lines }: InvoiceWithLines) =>
  foreseenToWire(invoice, lines, statusOnceMade(invoice, invoice.total));

/** An invoice that is to come, as it will stand once it is made, but for its ids and its number. */
export function foreseenToWire(invoice: NewInvoice, lines: readonly Line[], onceMade: InvoiceState) {
  const status = onceMade === 'paid' ? ('paid' as const) : invoice.status;
  const isPaidByWallet = status === 'paid' && !dec(invoice.total).isZero();
  const wired = { id: invoice.id, status, paidBy: null };
  return {
    invoice: {
      id: invoice.id,
      currency: invoice.currency,
      customer_id: invoice.customerId,
      contract_id: invoice.contractId,
      date: iso(invoice.date),
      due_date: iso(invoice.dueDate),
      deposit_transaction_status: isPaidByWallet ? ('succeeded' as const) : ('not_processed' as const),
      deposit_transaction_id: null,
      invoice_number: { number: '' },
      status,
      total: invoice.total,
      external_reference: null,
    },
    invoice_items: lines.map((line) => itemToWire(line, wired)),
  };
}

/** A line that waits for an invoice. */
export const waitingItemToWire = (line: Line) => itemToWire(line, { id: null, status: 'pending_validation', paidBy: null });

interface ItemInvoice {
  id: string | null;
  status: z.input<typeof InvoiceWire>['status'];
  paidBy: string | null;
}

/** The wire has an id of the charge, which is the same object as its line: the id has another prefix only. */
const chargeId = (lineId: string): string => lineId.replace(/^Item_/, 'Chrg_');

/** The line's description; under reverse charge it must contain the legal note. */
function descriptionOf({ description, reverseCharge }: Line): string | null {
  if (!reverseCharge) return description;
  return description === null ? REVERSE_CHARGE_NOTE : `${description}. ${REVERSE_CHARGE_NOTE}`;
}

export function itemToWire(line: Line, invoice: ItemInvoice): z.input<typeof InvoiceItem> {
  return {
    id: line.id,
    charge_id: chargeId(line.id),
    invoice_id: invoice.id,
    currency: line.currency,
    due_date: iso(line.dueDate),
    name: line.name,
    description: descriptionOf(line),
    scheduling_policy: line.schedulingPolicy,
    status: invoice.status,
    unit_count: line.unitCount,
    unit_price: priceAmountToWire(line.unitPrice, line.currency),
    subtotal: money(line.subtotal, line.currency),
    discount_amount: money(line.discountAmount, line.currency),
    discount_description: line.discountDescription,
    total_excluding_tax: money(line.totalExcludingTax, line.currency),
    tax_amount: money(line.taxAmount, line.currency),
    tax_code: line.taxCode,
    tax_policy: line.taxPolicy,
    total_including_tax: money(line.totalIncludingTax, line.currency),
    withdrawal_transaction_id: invoice.paidBy,
  };
}

export const paymentToWire = (payment: PaymentRow, currency: Currency): z.input<typeof InvoicePayment> => ({
  at: iso(payment.at),
  amount: money(payment.amount, currency),
  method: payment.method,
  status: payment.status,
  reason: payment.reason,
  reference: payment.reference,
});

export const creditNoteToWire = (note: InvoiceNote, currency: Currency): z.input<typeof CreditNote> => ({
  id: note.id,
  number: note.number,
  at: iso(note.created),
  total: money(note.total, currency),
  to: note.target,
  reduced: money(note.reduced, currency),
  to_credits: money(note.toCredits, currency),
  to_credits_ended: money(note.toCreditsEnded, currency),
  to_wallet: money(note.toWallet, currency),
  to_payment: money(note.toPayment, currency),
  refunds: note.refunds.$.map(({ amount, status, reason }) => ({ amount: money(amount, currency), status, reason })),
  notes: note.notes,
  items: note.items.$.map(({ item, amount }) => ({ invoice_item_id: item.id, amount: money(amount, currency) })),
});

export const disputeToWire = (dispute: InvoiceDispute, currency: Currency): z.input<typeof Dispute> => ({
  reference: dispute.reference,
  state: dispute.state,
  reason: dispute.reason,
  amount: money(dispute.amount, currency),
  opened: iso(dispute.opened),
  closed: dispute.closed === null ? null : iso(dispute.closed),
});
