import type { Currency } from '../billing/money/currency.ts';
import { dec } from '../billing/money/decimal.ts';
import type { WrittenCreditNote } from '../services/credit-note/read.ts';
import type { InvoiceDocument, Receipt } from '../services/document/read.ts';
import type { PdfPage } from './page.ts';
import { type Column, heightOfSums, printSums, printTable, type TableRow } from './table.ts';
import { amountText, longDate, totalText } from './text.ts';

const COLUMNS: readonly Column[] = [
  { title: 'Date', width: 124, align: 'right' },
  { title: 'Amount', width: 92, align: 'right' },
];
const SPACE = 26;
/** Height of the titles and the first row. */
const HEAD_HEIGHT = 50;

/** Payments and credits since the invoice was made, and the amount due; prints nothing when there are none. */
export function printAccount(page: PdfPage, invoice: InvoiceDocument): void {
  const { account, currency, total } = invoice;
  const rows = rowsOf(invoice);
  if (rows.length === 0) return;
  page.y += SPACE;
  const below: [string, string][] = [
    ['Total of the invoice', amountText(total, currency)],
    ['Amount due', totalText(account.amountDue, currency)],
  ];
  page.need(HEAD_HEIGHT + heightOfSums(below));
  printTable(page, 'Payments and credits', COLUMNS, rows, heightOfSums(below));
  printSums(page, below);
}

function rowsOf({ account: { receipts, notes, surplus }, currency, creditsLeft }: InvoiceDocument): TableRow[] {
  const lastUse = receipts.findLast(({ by }) => by === 'credits');
  const leftBy = (receipt: Receipt): string[] =>
    receipt === lastUse && creditsLeft !== null ? [`${totalText(creditsLeft, currency)} of your credits left`] : [];
  const dated = [
    ...receipts.map((receipt) => ({ at: receipt.at, row: receiptRow(receipt, currency, leftBy(receipt)) })),
    ...notes.map((note) => ({ at: note.created, row: noteRow(note, currency) })),
  ].sort((a, b) => a.at - b.at);
  const rows = dated.map(({ row }) => row);
  if (dec(surplus).gt(0))
    rows.push({ main: 'Paid beyond what was due, moved to your wallet', small: [], cells: ['', amountText(surplus, currency)] });
  return rows;
}

function receiptRow(receipt: Receipt, currency: Currency, more: string[]): TableRow {
  return {
    main: nameOf(receipt),
    small: receipt.reference === null ? more : [receipt.reference],
    cells: [longDate(receipt.at), amountText(dec(receipt.amount).neg().toFixed(), currency)],
  };
}

function nameOf({ by, details }: Receipt): string {
  if (by === 'credits') return 'Paid by prepaid credits';
  if (by === 'wallet') return 'Paid from your wallet';
  if (by === 'manual') return 'Payment received';
  const kind = by === 'card' ? 'Paid by card' : by === 'sepa_debit' ? 'Paid by direct debit' : 'Paid by bank transfer';
  const brand = details?.brand ?? null;
  const ending = details?.last4 == null ? null : `ending in ${details.last4}`;
  const which = [brand, ending].filter((part) => part !== null).join(' ');
  return which === '' ? kind : `${kind} (${which})`;
}

/** The cell shows by how much the note lowered the invoice; money that went back to the customer is named below. */
function noteRow(note: WrittenCreditNote, currency: Currency): TableRow {
  const back: [string, string][] = [
    [dec(note.toCredits).minus(note.toCreditsEnded).toFixed(), 'given back to your credits'],
    [note.toCreditsEnded, 'given back to credits that have ended'],
    [note.toWallet, 'moved to your wallet'],
    [note.toPayment, 'returned to your payment method'],
  ];
  const lowers = !dec(note.reduced).isZero();
  return {
    main: `Credit note ${note.number}`,
    small: back.filter(([amount]) => dec(amount).gt(0)).map(([amount, where]) => `${totalText(amount, currency)} ${where}`),
    cells: [longDate(note.created), lowers ? amountText(dec(note.reduced).neg().toFixed(), currency) : ''],
  };
}
