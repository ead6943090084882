import type { Instant } from '../../billing/calendar/instant.ts';
import type { Contract } from '../../billing/contract/types.ts';
import type { ChargeDerivation } from '../../billing/explain/derivation.ts';
import type { Line, NewInvoice, WalletMove } from '../../billing/invoice/types.ts';
import { type InvoiceState, invoiceMachine } from '../../billing/lifecycle/invoice.ts';
import { next, takes } from '../../billing/lifecycle/machine.ts';
import { dec } from '../../billing/money/decimal.ts';
import { moneyText } from '../../billing/money/round.ts';
import type { Queryable, Tx } from '../../db/connect.ts';
import { count } from '../../db/counted.ts';
import type { InvoiceItem } from '../../db/entities/invoice.ts';
import { type PublishedEvent, publish } from '../../db/sql/event/publish.ts';
import { insertNumbered, type UnnumberedInvoice } from '../../db/sql/invoice/insert-numbered.ts';
import { invoiceOfLines } from '../../db/sql/invoice/invoice-of-lines.ts';
import { linkLines } from '../../db/sql/invoice/link-lines.ts';
import { storeParties } from '../../db/sql/invoice/store-parties.ts';
import { newCandidates } from '../../db/sql/payment/read-new-candidates.ts';
import type { NewRow } from '../../db/sql/write-many.ts';
import { together } from '../../db/together.ts';
import { sendLast } from '../../db/transaction.ts';
import { emailInvoices } from '../email/invoices.ts';
import { bookNew } from '../ledger/invoice.ts';
import { planFirstPayments } from '../payment/plan.ts';
import { type LastOn, moveWallets, type WalletPaid, type WalletTask } from '../wallet/move.ts';
import { applyToInvoices } from '../wallet/settle.ts';
import { chargedOf, type GatePayment, gatedTask } from './gate-payment.ts';

/** Whose an invoice is, and which settings it follows: a contract, or a customer who buys credits. */
export type InvoiceOwner = Pick<Contract, 'vendorId' | 'customerId' | 'clockId' | 'configuration'>;

/** An invoice about to be made, with the contract it belongs to. */
export interface Issue {
  invoice: NewInvoice;
  contract: InvoiceOwner;
  /** false while the customer is frozen */
  pays: boolean;
  /** lines that a change had let wait for it, with when they are due on it */
  takenUp?: readonly Pick<Line, 'id' | 'dueDate'>[];
}

/** Money for a wallet, with the contract it comes from. */
export interface Surplus {
  move: WalletMove;
  contract: Contract;
  pays: boolean;
}

/**
 * Makes invoices. Wallets gain and pay first, then what follows from the invoices is written, their payments too where
 * they are charged automatically. They are numbered and inserted last of all in the transaction (`sendLast`, for code
 * that reads them), since from then until the commit no other transaction of the vendor gets a number.
 *
 * @param placed lines that were written with the invoice they are on; the others wait and get its id here
 * @param payment of a gate: it pays these invoices in full, else nothing is written
 * @param lastOn where credits end in the same transaction: what of them goes on pays these invoices too
 */
export async function issueInvoices(
  tx: Tx,
  issues: readonly Issue[],
  surpluses: readonly Surplus[] = [],
  placed: ReadonlySet<string> = new Set(),
  payment?: GatePayment,
  lastOn?: LastOn,
): Promise<void> {
  if (issues.length === 0 && surpluses.length === 0) return;
  // wallets pay earlier invoices of the same transaction too
  await sendLast(tx);
  const tasks = tasksOf(issues, surpluses.filter(isFinal(issues)));
  // credits that could pay lines which wait don't end
  await linkWaiting(tx, issues, placed);
  const paid = await payNew(tx, payment === undefined ? tasks : tasks.map((task) => gatedTask(task, payment)), lastOn);
  const rows = rowsOf(issues, paid, payment);
  if (payment !== undefined && rows.some(({ status }) => status !== 'paid')) throw new Error('the payment of a gate leaves something open');
  const documents = issues.map(({ invoice: { id, customerId } }) => ({ id, customerId }));
  const [candidates] = await together(tx, [
    () =>
      newCandidates(
        tx,
        rows.filter(({ status, automatic }) => status === 'ready_for_payment' && automatic),
      ),
    () => bookNew(tx, issues.filter(({ invoice }) => invoice.status === 'ready_for_payment').map(bookingOf)),
    () => storeParties(tx, documents),
    () =>
      publish(
        tx,
        issues.flatMap((issue, index) => eventsOf(issue, rows[index] as InvoiceRow, payment)),
      ),
  ]);
  await emailMade(tx, issues, rows);
  count(tx, 'invoices', { by: tx.actor }, rows.filter(({ status }) => status !== 'pending_validation').length);
  const charged = candidates.length === 0 ? new Set<string>() : await planFirstPayments(tx, candidates);
  const unnumbered = rows.map((row) => (charged.has(row.id) ? { ...row, depositTransactionStatus: 'processing' as const } : row));
  tx.last.push(() => insertNumbered(tx, unnumbered));
}

/**
 * Lets wallets and credits pay the new invoices, and earlier ones. Where that pays for bought credits, these pay what
 * is left of both: they are granted before the new invoices are in the database, where nobody else would find them.
 *
 * @returns the last payment of each new invoice, with what remains of it
 */
async function payNew(tx: Tx, tasks: readonly WalletTask[], lastOn: LastOn | undefined): Promise<WalletPaid[]> {
  const made = new Set(tasks.flatMap(({ newInvoices }) => newInvoices.map(({ id }) => id)));
  const paid = new Map<string, WalletPaid>();
  for (let next = tasks; next.length > 0; ) {
    const payments = await moveWallets(tx, next, next === tasks ? lastOn : undefined);
    for (const one of payments) if (made.has(one.invoiceId)) paid.set(one.invoiceId, one);
    const earlier = payments.filter(({ invoiceId }) => !made.has(invoiceId));
    const bought = earlier.length === 0 ? [] : await applyToInvoices(tx, earlier);
    next = bought.map((task) => ({ ...task, newInvoices: leftOfNew(tasks, task, paid), gains: true }));
  }
  return [...paid.values()];
}

/** The new invoices of a customer in a currency of which something is left to pay. */
function leftOfNew(tasks: readonly WalletTask[], { customerId, currency, pays }: WalletTask, paid: ReadonlyMap<string, WalletPaid>) {
  const own = tasks.filter((task) => pays && task.customerId === customerId && task.currency === currency);
  const left = own.flatMap(({ newInvoices }) =>
    newInvoices.map((one) => ({ ...one, remaining: paid.get(one.id)?.remaining ?? one.remaining })),
  );
  return left.filter(({ remaining }) => dec(remaining).gt(0));
}

async function emailMade(tx: Tx, issues: readonly Issue[], rows: readonly InvoiceRow[]): Promise<void> {
  if (!tx.sendsMail) return;
  const made = issues.flatMap(({ invoice, contract: { vendorId } }, index) => {
    const { status, amountDue } = rows[index] as InvoiceRow;
    return status === 'pending_validation' ? [] : [{ ...invoice, vendorId, amountDue: String(amountDue) }];
  });
  for (const [date, some] of Map.groupBy(made, (invoice) => invoice.date)) await emailInvoices(tx, some, date);
}

/**
 * A line as it is written.
 *
 * @param position keeps the order in which the rule gave the lines
 * @param invoiceId null where it waits for its invoice
 */
export function lineRow(
  line: Line,
  contract: Pick<Contract, 'vendorId' | 'customerId'>,
  created: Instant,
  position: number,
  invoiceId: string | null,
): NewRow<typeof InvoiceItem> {
  const { idle, elsewhere = false, ...values } = line;
  return {
    ...values,
    vendorId: contract.vendorId,
    customerId: contract.customerId,
    invoiceId,
    position,
    created,
    part: (line.derivation as Partial<ChargeDerivation>).part?.number ?? null,
    voided: idle === true,
    elsewhere,
  };
}

function bookingOf({ invoice, contract }: Issue) {
  return { id: invoice.id, vendorId: contract.vendorId, customerId: invoice.customerId, currency: invoice.currency, at: invoice.date };
}

/** The surplus of an invoice that awaits its validation reaches the wallet with the validation. */
function isFinal(issues: readonly Issue[]): (surplus: Surplus) => boolean {
  const pending = new Set(issues.filter(({ invoice }) => invoice.status === 'pending_validation').map(({ invoice }) => invoice.id));
  return ({ move }) => !pending.has(move.invoiceId);
}

function tasksOf(issues: readonly Issue[], surpluses: readonly Surplus[]): WalletTask[] {
  const tasks = new Map<string, WalletTask>();
  const task = (contract: InvoiceOwner, currency: WalletTask['currency'], at: number, pays: boolean): WalletTask => {
    const key = `${contract.customerId} ${currency}`;
    const known = tasks.get(key) ?? {
      vendorId: contract.vendorId,
      customerId: contract.customerId,
      currency,
      at,
      credits: [],
      newInvoices: [],
      pays,
    };
    tasks.set(key, known);
    return known;
  };
  for (const { move, contract, pays } of surpluses) {
    const { amount, description, invoiceId, at } = move;
    task(contract, move.currency, at, pays).credits.push({
      amount,
      description,
      invoiceId,
      kind: 'credit',
      occasion: `surplus:${invoiceId}`,
      at,
    });
  }
  for (const { invoice, contract, pays } of issues) {
    if (invoice.status !== 'ready_for_payment') continue;
    const { id, date, dueDate, total: remaining, lineIds } = invoice;
    task(contract, invoice.currency, date, pays).newInvoices.push({ id, date, dueDate, remaining, lineIds });
  }
  return [...tasks.values()];
}

/** Puts the lines that waited on their invoices, and makes sure that all lines of an invoice are on it. */
async function linkWaiting(tx: Queryable, issues: readonly Issue[], placed: ReadonlySet<string>): Promise<void> {
  const of = ({ invoice }: Issue) => invoice.lineIds.filter((id) => !placed.has(id)).map((id) => [id, invoice.id] as const);
  const wanted = new Map(issues.flatMap(of));
  if (wanted.size === 0) return;
  const found = await invoiceOfLines(tx, [...wanted.keys()]);
  const isAstray = [...found].some(([id, invoiceId]) => invoiceId !== null && invoiceId !== wanted.get(id));
  if (isAstray || found.size !== wanted.size) throw new Error('a line of a new invoice is missing or is on another invoice');
  const dueDates = new Map(issues.flatMap(({ takenUp = [] }) => takenUp.map(({ id, dueDate }) => [id, dueDate])));
  const waiting = [...wanted].flatMap(([id, invoiceId]) =>
    found.get(id) === null ? [{ id, invoiceId, dueDate: dueDates.get(id) ?? null }] : [],
  );
  if (waiting.length === 0) return;
  const linked = await linkLines(tx, waiting);
  if (linked.length !== waiting.length) throw new Error('a line of a new invoice was put on another one meanwhile');
}

/** The row, without its number. */
type InvoiceRow = UnnumberedInvoice & { id: string; customerId: string; status: InvoiceState; automatic: boolean };

function rowsOf(issues: readonly Issue[], paid: readonly WalletPaid[], gate: GatePayment | undefined): InvoiceRow[] {
  const payments = new Map(paid.map((payment) => [payment.invoiceId, payment]));
  return issues.map((issue) => invoiceRow(issue, paymentOf(issue, payments.get(issue.invoice.id), gate)));
}

/** What pays an invoice in the transaction that makes it: the wallet, or a gate's charge with the wallet. */
function paymentOf({ invoice, pays }: Issue, paid: WalletPaid | undefined, gate: GatePayment | undefined) {
  const byWallet = pays ? paid : undefined;
  const charged = gate === undefined ? '0' : chargedOf(invoice, gate);
  if (gate === undefined || dec(charged).isZero()) return byWallet;
  const remaining = byWallet?.remaining ?? moneyText(dec(invoice.total).minus(dec(charged)), invoice.currency);
  return { remaining, transactionId: gate.charged.transactionId, at: gate.at };
}

function invoiceRow({ invoice, contract }: Issue, payment: ReturnType<typeof paymentOf>): InvoiceRow {
  const remaining = payment?.remaining ?? invoice.total;
  const status = statusOnceMade(invoice, remaining);
  const isPaid = status === 'paid';
  const { id, customerId, contractId, date, dueDate, currency, total, automatic } = invoice;
  return {
    id,
    vendorId: contract.vendorId,
    customerId,
    contractId,
    clockId: contract.clockId,
    series: contract.clockId ?? '',
    date,
    dueDate,
    status,
    currency,
    total,
    amountDue: remaining,
    automatic,
    trigger: triggerName(contract),
    depositTransactionStatus: isPaid && payment !== undefined ? 'succeeded' : 'not_processed',
    depositTransactionId: isPaid ? (payment?.transactionId ?? null) : null,
    created: date,
    validatedAt: invoice.status === 'ready_for_payment' ? date : null,
    paidAt: isPaid ? (payment?.at ?? date) : null,
  };
}

/** A final invoice may be paid in the transaction it is made in: by the wallet, or because its total is 0. */
export function statusOnceMade({ status }: Pick<NewInvoice, 'status'>, remaining: string): InvoiceState {
  const nothingLeft = dec(remaining).isZero();
  if (!takes(invoiceMachine, status, 'settle')) return status;
  return next(invoiceMachine, status, 'settle', { nothingLeft, somethingLeft: !nothingLeft });
}

function triggerName({ configuration }: InvoiceOwner): string {
  return typeof configuration.invoiceTrigger === 'string' ? configuration.invoiceTrigger : 'periodic';
}

function eventsOf({ invoice, contract }: Issue, row: InvoiceRow, payment: GatePayment | undefined): PublishedEvent[] {
  const base = { vendorId: contract.vendorId, objectId: invoice.id, at: invoice.date };
  const { contractId } = invoice;
  const data = { contract_id: contractId, customer_id: invoice.customerId };
  const created: PublishedEvent = { ...base, type: 'v1.invoice.created', data };
  return row.status === 'paid' ? [created, { ...base, type: 'v1.invoice.paid', contractId, at: payment?.at ?? base.at, data }] : [created];
}
