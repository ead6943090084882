import type * as shape from '../../client/src/index.ts';

export type Hit = shape.InvoiceHit;
type Item = shape.InvoiceItem;

/** The minor units of an amount such as "-12.34", "1200" or "9.995". */
export function centsOf(amount: string): bigint {
  if (!/^-?\d+(\.\d{2,3})?$/.test(amount)) throw new Error(`${amount} is no amount of money`);
  return BigInt(amount.replace('.', ''));
}

export const sumOf = (amounts: readonly string[]): bigint => amounts.reduce((sum, amount) => sum + centsOf(amount), 0n);

/** Every figure of a line that its buyer sees, ids left out, so that an estimate and its invoice can be compared. */
export function itemFigures(items: readonly Item[]): string[] {
  return items.map(figures).sort();
}

function figures(item: Item): string {
  const {
    name,
    unit_count,
    unit_price,
    subtotal,
    discount_amount,
    total_excluding_tax,
    tax_amount,
    tax_code,
    tax_policy,
    total_including_tax,
    due_date,
  } = item;
  const seen = {
    name,
    unit_count,
    unit_price,
    subtotal,
    discount_amount,
    total_excluding_tax,
    tax_amount,
    tax_code,
    tax_policy,
    total_including_tax,
    due_date,
  };
  return JSON.stringify(seen);
}

/**
 * Compares expected lines, written as "Seats 20.00" or "20.00", with the real ones, in any order. A word before the
 * amount must be in the line's name.
 */
export function unmatched(expected: readonly string[], items: readonly Item[]): { missing: string[]; surplus: string[] } {
  const left = items.map((item) => ({ name: item.name, amount: item.total_including_tax }));
  const missing = expected.filter((line) => {
    const [, words = '', amount = ''] = /^(?:(.*) )?(-?[\d.]+)$/.exec(line) ?? [];
    const at = left.findIndex((found) => found.amount === amount && found.name.toLowerCase().includes(words.toLowerCase()));
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
  return { missing, surplus: left.map(({ name, amount }) => `${name} ${amount}`) };
}

/** What must hold of any customer's books, whatever the story. */
export function checkBooks(hits: readonly Hit[]): void {
  const ids = hits.flatMap(({ invoice_items }) => invoice_items.map((item) => item.id));
  expect(new Set(ids).size).toBe(ids.length);
  for (const { invoice, invoice_items, amount_due } of hits) {
    expect(sumOf(invoice_items.map((item) => item.total_including_tax))).toBe(centsOf(invoice.total));
    expect(centsOf(invoice.total) >= 0n && centsOf(amount_due) >= 0n && centsOf(amount_due) <= centsOf(invoice.total)).toBe(true);
    for (const item of invoice_items) {
      expect(item.invoice_id).toBe(invoice.id);
      expect(centsOf(item.total_excluding_tax) + centsOf(item.tax_amount ?? '0.00')).toBe(centsOf(item.total_including_tax));
    }
  }
  const numbers = hits.map(({ invoice }) => invoice.invoice_number.number);
  expect(new Set(numbers).size).toBe(numbers.length);
}
