import type { EntityManager } from '@mikro-orm/postgresql';
import { backToEnded, backToGrants, type KeptUse } from '../../billing/credit/give-back.ts';
import {
  type ComputedCreditNote,
  type CreditableInvoice,
  type CreditLimit,
  type CreditNoteRequest,
  type CreditTarget,
  creditLimit,
  creditNote,
} from '../../billing/invoice/credit-note.ts';
import { spreadOverLines } from '../../billing/invoice/note-lines.ts';
import { invoiceMachine } from '../../billing/lifecycle/invoice.ts';
import { takes } from '../../billing/lifecycle/machine.ts';
import type { Currency } from '../../billing/money/currency.ts';
import { dec, larger, ZERO } from '../../billing/money/decimal.ts';
import { moneyText } from '../../billing/money/round.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { Asker } from '../../db/audited-call.ts';
import type { Database } from '../../db/connect.ts';
import { CreditNote } from '../../db/entities/credit-note.ts';
import { InvoiceItem } from '../../db/entities/invoice.ts';
import { nowOf } from '../../db/sql/clock/now-of.ts';
import type { InvoiceRecord } from '../../db/sql/invoice/columns.ts';
import { type InvoiceLinePage, pageOfLines } from '../../db/sql/invoice/page-lines.ts';
import { readInvoice } from '../../db/sql/invoice/read.ts';
import { fingerprintOf } from '../contract/fingerprint.ts';
import { endedGrants, readKeptUses } from '../credit/give-back.ts';
import { createCreditNote } from '../credit-note/create.ts';
import { type NoteParts, partsOf } from '../credit-note/parts.ts';
import { creditable } from '../credit-note/read.ts';
import { type Refundable, refundable, refundsOf } from '../credit-note/refund.ts';
import { type Method, readMethods } from '../payment/method.ts';

/** What somebody asks to give back of an invoice: an amount of the whole, or amounts of its lines. */
export interface GiveBackRequest {
  to: CreditTarget;
  what: { amount: string } | { items: CreditNoteRequest['items'] };
}

/**
 * The lines that are looked at: `all` (an amount is spread over all lines), `none` (nothing is chosen yet), some by id,
 * or the page after a line.
 */
type AskedLines = 'all' | 'none' | { ids: readonly string[] } | { after: string | null };

/** All that what is given back is computed from. */
export interface GiveBackBasis {
  invoice: InvoiceRecord;
  /** with the lines that were asked for */
  found: CreditableInvoice;
  /** of a page of lines: what each is called */
  names: ReadonlyMap<string, string>;
  /** the line behind which the next page begins; null: there is none */
  nextLine: string | null;
  most: CreditLimit;
  /** how much goes back the way it was paid, once what is unpaid is lowered */
  refundable: string;
  uses: KeptUse[];
  /** grants among them that have expired or were voided */
  ended: ReadonlySet<string>;
  payments: Refundable[];
  /** those that the payments were made with, by id */
  methods: ReadonlyMap<string, Method>;
  /** an amount can't be spread over its lines: there are too many */
  isLong: boolean;
  /** a draft is voided instead, and a void invoice has nothing to give back */
  isValidated: boolean;
}

/** What a request comes to; nothing of it is written. */
export interface GiveBackPreview {
  note: ComputedCreditNote;
  parts: NoteParts;
  /** of the part that goes back to grants, what ends with them at once */
  toCreditsEnded: string;
  refunds: { payment: Refundable; amount: string }[];
  /** one value for all of it: only what has this value is written */
  shown: string;
}

/** What an invoice of the vendor can give back; null when the vendor has no such invoice. */
export async function giveBackBasis(db: Database, vendorId: string, invoiceId: string, asked: AskedLines): Promise<GiveBackBasis | null> {
  const invoice = await readInvoice(db, vendorId, invoiceId);
  if (invoice === null) return null;
  const em = db.em();
  const isLong = await hasMoreLines(em, invoiceId, MOST_SPREAD);
  const page = await pageAsked(db, invoiceId, asked);
  const ids = typeof asked === 'object' && 'ids' in asked ? asked.ids : page.lines.map(({ id }) => id);
  const found = await creditable({ em, query: db.query }, invoice, asked === 'all' && !isLong ? null : ids);
  const payments = await refundable(em, invoiceId);
  const methods = await readMethods(
    em,
    vendorId,
    payments.flatMap(({ methodId }) => methodId ?? []),
  );
  const uses = await readKeptUses(db, invoiceId);
  const most = creditLimit(found);
  return {
    invoice,
    found,
    names: new Map(page.lines.map(({ id, name }) => [id, name])),
    nextLine: page.next,
    most,
    refundable: moneyText(larger(dec(most.payment).minus(invoice.amountDue), ZERO), invoice.currency),
    uses,
    ended: await endedGrants(em, uses, invoice.now),
    payments,
    methods: new Map(methods.map((method) => [method.id, method])),
    isLong,
    isValidated: takes(invoiceMachine, invoice.status, 'settle'),
  };
}

/** Fields for more lines than these would be a page that nobody fills in. */
const PAGE_LINES = 100;

/** A note of an amount has an item for each line that it is spread over. */
export const MOST_SPREAD = 1_000;

const hasMoreLines = async (em: EntityManager, invoiceId: string, most: number): Promise<boolean> =>
  (await em.find(InvoiceItem, { invoiceId }, { fields: ['id'], limit: 1, offset: most })).length > 0;

const pageAsked = async (db: Database, invoiceId: string, asked: AskedLines): Promise<InvoiceLinePage> =>
  typeof asked === 'object' && 'after' in asked ? pageOfLines(db, invoiceId, asked.after, PAGE_LINES) : { lines: [], next: null };

/** What lines are called, by their ids. */
export async function namesOfLines(db: Database, lineIds: readonly string[]): Promise<Map<string, string>> {
  const lines = await db.em().find(InvoiceItem, { id: { $in: [...lineIds] } }, { fields: ['name'] });
  return new Map(lines.map(({ id, name }) => [id, name]));
}

/**
 * What a request would give back, and where the money would go: the rule of the credit note itself.
 *
 * @throws BillingError for the amounts
 */
export function giveBackPreview({ invoice, found, uses, ended, payments }: GiveBackBasis, request: GiveBackRequest): GiveBackPreview {
  const note = creditNote(found, { to: request.to, items: itemsOf(found, request) });
  const parts = partsOf(note, invoice, uses);
  return comesTo({ note, parts, earlier: found.notes.length, uses, ended }, payments, invoice.currency);
}

const itemsOf = (found: CreditableInvoice, { what }: GiveBackRequest): CreditNoteRequest['items'] =>
  'items' in what ? what.items : spreadOverLines(found, what.amount);

interface Planned extends Pick<GiveBackBasis, 'uses' | 'ended'> {
  note: ComputedCreditNote;
  parts: NoteParts;
  /** notes that the invoice has already: the same button pressed twice would write the same note again */
  earlier: number;
}

function comesTo({ note, parts, earlier, uses, ended }: Planned, payments: readonly Refundable[], currency: Currency): GiveBackPreview {
  const toCreditsEnded = backToEnded(backToGrants(parts.toCredits, uses, currency).back, ended, currency);
  const refunds = refundsOf(payments, parts.toPayment, currency);
  const values = [note, parts, toCreditsEnded, earlier, refunds.map(({ payment, amount }) => [payment.id, amount])];
  return { note, parts, toCreditsEnded, refunds, shown: fingerprintOf(values) };
}

/**
 * Writes the credit note that a page has shown, to the cent and to the place each part goes.
 *
 * @throws Refusal `estimate_outdated` where anything of it would be different by now, and those of the credit note
 */
export async function giveBackAsShown(
  { db, asker }: { db: Database; asker: Asker },
  { vendorId, invoiceId }: { vendorId: string; invoiceId: string },
  { notes, ...request }: GiveBackRequest & { notes: string | null },
  shown: string,
): Promise<void> {
  const { what } = request;
  const basis = await giveBackBasis(db, vendorId, invoiceId, 'items' in what ? { ids: what.items.map(({ lineId }) => lineId) } : 'all');
  if (basis === null) throw new Refusal('invoice_not_found', 'there is no such invoice');
  if (basis.isLong && !('items' in what))
    throw new Refusal('invoice_state', 'The invoice has too many lines to spread an amount over: name lines.');
  const { to } = request;
  const items = itemsOf(basis.found, request);
  await db.transaction(async (tx) => {
    await createCreditNote(tx, vendorId, invoiceId, { to, items, notes }, async ({ invoice, note, parts }) => {
      const earlier = await tx.em.count(CreditNote, { invoiceId });
      const uses = await readKeptUses(tx, invoiceId);
      const ended = await endedGrants(tx.em, uses, await nowOf(tx, invoice.clockId));
      const now = comesTo({ note, parts, earlier, uses, ended }, await refundable(tx.em, invoiceId), invoice.currency);
      if (now.shown !== shown) throw outdated();
    });
  }, asker);
}

const outdated = (): Refusal =>
  new Refusal('estimate_outdated', 'What would be given back has changed since this page was shown; look at it again.');
