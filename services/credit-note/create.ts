import type { Instant } from '../../billing/calendar/instant.ts';
import {
  type CreditableInvoice,
  type CreditNoteRequest,
  creditNote,
  type ComputedCreditNote as NoteOfRule,
} from '../../billing/invoice/credit-note.ts';
import { invoiceMachine } from '../../billing/lifecycle/invoice.ts';
import { takes } from '../../billing/lifecycle/machine.ts';
import { dec, sum } from '../../billing/money/decimal.ts';
import { moneyText } from '../../billing/money/round.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { Tx } from '../../db/connect.ts';
import { CreditNote, CreditNoteItem } from '../../db/entities/credit-note.ts';
import { newId } from '../../db/id.ts';
import { takeCreditNoteNumber } from '../../db/invoice/number.ts';
import { lockChain } from '../../db/sql/contract/lock-chain.ts';
import { type PublishedEvent, publish } from '../../db/sql/event/publish.ts';
import { recogniseCreditNote } from '../../db/sql/figure/recognised.ts';
import { creditInvoice } from '../../db/sql/invoice/credit.ts';
import { storeParties } from '../../db/sql/invoice/store-parties.ts';
import { type LockedInvoice, lockInvoice } from '../../db/sql/payment/lock-invoice.ts';
import { ownerOf } from '../../db/sql/payment/read-owner.ts';
import { runningAttempt } from '../../db/sql/payment/running-attempt.ts';
import { grantBought } from '../credit/bought.ts';
import { expireGrants } from '../credit/expire.ts';
import { endedOf, giveBackToGrants, readKeptUses } from '../credit/give-back.ts';
import { takeBackBought } from '../credit/take-back.ts';
import { isCustomerFrozen } from '../customer/is-frozen.ts';
import { lockCustomer } from '../customer/lock.ts';
import { queueEmails } from '../email/queue.ts';
import { creditNoteEntry, purchaseNoteEntry } from '../ledger/entries.ts';
import { post } from '../ledger/post.ts';
import { stopCollecting } from '../payment/stop-collecting.ts';
import { settleWallets } from '../wallet/settle.ts';
import { type NoteParts, partsOf } from './parts.ts';
import { creditable } from './read.ts';
import { openRefunds } from './refund.ts';

/** A note as it will be written, with what becomes of its money. */
export interface PlannedNote {
  invoice: LockedInvoice;
  note: NoteOfRule;
  parts: NoteParts;
}

/** Refuses, by throwing, what would be written. */
type RequireNote = (planned: PlannedNote) => void | Promise<void>;

/**
 * Writes a credit note. What is still unpaid of the invoice is lowered first; what was paid goes back to the grants
 * that paid it, and the rest to the wallet or back to the method.
 *
 * @throws Refusal `invoice_not_found`, `invoice_item_not_found`, `invoice_state`, `payment_in_progress`,
 *   `customer_frozen`, those of `require`; BillingError for the items
 */
export async function createCreditNote(
  tx: Tx,
  vendorId: string,
  invoiceId: string,
  request: CreditNoteRequest & { notes: string | null },
  require: RequireNote = () => undefined,
): Promise<string> {
  return creditLocked(tx, await lockForChange(tx, vendorId, invoiceId), request, require);
}

/** The same for an invoice that is locked with its contracts, and without a payment under way. */
export async function creditLocked(
  tx: Tx,
  { invoice, now }: { invoice: LockedInvoice; now: Instant },
  request: CreditNoteRequest & { notes: string | null },
  require: RequireNote = () => undefined,
): Promise<string> {
  if (!takes(invoiceMachine, invoice.status, 'settle')) throw new Refusal('invoice_state', 'the invoice is not validated; void it instead');
  const found = await creditable(tx, invoice);
  refuseUnknownItems(found, request);
  const note = creditNote(found, request);
  const parts = partsOf(note, invoice, await readKeptUses(tx, invoice.id));
  await require({ invoice, note, parts });
  const id = newId('CNote');
  if (invoice.contractId === null) await takeBack(tx, id, invoice, { note, found, now });
  await book(tx, id, invoice, note, now);
  await lower(tx, invoice, { reduced: parts.reduced, total: note.total }, now);
  const toCreditsEnded = await giveBack(tx, id, invoice, parts, now);
  // late, since nobody else of the vendor gets a number from then until the commit
  await writeNote(tx, { id, invoice, note, parts: { ...parts, toCreditsEnded }, notes: request.notes, now });
  await recogniseCreditNote(tx, id);
  await publish(tx, [createdEvent(id, invoice, note, now)]);
  await openRefunds(tx, { creditNoteId: id, invoice, amount: parts.toPayment, now });
  await queueEmails(tx, [{ customerId: invoice.customerId, kind: 'credit_note', objectId: id }]);
  return id;
}

function createdEvent(id: string, invoice: LockedInvoice, note: NoteOfRule, at: Instant): PublishedEvent {
  const { id: invoiceId, vendorId, customerId, currency } = invoice;
  const data = { invoice_id: invoiceId, customer_id: customerId, total: note.total, currency };
  return { vendorId, type: 'v1.credit_note.created', objectId: id, at, data };
}

function refuseUnknownItems({ lines }: CreditableInvoice, { items }: CreditNoteRequest): void {
  const known = new Set(lines.map(({ id }) => id));
  const unknown = items.flatMap(({ lineId }, index) =>
    known.has(lineId) ? [] : [[`items[${index}].invoice_item_id`, 'is not an item of this invoice']],
  );
  if (unknown.length > 0) throw new Refusal('invoice_item_not_found', 'the invoice has no such item', Object.fromEntries(unknown));
}

/** Seconds until a repeat makes sense: while the provider is asked; while it or the customer lets the payment wait. */
const [SOON, SLOW] = [1, 3_600];

/**
 * Locks customer, contracts and invoice, in the one order, for a change that a payment under way would contradict. The
 * whole chain of contracts is locked, since a change of the live one may give back lines of any.
 */
export async function lockForChange(tx: Tx, vendorId: string, invoiceId: string): Promise<{ invoice: LockedInvoice; now: Instant }> {
  const owner = await ownerOf(tx, invoiceId);
  if (owner === null || owner.vendorId !== vendorId) throw new Refusal('invoice_not_found', 'there is no such invoice');
  const { now } = await lockCustomer(tx, vendorId, owner.customerId);
  if (owner.contractId !== null) await lockWholeChain(tx, owner.contractId);
  const invoice = await lockInvoice(tx, invoiceId);
  if (invoice === null) throw new Refusal('invoice_not_found', 'there is no such invoice');
  const running = await runningAttempt(tx, invoiceId);
  if (running !== null)
    throw new Refusal(
      'payment_in_progress',
      'a payment of this invoice is running; try again when it has ended',
      {},
      { retryAfter: running.isWaiting ? SLOW : SOON },
    );
  return { invoice, now };
}

/** Locks the chain again: a change that the lock of its first contract has waited for has added one. */
async function lockWholeChain(tx: Tx, contractId: string): Promise<void> {
  await lockChain(tx, contractId);
  await lockChain(tx, contractId);
}

interface NewNote {
  id: string;
  invoice: LockedInvoice;
  note: NoteOfRule;
  parts: NoteParts & { toCreditsEnded: string };
  notes: string | null;
  now: Instant;
}

async function writeNote(tx: Tx, { id, invoice, note, parts, notes, now }: NewNote): Promise<void> {
  const { id: invoiceId, vendorId, customerId, clockId, currency } = invoice;
  const number = await takeCreditNoteNumber(tx, vendorId, clockId);
  const whose = { vendorId, customerId, invoiceId, currency, series: clockId ?? '', created: now };
  const written = tx.em.create(CreditNote, {
    ...{ ...whose, ...parts, ...number, id, notes },
    ...{ target: note.to, total: note.total, taxAmount: taxOf(note) },
  });
  for (const { lineId, amount, totalExcludingTax, taxAmount } of note.items) {
    tx.em.create(CreditNoteItem, { creditNote: written, item: lineId, amount, totalExcludingTax, taxAmount });
  }
  await tx.em.flush();
  await storeParties(tx, [{ id, customerId }]);
}

const taxOf = (note: NoteOfRule): string => sum(note.items.map(({ taxAmount }) => dec(taxAmount))).toFixed();

async function book(tx: Tx, id: string, invoice: LockedInvoice, note: NoteOfRule, at: Instant): Promise<void> {
  const { vendorId, customerId, currency } = invoice;
  const occurrence = { id: newId('Txn'), vendorId, customerId, currency, occasion: id, invoiceId: invoice.id, at };
  const isPurchase = invoice.contractId === null;
  await post(tx, [isPurchase ? purchaseNoteEntry(occurrence, note.total) : creditNoteEntry(occurrence, note.total, taxOf(note))]);
}

/** An invoice of no contract is one of bought credits: they go back with their price. */
async function takeBack(
  tx: Tx,
  creditNoteId: string,
  { id: invoiceId, total, currency }: LockedInvoice,
  { note, found, now: at }: { note: NoteOfRule; found: CreditableInvoice; now: Instant },
): Promise<void> {
  const given = sum(found.notes.map((earlier) => dec(earlier.total)));
  await takeBackBought(tx, { creditNoteId, invoiceId, price: moneyText(dec(total).minus(given), currency), back: note.total, at });
}

async function lower(tx: Tx, invoice: LockedInvoice, { reduced, total }: { reduced: string; total: string }, now: Instant): Promise<void> {
  if (!dec(reduced).gt(0)) return;
  const remaining = dec(invoice.amountDue).minus(dec(reduced));
  const settled = remaining.isZero();
  await creditInvoice(tx, { invoiceId: invoice.id, remaining: moneyText(remaining, invoice.currency), settled, now });
  if (!settled) return;
  await stopCollecting(tx, [invoice.id]);
  const data = { customer_id: invoice.customerId, contract_id: invoice.contractId };
  const bought = invoice.contractId === null ? await grantBought(tx, [invoice.id], now, total) : null;
  // credits that are taken back unpaid make no event that their invoice is paid
  if (bought?.length === 0) return;
  await publish(tx, [
    { vendorId: invoice.vendorId, type: 'v1.invoice.paid', objectId: invoice.id, contractId: invoice.contractId, at: now, data },
  ]);
  if (bought !== null) await settleWallets(tx, bought);
}

/**
 * Gives money back to the grants that paid, and the rest to the wallet; both then pay what else is open, except in a
 * freeze.
 *
 * @returns how much went to grants that had ended
 */
async function giveBack(tx: Tx, id: string, invoice: LockedInvoice, { toCredits, toWallet }: NoteParts, at: Instant): Promise<string> {
  const { vendorId, customerId, currency } = invoice;
  const back = await giveBackToGrants(tx, { creditNoteId: id, invoice, amount: toCredits, at });
  const credit = { description: 'Credit note', invoiceId: invoice.id, kind: 'refund' as const, occasion: `credit-note:${id}`, at };
  const credits = dec(toWallet).gt(0) ? [{ ...credit, amount: toWallet }] : [];
  if (credits.length === 0 && !dec(toCredits).gt(0)) return endedOf(back, [], currency);
  const pays = !(await isCustomerFrozen(tx, customerId));
  await settleWallets(tx, [{ vendorId, customerId, currency, at, credits, newInvoices: [], pays }]);
  const expires = pays && dec(toCredits).gt(0);
  return endedOf(back, expires ? await expireGrants(tx, [invoice], at, { notBefore: at }) : [], currency);
}
