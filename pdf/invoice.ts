import type { ChargedLine } from '../billing/invoice/types.ts';
import { dec, sum } from '../billing/money/decimal.ts';
import type { InvoiceDocument } from '../services/document/read.ts';
import { printAccount } from './account.ts';
import { printDocumentHead } from './head.ts';
import { PdfPage } from './page.ts';
import { makeupOf } from './parts.ts';
import { printReverseCharge } from './reverse-charge.ts';
import { printStatus, statusOf } from './status.ts';
import { type Column, heightOfSums, printSums, printTable, type TableRow } from './table.ts';
import { amountText, longDate, rateText, spanText, totalText } from './text.ts';

const TITLES: Record<InvoiceDocument['state'], string> = { final: 'Invoice', draft: 'Invoice draft', void: 'Void invoice' };

const QUANTITY: readonly Column[] = [
  { title: 'Quantity', width: 76, align: 'right' },
  { title: 'Unit price', width: 84, align: 'right' },
];
const TAX: Column = { title: 'Tax', width: 46, align: 'right' };
const AMOUNT = 92;

/**
 * An invoice as a PDF: its status, seller and buyer, the lines with their time, and how the total is computed.
 * Payments and credits since then stand below the total; without them a second print has the same bytes.
 */
export function printInvoice(invoice: InvoiceDocument): Promise<Buffer> {
  const title = TITLES[invoice.state];
  const page = new PdfPage(`${title} ${invoice.number}`, invoice.seller.name, invoice.date);
  printDocumentHead(page, invoice, title, [
    ['Number', invoice.number],
    ['Date', longDate(invoice.date)],
    ['Due', longDate(invoice.dueDate)],
    ['Currency', invoice.currency.toUpperCase()],
  ]);
  printStatus(page, statusOf(invoice));
  const below = totals(invoice);
  const sold = invoice.lines.filter(isSold);
  const isTaxed = sold.some(({ taxRate }) => taxRate !== null);
  const columns = [...QUANTITY, ...(isTaxed ? [TAX] : []), amountColumn(sold)];
  const saysBasis = isOfBoth(sold);
  const rows = sold.map((line) => rowOf(line, { isTaxed, saysBasis }));
  printTable(page, 'Description', columns, rows, heightOfSums(below));
  printSums(page, below);
  printReverseCharge(page, invoice.lines);
  printAccount(page, invoice);
  return page.finish([`${invoice.seller.name} · ${title} ${invoice.number}`, invoice.reference ?? []].flat().join(' · '));
}

/** What the amount of a taxed line is: with the tax, or before it. */
function basisOf({ taxRate, taxPolicy, reverseCharge }: ChargedLine): 'incl. tax' | 'excl. tax' | null {
  if (taxRate === null || reverseCharge) return null;
  return taxPolicy === 'tax_included' ? 'incl. tax' : 'excl. tax';
}

/** Whether some amounts are with their tax and others before it: the policy has changed between the lines. */
const isOfBoth = (lines: readonly ChargedLine[]): boolean => new Set(lines.flatMap((line) => basisOf(line) ?? [])).size > 1;

/** The title says when prices include tax, since the sums below begin without it. */
function amountColumn(lines: readonly ChargedLine[]): Column {
  const includes = !isOfBoth(lines) && lines.some((line) => basisOf(line) === 'incl. tax');
  return { title: includes ? 'Amount incl. tax' : 'Amount', width: AMOUNT, align: 'right' };
}

/** A wallet line moves a surplus to the wallet: it is not sold and is no part of the net amount. */
const isSold = ({ kind }: ChargedLine): boolean => kind !== 'wallet';

function rowOf(line: ChargedLine, { isTaxed, saysBasis }: { isTaxed: boolean; saysBasis: boolean }): TableRow {
  const { quantity, unitPrice, notes, parts } = makeupOf(line);
  const withTax = (rate: string): string[] => (isTaxed ? [rate] : []);
  const basis = saysBasis ? basisOf(line) : null;
  const amount = amountText(line.taxPolicy === 'tax_included' ? line.totalIncludingTax : line.totalExcludingTax, line.currency);
  return {
    main: line.name,
    small: [spanText(line.span), ...notes, basis === null ? null : `Amount ${basis}`].filter((part) => part !== null),
    cells: [quantity, unitPrice, ...withTax(line.taxRate === null ? '–' : rateText(line.taxRate)), amount],
    parts: parts.map((part) => ({ label: part.label, cells: [part.quantity, part.unitPrice, ...withTax(''), part.amount] })),
  };
}

/** The net amount when there is tax, then the tax of each rate, what goes to the wallet, and the total. */
function totals({ lines, total, currency }: InvoiceDocument): [string, string][] {
  const sold = lines.filter(isSold);
  const taxed = lines.filter(({ taxRate }) => taxRate !== null);
  const net = amountText(sum(sold.map((line) => dec(line.totalExcludingTax))).toFixed(), currency);
  const rates = Map.groupBy(taxed, ({ taxRate }) => dec(taxRate ?? '0').toFixed());
  const taxes = [...rates].map(([rate, taxedLines]): [string, string] => [
    `Tax ${rateText(rate)}`,
    amountText(sum(taxedLines.map((line) => dec(line.taxAmount))).toFixed(), currency),
  ]);
  const moved = lines
    .filter((line) => !isSold(line))
    .map(({ name, totalIncludingTax }): [string, string] => [name, amountText(totalIncludingTax, currency)]);
  const before: [string, string][] = taxed.length > 0 ? [['Total excluding tax', net], ...taxes] : moved.length > 0 ? [['Sum', net]] : [];
  return [...before, ...moved, ['Total', totalText(total, currency)]];
}
