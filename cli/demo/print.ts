import type { InvoiceHit, InvoiceItem } from '../../client/src/index.ts';

const NAME_WIDTH = 44;
const FIGURES_WIDTH = 22;
const AMOUNT_WIDTH = 12;

/** "31 Jan 2027" */
export const dayText = (iso: string): string =>
  new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', day: 'numeric', month: 'short', year: 'numeric' }).format(new Date(iso));

/** An invoice as a small table, followed by an empty line. */
export function invoiceLines(customer: string, { invoice, invoice_items, amount_due }: InvoiceHit): string[] {
  const left = amount_due === invoice.total ? '' : `, ${amount_due} left to pay`;
  return [
    `  ┌ ${customer}, invoice ${invoice.invoice_number.number}, ${dayText(invoice.date)}, due ${dayText(invoice.due_date)}${left}`,
    ...invoice_items.map((item) => `  │ ${line(item)}`),
    `  └ ${'Total'.padEnd(NAME_WIDTH + FIGURES_WIDTH)}${invoice.total.padStart(AMOUNT_WIDTH)} ${invoice.currency.toUpperCase()}`,
    '',
  ];
}

function line({ name, unit_count, unit_price, total_including_tax }: InvoiceItem): string {
  const figures = `${unit_count} × ${unit_price}`;
  return `${shorten(name, NAME_WIDTH).padEnd(NAME_WIDTH)}${figures.padStart(FIGURES_WIDTH)}${total_including_tax.padStart(AMOUNT_WIDTH)}`;
}

const shorten = (text: string, length: number): string => (text.length < length ? text : `${text.slice(0, length - 2)}…`);
