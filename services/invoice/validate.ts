import type { Instant } from '../../billing/calendar/instant.ts';
import { type InvoiceLifecycleTrigger, invoiceMachine } from '../../billing/lifecycle/invoice.ts';
import { next, takes } from '../../billing/lifecycle/machine.ts';
import { dec } from '../../billing/money/decimal.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { Tx } from '../../db/connect.ts';
import { count } from '../../db/counted.ts';
import { ContractRecord } from '../../db/entities/contract.ts';
import { Invoice, InvoiceItem } from '../../db/entities/invoice.ts';
import { publish } from '../../db/sql/event/publish.ts';
import { isGivenBackElsewhere } from '../../db/sql/invoice/given-back-elsewhere.ts';
import type { LockedInvoice } from '../../db/sql/payment/lock-invoice.ts';
import { enqueue } from '../../temporal/message-kinds.ts';
import { expireGrants } from '../credit/expire.ts';
import { endBought } from '../credit/take-back.ts';
import { lockForChange } from '../credit-note/create.ts';
import { emailInvoices } from '../email/invoices.ts';
import { bookInvoices } from '../ledger/invoice.ts';
import { planPayments } from '../payment/plan.ts';
import type { WalletTask } from '../wallet/move.ts';
import { settleWallets } from '../wallet/settle.ts';

/**
 * Makes a reviewed invoice final: it is booked, its surplus reaches the wallet, the wallet pays, the rest is collected
 * when due.
 *
 * @throws Refusal `invoice_not_found`, `invoice_state`, `customer_frozen`, `clock_advancing`
 */
export async function validateInvoice(tx: Tx, vendorId: string, invoiceId: string): Promise<void> {
  const { invoice, now } = await lockOne(tx, vendorId, invoiceId, 'validate');
  const settled = dec(invoice.total).isZero();
  const stored = await tx.em.findOneOrFail(Invoice, { id: invoiceId });
  const status = next(invoiceMachine, stored.status, 'validate', { nothingLeft: settled, somethingLeft: !settled });
  tx.em.assign(stored, { status, validatedAt: now, paidAt: settled ? now : null });
  await tx.em.flush();
  count(tx, 'invoices', { by: tx.actor });
  await bookInvoices(tx, [invoiceId]);
  await settleWallets(tx, [await taskOf(tx, invoice, now)]);
  await expireGrants(tx, [invoice], now, { notBefore: now });
  const { contractId } = invoice;
  const data = { customer_id: invoice.customerId, contract_id: contractId };
  if (settled) await publish(tx, [{ vendorId, type: 'v1.invoice.paid', objectId: invoiceId, contractId, at: now, data }]);
  await planPayments(tx, [invoiceId]);
  await emailInvoices(tx, [(await tx.em.refresh(stored)) ?? stored], now);
  await signalChain(tx, contractId);
}

/** Voids an invoice before it is validated: its number stays taken, its items are voided, nothing is owed. */
export async function voidInvoice(tx: Tx, vendorId: string, invoiceId: string): Promise<void> {
  const { invoice, now } = await lockOne(tx, vendorId, invoiceId, 'void');
  await refuseGivenBack(tx, invoiceId);
  await voidLocked(tx, invoiceId, now);
  await expireGrants(tx, [invoice], now, { notBefore: now });
  await signalChain(tx, invoice.contractId);
}

/** The workflow of a contract says which invoice waits for its validation. */
async function signalChain(tx: Tx, contractId: string | null): Promise<void> {
  if (contractId === null) return;
  const { rootId } = await tx.em.findOneOrFail(ContractRecord, { id: contractId }, { fields: ['rootId'] });
  enqueue(tx, 'contract', rootId);
}

/** The same for an invoice that is locked. Credits that were to be bought with it aren't bought. */
export async function voidLocked(tx: Tx, invoiceId: string, now: Instant): Promise<void> {
  const stored = await tx.em.findOneOrFail(Invoice, { id: invoiceId });
  tx.em.assign(stored, { status: next(invoiceMachine, stored.status, 'void'), voidedAt: now, amountDue: '0' });
  await tx.em.flush();
  await tx.em.nativeUpdate(InvoiceItem, { invoiceId }, { voided: true });
  if (stored.contractId === null) await endBought(tx, invoiceId, now);
}

/**
 * Refuses where a change or a correction on another invoice has given back something of this one: what was never owed
 * can't be given back.
 */
async function refuseGivenBack(tx: Tx, invoiceId: string): Promise<void> {
  if (!(await isGivenBackElsewhere(tx, invoiceId))) return;
  throw new Refusal(
    'invoice_state',
    'an item is given back in part on another invoice or on none yet; void that one first, or validate this one',
  );
}

async function lockOne(
  tx: Tx,
  vendorId: string,
  invoiceId: string,
  trigger: InvoiceLifecycleTrigger,
): Promise<{ invoice: LockedInvoice; now: Instant }> {
  const locked = await lockForChange(tx, vendorId, invoiceId);
  const { status } = locked.invoice;
  if (takes(invoiceMachine, status, trigger)) return locked;
  throw new Refusal('invoice_state', status === 'voided' ? 'the invoice is voided' : 'the invoice is validated already');
}

async function taskOf(tx: Tx, { id, vendorId, customerId, currency }: LockedInvoice, at: Instant): Promise<WalletTask> {
  // an invoice has at most one such line
  const closing = await tx.em.findOne(InvoiceItem, { invoiceId: id, kind: 'wallet' });
  const credit = { description: 'Surplus of an invoice', invoiceId: id, kind: 'credit' as const, occasion: `surplus:${id}`, at };
  const task = { vendorId, customerId, currency, at, newInvoices: [], pays: true };
  if (closing === null) return { ...task, credits: [], about: id };
  return { ...task, credits: [{ ...credit, amount: closing.totalIncludingTax }] };
}
