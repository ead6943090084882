import type { z } from 'zod';
import type { ChargedLine } from '../../billing/contract/types.ts';
import type { InvoiceRecord } from '../../db/mapping/invoice.ts';
import type { Explanation } from '../schema/invoice.ts';
import { recordToWire } from './plain.ts';

export const presentExplanation = (invoice: InvoiceRecord, lines: readonly ChargedLine[]): z.input<typeof Explanation> => ({
  invoice_id: invoice.id,
  lines: lines.map((line) => ({
    invoice_item_id: line.id,
    name: line.name,
    total_including_tax: line.totalIncludingTax,
    derivation: recordToWire(line.derivation),
  })),
  total: invoice.total,
});
