import type { z } from 'zod';
import { iso } from '../../billing/calendar/instant.ts';
import type { ChargedLine } from '../../billing/contract/types.ts';
import type { InvoiceRecord } from '../../db/mapping/invoice.ts';
import type { Explanation } from '../schema/invoice.ts';

const INSTANTS = new Set(['start', 'end', 'at', 'from', 'to', 'until']);

const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** A derivation with the wire's names; instants become dates. */
function wire(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map((entry) => wire(entry));
  if (typeof value === 'number' && INSTANTS.has(name)) return iso(value);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [snake(key), wire(entry, key)]));
}

export const presentExplanation = (invoice: InvoiceRecord, lines: readonly ChargedLine[]): z.input<typeof Explanation> => ({
  invoice_id: invoice.id,
  lines: lines.map((line) => ({
    invoice_item_id: line.id,
    name: line.name,
    total_including_tax: line.totalIncludingTax,
    derivation: wire(line.derivation) as Record<string, unknown>,
  })),
  total: invoice.total,
});
