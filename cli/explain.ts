import type { Explanation, Perennial } from '../client/src/index.ts';
import { answer, vendorApi } from './connection/api.ts';
import { CommandError, type RunCommand } from './run.ts';
import { tableLines } from './table.ts';

type Line = Explanation['lines'][number];

/** Prints how each line of an invoice came about, with the same amounts computed again from what it was made of. */
export const runExplain: RunCommand = async ({ args: [name = ''], say, printResult }) => {
  const { api } = vendorApi();
  const id = name.startsWith('Inv_') ? name : await invoiceNumbered(api, name);
  const { invoice } = await answer(api.getInvoice(id));
  const explanation = await answer(api.explainInvoice(id));
  const { lines, total } = explanation;
  const currency = invoice.currency.toUpperCase();
  say(`Invoice ${invoice.invoice_number.number} of ${invoice.date.slice(0, 10)}, ${total} ${currency}  (${id})`);
  for (const line of lines) for (const text of explained(line)) say(text);
  say();
  for (const text of tableLines(sums(lines, total))) say(text);
  printResult({ number: invoice.invoice_number.number, currency: invoice.currency, ...explanation });
  return 0;
};

const explained = ({ name, kind, sentences }: Line): string[] => ['', `${name} (${kind})`, ...sentences.map((sentence) => `  ${sentence}`)];

const HEAD = ['line', 'before discount', 'discount', 'without tax', 'tax', 'amount'];

function sums(lines: readonly Line[], total: string): string[][] {
  const rows = lines.map((line) => [
    line.name,
    line.subtotal,
    line.discount_amount,
    line.total_excluding_tax,
    line.tax_amount,
    line.total_including_tax,
  ]);
  return withFiguresRight([HEAD, ...rows, ['total', '', '', '', '', total]]);
}

/** Figures stand below each other by their last digit; the first column is text. */
function withFiguresRight(rows: string[][]): string[][] {
  const widths = HEAD.map((_title, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) => row.map((cell, column) => (column === 0 ? cell : cell.padStart(widths[column] ?? 0))));
}

/**
 * Finds an invoice by the number that customers see. A vendor's clocks count on their own, so that a number may stand
 * on several.
 */
async function invoiceNumbered(api: Perennial, number: string): Promise<string> {
  const { hits } = await answer(api.listInvoices({ number, limit: 100 }));
  const [first, ...others] = hits.map(({ invoice }) => invoice.id);
  if (first === undefined) throw new CommandError(`there is no invoice with the number ${number}`);
  if (others.length === 0) return first;
  throw new CommandError(
    `several invoices have the number ${number}, on different clocks; give one of the ids: ${[first, ...others].join(', ')}`,
  );
}
