import type { z } from 'zod';
import { iso } from '../../billing/calendar/instant.ts';
import { explainLine } from '../../billing/explain/explain-line.ts';
import type { LineAmounts } from '../../billing/invoice/line.ts';
import type { ChargedLine } from '../../billing/invoice/types.ts';
import type { Currency } from '../../billing/money/currency.ts';
import { dec } from '../../billing/money/decimal.ts';
import { moneyText } from '../../billing/money/round.ts';
import type { InvoiceCredit } from '../../db/sql/credit/credits-of-invoices.ts';
import type { InvoiceRecord } from '../../db/sql/invoice/columns.ts';
import type { ExplainedAmounts, Explanation } from '../schema/invoice.ts';
import { recordToWire } from './plain.ts';

/** Yields after each line: an invoice may have ten thousand, and what each of them comes to is computed again. */
export function* explanationToWire(
  invoice: InvoiceRecord,
  lines: readonly ChargedLine[],
  credits: readonly InvoiceCredit[],
): Generator<undefined, z.input<typeof Explanation>> {
  const explained: z.input<typeof Explanation>['lines'] = [];
  for (const line of lines) {
    explained.push(lineToWire(line));
    yield;
  }
  return {
    invoice_id: invoice.id,
    lines: explained,
    total: invoice.total,
    credits: credits.filter(({ kind }) => kind === 'used').map((use) => creditToWire(use, invoice.currency)),
  };
}

/** What a grant paid of each line, in the order of use that was written down. */
const creditToWire = ({ grantId, place, amount, at, lines }: InvoiceCredit, currency: Currency) => ({
  grant: grantId,
  place: place ?? 1,
  amount: moneyText(dec(amount).neg(), currency),
  at: iso(at),
  lines: lines.map((one) => ({ invoice_item_id: one.line, since: iso(one.at), amount: moneyText(one.amount, currency) })),
});

function lineToWire(line: ChargedLine): z.input<typeof Explanation>['lines'][number] {
  const { kind, amounts, recomputed, sentences } = explainLine(line);
  return {
    invoice_item_id: line.id,
    name: line.name,
    kind,
    ...amountsToWire(amounts),
    sentences,
    derivation: recordToWire(line.derivation),
    recomputed: amountsToWire(recomputed),
  };
}

function amountsToWire(amounts: LineAmounts): z.input<typeof ExplainedAmounts> {
  return {
    subtotal: amounts.subtotal,
    discount_amount: amounts.discountAmount,
    total_excluding_tax: amounts.totalExcludingTax,
    tax_amount: amounts.taxAmount,
    total_including_tax: amounts.totalIncludingTax,
  };
}
