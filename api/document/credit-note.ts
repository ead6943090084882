import { dec, sum } from '../../billing/money/decimal.ts';
import type { CreditNoteDocument } from '../../db/document/read.ts';
import { head } from './head.ts';
import { Page } from './page.ts';
import { type Column, heightOfSums, paragraph, sums, table } from './table.ts';
import { amountText, longDate, rateText, totalText } from './text.ts';

const COLUMNS: readonly Column[] = [
  { title: 'Excluding tax', width: 92, align: 'right' },
  { title: 'Rate', width: 46, align: 'right' },
  { title: 'Tax', width: 78, align: 'right' },
  { title: 'Amount', width: 92, align: 'right' },
];

/** A credit note as a PDF: what of which invoice is given back, and where it goes. */
export function printCreditNote(document: CreditNoteDocument): Promise<Buffer> {
  const { note, seller, invoiceNumber, invoiceDate } = document;
  const { currency } = note;
  const page = new Page(`Credit note ${note.number}`, seller.name, note.created);
  head(page, document, 'Credit note', [
    ['Number', note.number],
    ['Date', longDate(note.created)],
    ['For invoice', invoiceNumber],
    ['Invoice date', longDate(invoiceDate)],
    ['Currency', currency.toUpperCase()],
  ]);
  const rows = note.items.map((item) => ({
    main: item.name,
    small: [],
    cells: [
      amountText(item.totalExcludingTax, currency),
      item.taxRate === null ? '–' : rateText(item.taxRate),
      amountText(item.taxAmount, currency),
      amountText(item.amount, currency),
    ],
  }));
  const net = sum(note.items.map((item) => dec(item.totalExcludingTax))).toFixed();
  const below: [string, string][] = [
    ['Total excluding tax', amountText(net, currency)],
    ['Tax', amountText(note.taxAmount, currency)],
    ['Total given back', totalText(note.total, currency)],
  ];
  table(page, 'Given back', COLUMNS, rows, heightOfSums(below));
  sums(page, below);
  for (const text of whereTo(document)) paragraph(page, text);
  return page.finish(`${seller.name} · Credit note ${note.number} · ${note.id}`);
}

function whereTo({ note }: CreditNoteDocument): string[] {
  const parts: [string, string][] = [
    [note.reduced, 'lowers what is still to be paid of the invoice.'],
    [note.toWallet, 'goes to your wallet.'],
    [note.toPayment, 'goes back to your payment method.'],
  ];
  const said = parts.filter(([amount]) => dec(amount).gt(0)).map(([amount, where]) => `${totalText(amount, note.currency)} ${where}`);
  return note.notes === null ? said : [...said, note.notes];
}
