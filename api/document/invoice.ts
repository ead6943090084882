import type { ChargedLine } from '../../billing/contract/types.ts';
import { dec, sum } from '../../billing/money/decimal.ts';
import type { InvoiceDocument } from '../../db/document/read.ts';
import { head } from './head.ts';
import { Page } from './page.ts';
import { type Column, paragraph, sums, type TableRow, table } from './table.ts';
import { amountText, longDate, priceText, quantityText, rateText, spanText, totalText } from './text.ts';

const TITLES: Record<InvoiceDocument['state'], string> = { final: 'Invoice', draft: 'Invoice draft', void: 'Void invoice' };

const COLUMNS: readonly Column[] = [
  { title: 'Quantity', width: 58, align: 'right' },
  { title: 'Unit price', width: 78, align: 'right' },
  { title: 'Tax', width: 46, align: 'right' },
  { title: 'Amount', width: 92, align: 'right' },
];

/** An invoice as a PDF: who, what, over which time, and how the total comes about. */
export function printInvoice(invoice: InvoiceDocument): Promise<Buffer> {
  const title = TITLES[invoice.state];
  const page = new Page(`${title} ${invoice.number}`, invoice.seller.name, invoice.date);
  head(page, invoice, title, [
    ['Number', invoice.number],
    ['Date', longDate(invoice.date)],
    ['Due', longDate(invoice.dueDate)],
    ['Currency', invoice.currency.toUpperCase()],
  ]);
  table(
    page,
    'Description',
    COLUMNS,
    invoice.lines.map((line) => rowOf(line)),
  );
  sums(page, totals(invoice));
  if (invoice.lines.some(({ reverseCharge }) => reverseCharge)) {
    paragraph(page, 'Reverse charge: the tax is owed by the recipient of the service (Article 196 of Council Directive 2006/112/EC).');
  }
  return page.finish(`${invoice.seller.name} · ${title} ${invoice.number} · ${invoice.reference}`);
}

function rowOf(line: ChargedLine): TableRow {
  const discount = dec(line.discountAmount).isZero()
    ? null
    : `Discount ${line.discountDescription ?? ''} ${amountText(dec(line.discountAmount).neg().toFixed(), line.currency)}`.replace(
        / +/g,
        ' ',
      );
  return {
    main: line.name,
    small: [spanText(line.span), line.description, discount].filter((part): part is string => part !== null && part !== ''),
    cells: [
      quantityText(line.unitCount),
      priceText(line.unitPrice, line.currency),
      line.taxRate === null ? '–' : rateText(line.taxRate),
      amountText(line.taxPolicy === 'tax_included' ? line.totalIncludingTax : line.totalExcludingTax, line.currency),
    ],
  };
}

/** Net, then the tax of each rate, then the total. */
function totals({ lines, total, currency }: InvoiceDocument): [string, string][] {
  const net = sum(lines.map((line) => dec(line.totalExcludingTax)));
  const rates = Map.groupBy(
    lines.filter((line) => line.taxRate !== null),
    ({ taxRate }) => dec(taxRate ?? '0').toFixed(),
  );
  const taxes = [...rates].map(([rate, taxed]): [string, string] => [
    `Tax ${rateText(rate)}`,
    amountText(sum(taxed.map((line) => dec(line.taxAmount))).toFixed(), currency),
  ]);
  return [['Total excluding tax', amountText(net.toFixed(), currency)], ...taxes, ['Total', totalText(total, currency)]];
}
