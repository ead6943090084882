import type { z } from 'zod';
import { explainLine } from '../../billing/explain/explain-line.ts';
import type { LineAmounts } from '../../billing/invoice/line.ts';
import type { ChargedLine } from '../../billing/invoice/types.ts';
import type { InvoiceRecord } from '../../db/sql/invoice/columns.ts';
import type { ExplainedAmounts, Explanation } from '../schema/invoice.ts';
import { recordToWire } from './plain.ts';

export const explanationToWire = (invoice: InvoiceRecord, lines: readonly ChargedLine[]): z.input<typeof Explanation> => ({
  invoice_id: invoice.id,
  lines: lines.map(lineToWire),
  total: invoice.total,
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
