import type { Loaded } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Instant } from '../../billing/calendar/instant.ts';
import type { CreditableInvoice, CreditableLine, ComputedCreditNoteItem as ItemOfRule } from '../../billing/invoice/credit-note.ts';
import { type FamilyLine, type GivenBack, givenBackIn } from '../../billing/invoice/given-back.ts';
import type { Currency } from '../../billing/money/currency.ts';
import { dec, sum } from '../../billing/money/decimal.ts';
import type { Queryable, Tx } from '../../db/connect.ts';
import { CreditNote as CreditNoteEntity, CreditNoteItem, type CreditNoteRecord } from '../../db/entities/credit-note.ts';
import { InvoiceItem } from '../../db/entities/invoice.ts';
import { creditsOfInvoices } from '../../db/sql/credit/credits-of-invoices.ts';
import { kinOfLines } from '../../db/sql/invoice/kin-of-lines.ts';
import { refundable } from './refund.ts';

export interface WrittenCreditNoteItem {
  invoiceItemId: string;
  name: string;
  amount: string;
  totalExcludingTax: string;
  taxAmount: string;
  taxRate: string | null;
  reverseCharge: boolean;
}

/** A credit note as it was written. */
export interface WrittenCreditNote {
  id: string;
  vendorId: string;
  customerId: string;
  invoiceId: string;
  number: string;
  created: Instant;
  currency: Currency;
  target: 'wallet' | 'payment';
  total: string;
  taxAmount: string;
  /** the part that lowered what was still unpaid */
  reduced: string;
  /** the part that went back to prepaid credits */
  toCredits: string;
  /** of that, what ended at once with credits that had expired or were voided */
  toCreditsEnded: string;
  toWallet: string;
  toPayment: string;
  notes: string | null;
  items: WrittenCreditNoteItem[];
}

type StoredNote = Loaded<CreditNoteRecord, 'items.item'>;

/** With the lines it is about, in the order in which they stand on the invoice. */
function toNote(note: StoredNote): WrittenCreditNote {
  const items = [...note.items.$].map(({ item, amount, totalExcludingTax, taxAmount }) => {
    const { id: invoiceItemId, name, taxRate, reverseCharge, position } = item.$;
    return { position, invoiceItemId, name, amount, totalExcludingTax, taxAmount, taxRate, reverseCharge };
  });
  items.sort((one, other) => one.position - other.position || (one.invoiceItemId < other.invoiceItemId ? -1 : 1));
  const { items: _items, refunds: _refunds, ...facts } = note;
  return { ...facts, items: items.map(({ position: _position, ...item }) => item) };
}

/** The notes of many invoices, oldest first. */
export async function notesOf(em: EntityManager, invoiceIds: readonly string[]): Promise<WrittenCreditNote[]> {
  const oldestFirst = { created: 'asc', id: 'asc' } as const;
  const notes = await em.find(
    CreditNoteEntity,
    { invoiceId: { $in: [...invoiceIds] } },
    { populate: ['items.item'], orderBy: oldestFirst },
  );
  return notes.map(toNote);
}

export async function readNote(em: EntityManager, vendorId: string, id: string): Promise<WrittenCreditNote | null> {
  const note = await em.findOne(CreditNoteEntity, { id, vendorId }, { populate: ['items.item'] });
  return note === null ? null : toNote(note);
}

/** What the rule for credit notes reads of a line. */
const LINE_FIELDS = ['id', 'kind', 'totalExcludingTax', 'taxAmount', 'totalIncludingTax'] as const;

/**
 * An invoice as the rule for credit notes needs it. The caller has locked its contracts, so that no change can give
 * anything back meanwhile.
 *
 * @param lineIds of what the rule is asked about: the other lines, and what notes gave back of them, are left out. Null
 *   for all lines
 */
export async function creditable(
  tx: Pick<Tx, 'em' | 'query'>,
  invoice: { id: string; currency: Currency; total: string; amountDue: string },
  lineIds: readonly string[] | null = null,
): Promise<CreditableInvoice> {
  const { em } = tx;
  const some = lineIds === null ? {} : { id: { $in: [...lineIds] } };
  const orderBy = { position: 'asc', id: 'asc' } as const;
  const lines = await em.find(InvoiceItem, { ...some, invoiceId: invoice.id }, { fields: LINE_FIELDS, orderBy });
  const payments = await refundable(em, invoice.id);
  const written = await em.find(CreditNoteEntity, { invoiceId: invoice.id }, { orderBy: { created: 'asc', id: 'asc' } });
  const items = await itemsOfNotes(em, written, lineIds);
  const notes = written.map(({ id, target, total, reduced }) => ({ to: target, total, reduced, items: items.get(id) ?? [] }));
  const given = await givenBackOf(tx, invoice, lineIds);
  const withGiven = lines.map(({ id, kind, totalExcludingTax, taxAmount, totalIncludingTax }): CreditableLine => {
    const line = { id, kind, totalExcludingTax, taxAmount, totalIncludingTax };
    const givenBack = given.get(id);
    return givenBack === undefined ? line : { ...line, givenBack };
  });
  return {
    currency: invoice.currency,
    total: invoice.total,
    unpaid: invoice.amountDue,
    paidInMoney: sum(payments.map(({ amount }) => dec(amount))).toFixed(),
    takenBack: sum(payments.map(({ takenBack }) => dec(takenBack))).toFixed(),
    paidByCredits: await byCredits(tx, invoice.id),
    lines: withGiven,
    notes,
  };
}

/** What notes gave back of lines, by note. */
async function itemsOfNotes(
  em: EntityManager,
  notes: readonly CreditNoteRecord[],
  lineIds: readonly string[] | null,
): Promise<Map<string, ItemOfRule[]>> {
  if (notes.length === 0) return new Map();
  const some = lineIds === null ? {} : { item: { $in: [...lineIds] } };
  const items = await em.find(CreditNoteItem, { ...some, creditNote: { $in: notes.map(({ id }) => id) } });
  const byNote = Map.groupBy(items, ({ creditNote }) => creditNote.id);
  return new Map(
    [...byNote].map(([id, own]) => [
      id,
      own.map(({ item, amount, totalExcludingTax, taxAmount }) => ({ lineId: item.id, amount, totalExcludingTax, taxAmount })),
    ]),
  );
}

/** What prepaid credits paid of an invoice, less what notes to the wallet gave back to them. */
async function byCredits(tx: Pick<Tx, 'em' | 'query'>, invoiceId: string): Promise<string> {
  const used = (await creditsOfInvoices(tx, [invoiceId])).filter(({ kind }) => kind === 'used');
  const notes = await tx.em.find(CreditNoteEntity, { invoiceId, target: 'wallet' }, { fields: ['toCredits'] });
  return sum([...used.map(({ amount }) => dec(amount).neg()), ...notes.map(({ toCredits }) => dec(toCredits).neg())]).toFixed();
}

/**
 * What lines of changes and corrections, on whatever invoice or on none yet, gave back of the lines of this invoice.
 */
async function givenBackOf(
  db: Queryable,
  { id, currency }: { id: string; currency: Currency },
  lineIds: readonly string[] | null,
): Promise<Map<string, GivenBack>> {
  if (lineIds?.length === 0) return new Map();
  const families = new Map<string, FamilyLine[]>();
  for (const { family, total, tax, noted, notedTax, ...row } of await kinOfLines(db, id, lineIds)) {
    const line = { id: row.id, totalIncludingTax: total, taxAmount: tax, noted: { amount: noted, taxAmount: notedTax } };
    families.set(family, [...(families.get(family) ?? []), line]);
  }
  return new Map([...families.values()].flatMap((family) => [...givenBackIn(family, currency)]));
}
