import type { EntityManager } from '@mikro-orm/postgresql';
import type { Instant } from '../../billing/calendar/instant.ts';
import { CatchingUp } from '../../billing/contract/advance/catching-up.ts';
import { looksAhead } from '../../billing/contract/estimate/looks-ahead.ts';
import { type NextInvoices, searchNextInvoices } from '../../billing/contract/estimate/next-invoice.ts';
import type { InvoiceWithLines } from '../../billing/contract/work.ts';
import type { Line } from '../../billing/invoice/types.ts';
import type { Currency } from '../../billing/money/currency.ts';
import { dec, sum, ZERO } from '../../billing/money/decimal.ts';
import { Refusal } from '../../billing/refusal.ts';
import { CONTRACT_KINDS } from '../../db/agenda/contract-kinds.ts';
import type { Database } from '../../db/connect.ts';
import { Agenda } from '../../db/entities/agenda.ts';
import { ContractRecord } from '../../db/entities/contract.ts';
import { Customer } from '../../db/entities/customer.ts';
import { InvoiceItem } from '../../db/entities/invoice.ts';
import { newId } from '../../db/id.ts';
import { nowOf } from '../../db/sql/clock/now-of.ts';
import { grantToCome } from '../credit/plan-given.ts';
import { unwrittenLines } from '../credit/use.ts';
import { statusOnceMade } from '../invoice/issue.ts';
import { type FreeByThen, heldUntil } from '../payment-gate/foresee.ts';
import { readGate } from '../payment-gate/gate.ts';
import { type ForeseenPayment, foreseePayments } from '../wallet/foresee.ts';
import { inRounds } from './in-rounds.ts';
import { loadAhead, MOST_IN_CHAIN, onceActive, plannedLooks, ROW_AHEAD, type RowAhead } from './load-ahead.ts';

/** An invoice that is to come, as it will stand once it is made. */
export interface ForeseenInvoice extends InvoiceWithLines {
  status: ReturnType<typeof statusOnceMade>;
  /** what prepaid credits will pay of it */
  fromCredits: string;
  /** what credits and wallet will leave to pay */
  amountDue: string;
}

/** The next invoice of a chain of contracts. */
export interface UpcomingInvoice {
  /** null when none will come by itself */
  at: Instant | null;
  first: ForeseenInvoice | null;
  /** further ones of the same instant: of another contract of the chain */
  others: ForeseenInvoice[];
  /** the oldest lines that stand on no invoice until a caller makes one, at most 100 */
  waiting: Line[];
}

/**
 * The next invoice of a contract's chain if nothing more happens: computed by the rules that will make it, on what is
 * known now. Nothing is written and nothing is locked.
 *
 * @throws Refusal `contract_not_found`
 * @throws CatchingUp for a contract that is later than one transaction carries out
 */
export async function upcomingInvoice(db: Database, vendorId: string, contractId: string): Promise<UpcomingInvoice> {
  const em = db.em();
  const asked = await em.findOne(ContractRecord, { id: contractId, vendorId }, { fields: ['rootId', 'clockId', 'customerId', 'currency'] });
  if (asked === null) return nothingOf(em, vendorId, contractId);
  const now = await nowOf(db.preparing, asked.clockId);
  const { resumeAt } = await em.findOneOrFail(Customer, { id: asked.customerId }, { fields: ['resumeAt'] });
  const { ids, rows } = await contractsAhead(em, asked.rootId, resumeAt);
  const asItIs = await loadAhead({ em, tx: db.preparing }, ids, now, 'ending');
  const chain = asItIs.map((one) => onceActive(one, resumeAt));
  const next = await inRounds(searchNextInvoices(chain, now, newId, looksAhead(asItIs, plannedLooks(rows), resumeAt)));
  const waiting = await waitingLinesOfChain(em, asked.rootId);
  if (next === null) return { at: null, first: null, others: [], waiting };
  const free = await heldUntil(em, asked.customerId, chain, next.at);
  const [first = null, ...others] = await withPayments(db, { vendorId, customerId: asked.customerId }, next, free);
  return { at: next.at, first, others, waiting };
}

/** The same for a page; `late` while more is due than can be computed at once. */
export async function upcomingOrLate(db: Database, vendorId: string, contractId: string): Promise<UpcomingInvoice | 'late'> {
  try {
    return await upcomingInvoice(db, vendorId, contractId);
  } catch (error) {
    if (error instanceof CatchingUp) return 'late';
    throw error;
  }
}

/** A contract without a row is one whose payment gate has not been paid: nothing will come to it. */
async function nothingOf(em: EntityManager, vendorId: string, contractId: string): Promise<UpcomingInvoice> {
  if ((await readGate({ em }, contractId))?.vendorId === vendorId) return { at: null, first: null, others: [], waiting: [] };
  throw new Refusal('contract_not_found', `There is no contract ${contractId}.`);
}

/**
 * The contracts of a chain to which something comes by itself, the soonest first. A parked one waits for a caller; to a
 * frozen one something comes where its freeze ends by itself.
 */
async function contractsAhead(em: EntityManager, rootId: string, resumeAt: Instant | null): Promise<{ ids: string[]; rows: RowAhead[] }> {
  const kind = { $in: [...CONTRACT_KINDS] };
  const options = { fields: ROW_AHEAD, orderBy: { dueAt: 'asc', id: 'asc' }, limit: MOST_IN_CHAIN } as const;
  const rows = await em.find(Agenda, { workflowId: rootId, kind, held: false }, options);
  const live = {
    rootId,
    ended: null,
    isSuccessor: false,
    parkedReason: null,
    status: { $in: ['pending', 'scheduled', 'active'] as const },
  };
  const frozen = resumeAt === null ? [] : await em.find(ContractRecord, live, { fields: ['id'] });
  return { ids: [...new Set([...rows.flatMap((row) => row.contractId ?? []), ...frozen.map(({ id }) => id)])], rows };
}

const MOST_WAITING = 100;

/** The lines of a chain that wait for an invoice, of its latest contracts only. */
async function waitingLinesOfChain(em: EntityManager, rootId: string): Promise<Line[]> {
  const latest = { fields: ['id'], orderBy: { created: 'desc', id: 'desc' }, limit: MOST_IN_CHAIN } as const;
  const chain = await em.find(ContractRecord, { rootId }, latest);
  const oldest = { orderBy: { created: 'asc', position: 'asc', id: 'asc' }, limit: MOST_WAITING } as const;
  return em.find(InvoiceItem, { contractId: { $in: chain.map(({ id }) => id) }, invoiceId: null, voided: false, elsewhere: false }, oldest);
}

/**
 * Computes the payments as issuing makes them: plans give their credits and surplus comes into the wallet first, then
 * credits, what lasts on of those that end, and the wallet pay what is open, oldest due first.
 *
 * @param free what gates hold, and what is free by then
 */
async function withPayments(
  db: Database,
  owner: { vendorId: string; customerId: string },
  { at, invoices, surplus, granted: given, closed }: NextInvoices,
  free: ReadonlyMap<Currency, FreeByThen>,
): Promise<ForeseenInvoice[]> {
  const placed = invoices.map(({ invoice: { id, date }, lines }) => ({ id, date, lines }));
  const known = await unwrittenLines(db, placed, []);
  const then = { at, closed, placed: placed.flatMap(({ lines }) => lines.map(({ id }) => id)) };
  const foreseen = new Map<string, ForeseenPayment>();
  for (const [currency, some] of Map.groupBy(invoices, ({ invoice }) => invoice.currency)) {
    const gained = sum(surplus.filter((move) => move.currency === currency).map(({ amount }) => dec(amount)));
    const newInvoices = some.map(({ invoice: { id, date, dueDate, total } }) => ({ id, date, dueDate, remaining: total }));
    const { money = ZERO, credits: freed = [], isLast = false } = free.get(currency) ?? {};
    const granted = given
      .filter((one) => one.currency === currency)
      .map((one) => grantToCome({ ...one, contract: { ...owner, id: one.contractId } }));
    const byThen = { ...then, gains: gained.gt(ZERO) || isLast };
    const toCome = { surplus: gained.plus(money).toFixed(), newInvoices, lines: known, freed, granted, byThen };
    const payments = await foreseePayments(db, { customerId: owner.customerId, currency }, toCome);
    for (const [id, payment] of payments) foreseen.set(id, payment);
  }
  return invoices.map(({ invoice, lines }) => {
    const { fromCredits = '0', remaining: amountDue = invoice.total } = foreseen.get(invoice.id) ?? {};
    return { invoice, lines, fromCredits, amountDue, status: statusOnceMade(invoice, amountDue) };
  });
}
