import type { ChargeDerivation, CreditDerivation } from '../../billing/explain/derivation.ts';
import type { ChargedLine, Derivation } from '../../billing/invoice/types.ts';
import { dec, sum } from '../../billing/money/decimal.ts';
import type { Account, InvoiceDocument } from '../../db/document/read.ts';
import { printAccount } from './account.ts';
import { head } from './head.ts';
import { Page } from './page.ts';
import { type Column, heightOfSums, paragraph, sums, type TableRow, table } from './table.ts';
import { amountText, longDate, priceText, quantityText, rateText, shareText, spanText, totalText } from './text.ts';

const TITLES: Record<InvoiceDocument['state'], string> = { final: 'Invoice', draft: 'Invoice draft', void: 'Void invoice' };

const COLUMNS: readonly Column[] = [
  { title: 'Quantity', width: 58, align: 'right' },
  { title: 'Unit price', width: 78, align: 'right' },
  { title: 'Tax', width: 46, align: 'right' },
];
const AMOUNT = 92;

/**
 * An invoice as a PDF: who, what, over which time, and how the total comes about. With its account it says also what was paid and given back
 * since; without, it is the invoice as it was made and never changes.
 */
export function printInvoice(invoice: InvoiceDocument, account: Account | null = null): Promise<Buffer> {
  const title = TITLES[invoice.state];
  const page = new Page(`${title} ${invoice.number}`, invoice.seller.name, invoice.date);
  head(page, invoice, title, [
    ['Number', invoice.number],
    ['Date', longDate(invoice.date)],
    ['Due', longDate(invoice.dueDate)],
    ['Currency', invoice.currency.toUpperCase()],
  ]);
  const below = totals(invoice);
  const rows = invoice.lines.filter(isSold).map((line) => rowOf(line));
  table(page, 'Description', [...COLUMNS, amountColumn(invoice.lines)], rows, heightOfSums(below));
  sums(page, below);
  if (invoice.lines.some(({ reverseCharge }) => reverseCharge)) {
    paragraph(page, 'Reverse charge: the tax is owed by the recipient of the service (Article 196 of Council Directive 2006/112/EC).');
  }
  if (account !== null) printAccount(page, account, invoice.currency);
  return page.finish(`${invoice.seller.name} · ${title} ${invoice.number} · ${invoice.reference}`);
}

/** Prices that include tax say so, since the sums begin without it. */
function amountColumn(lines: readonly ChargedLine[]): Column {
  const includes = lines.some(
    ({ taxRate, taxPolicy, reverseCharge }) => taxRate !== null && !reverseCharge && taxPolicy === 'tax_included',
  );
  return { title: includes ? 'Amount incl. tax' : 'Amount', width: AMOUNT, align: 'right' };
}

/** The closing line moves a surplus to the wallet: it is no part of what is sold, nor of its net amount. */
const isSold = ({ kind }: ChargedLine): boolean => kind !== 'wallet';

function rowOf(line: ChargedLine): TableRow {
  const discount = dec(line.discountAmount).isZero()
    ? null
    : `Discount ${line.discountDescription ?? ''} ${amountText(dec(line.discountAmount).neg().toFixed(), line.currency)}`.replace(
        / +/g,
        ' ',
      );
  return {
    main: line.name,
    small: [timeOf(line), line.description, discount].filter((part): part is string => part !== null && part !== ''),
    cells: [
      quantityText(line.unitCount),
      priceText(line.unitPrice, line.currency),
      line.taxRate === null ? '–' : rateText(line.taxRate),
      amountText(line.taxPolicy === 'tax_included' ? line.totalIncludingTax : line.totalExcludingTax, line.currency),
    ],
  };
}

/** The time a line is for and, where its price was taken for a part of its period, which part. */
function timeOf({ span, derivation }: ChargedLine): string | null {
  const parts = [spanText(span), shareOf(derivation)].filter((part) => part !== null);
  return parts.length === 0 ? null : parts.join(' · ');
}

function shareOf(derivation: Derivation): string | null {
  const known = derivation as Partial<ChargeDerivation> | Partial<CreditDerivation>;
  const ofLine = known.type === 'credit' || (known.type === 'charge' && known.ratioUse === 'line');
  return ofLine && known.ratio !== undefined ? shareText(known.ratio) : null;
}

/** Net, then the tax of each rate, then what goes to the wallet, then the total. */
function totals({ lines, total, currency }: InvoiceDocument): [string, string][] {
  const net = sum(lines.filter(isSold).map((line) => dec(line.totalExcludingTax)));
  const rates = Map.groupBy(
    lines.filter((line) => line.taxRate !== null),
    ({ taxRate }) => dec(taxRate ?? '0').toFixed(),
  );
  const taxes = [...rates].map(([rate, taxed]): [string, string] => [
    `Tax ${rateText(rate)}`,
    amountText(sum(taxed.map((line) => dec(line.taxAmount))).toFixed(), currency),
  ]);
  const moved = lines
    .filter((line) => !isSold(line))
    .map(({ name, totalIncludingTax }): [string, string] => [name, amountText(totalIncludingTax, currency)]);
  return [['Total excluding tax', amountText(net.toFixed(), currency)], ...taxes, ...moved, ['Total', totalText(total, currency)]];
}
