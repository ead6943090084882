import { dec, sum } from '../billing/money/decimal.ts';
import type { WrittenCreditNote } from '../services/credit-note/read.ts';
import type { CreditNoteDocument } from '../services/document/read.ts';
import { printDocumentHead } from './head.ts';
import { GREEN, PdfPage } from './page.ts';
import { printReverseCharge } from './reverse-charge.ts';
import { printStatus } from './status.ts';
import { type Column, heightOfSums, printParagraph, printSums, printTable, type TableRow } from './table.ts';
import { amountText, longDate, rateText, totalText } from './text.ts';

const COLUMNS: readonly Column[] = [
  { title: 'Excluding tax', width: 92, align: 'right' },
  { title: 'Rate', width: 46, align: 'right' },
  { title: 'Tax', width: 78, align: 'right' },
  { title: 'Amount', width: 92, align: 'right' },
];

/** A credit note as a PDF: which items of which invoice are given back, and where the money goes. */
export function printCreditNote(document: CreditNoteDocument): Promise<Buffer> {
  const { note, seller, invoiceNumber, invoiceDate } = document;
  const { currency } = note;
  const page = new PdfPage(`Credit note ${note.number}`, seller.name, note.created);
  printDocumentHead(page, document, 'Credit note', [
    ['Number', note.number],
    ['Date', longDate(note.created)],
    ['For invoice', invoiceNumber],
    ['Invoice date', longDate(invoiceDate)],
    ['Currency', currency.toUpperCase()],
  ]);
  printStatus(page, { word: `Credit of ${totalText(note.total, currency)}`, more: whereTo(note).join(', '), colour: GREEN });
  const isTaxed = note.items.some(({ taxRate }) => taxRate !== null);
  const rows = note.items.map((item): TableRow => {
    const amount = amountText(item.amount, currency);
    if (!isTaxed) return { main: item.name, small: [], cells: [amount] };
    const rate = item.taxRate === null ? '–' : rateText(item.taxRate);
    return {
      main: item.name,
      small: [],
      cells: [amountText(item.totalExcludingTax, currency), rate, amountText(item.taxAmount, currency), amount],
    };
  });
  const net = sum(note.items.map((item) => dec(item.totalExcludingTax))).toFixed();
  const taxes: [string, string][] = [
    ['Total excluding tax', amountText(net, currency)],
    ['Tax', amountText(note.taxAmount, currency)],
  ];
  const below: [string, string][] = [...(isTaxed ? taxes : []), ['Total given back', totalText(note.total, currency)]];
  printTable(page, 'Given back', isTaxed ? COLUMNS : COLUMNS.slice(-1), rows, heightOfSums(below));
  printSums(page, below);
  printReverseCharge(page, note.items);
  if (note.notes !== null) printParagraph(page, note.notes);
  return page.finish(`${seller.name} · Credit note ${note.number} · ${note.id}`);
}

/** Each part of the total, with the place it goes to. */
function whereTo({ reduced, toCredits, toCreditsEnded, toWallet, toPayment, currency }: WrittenCreditNote): string[] {
  const parts: [string, string][] = [
    [reduced, 'taken off what is to be paid'],
    [dec(toCredits).minus(toCreditsEnded).toFixed(), 'given back to your credits'],
    [toCreditsEnded, 'given back to credits that have ended'],
    [toWallet, 'moved to your wallet'],
    [toPayment, 'returned to your payment method'],
  ];
  return parts.filter(([amount]) => dec(amount).gt(0)).map(([amount, where]) => `${totalText(amount, currency)} ${where}`);
}
