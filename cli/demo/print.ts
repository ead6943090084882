import type { components } from '../../tools/client/schema.ts';
import { print } from '../command.ts';

type Hit = components['schemas']['InvoiceHit'];
type Item = components['schemas']['InvoiceItem'];

const NAME = 44;
const FIGURES = 22;
const AMOUNT = 12;

/** "31 Jan 2027" */
export const day = (iso: string): string =>
  new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', day: 'numeric', month: 'short', year: 'numeric' }).format(new Date(iso));

/** An invoice as a small table. */
export function printInvoice(customer: string, { invoice, invoice_items, amount_due }: Hit): void {
  const left = amount_due === invoice.total ? '' : `, ${amount_due} left to pay`;
  print(`  ┌ ${customer}, invoice ${invoice.invoice_number.number}, ${day(invoice.date)}, due ${day(invoice.due_date)}${left}`);
  for (const item of invoice_items) print(`  │ ${line(item)}`);
  print(`  └ ${'Total'.padEnd(NAME + FIGURES)}${invoice.total.padStart(AMOUNT)} ${invoice.currency.toUpperCase()}`);
  print();
}

function line({ name, unit_count, unit_price, total_including_tax }: Item): string {
  const figures = `${unit_count} × ${unit_price}`;
  return `${cut(name, NAME).padEnd(NAME)}${figures.padStart(FIGURES)}${total_including_tax.padStart(AMOUNT)}`;
}

const cut = (text: string, length: number): string => (text.length < length ? text : `${text.slice(0, length - 2)}…`);
