import type { ChargedLine } from '../../../billing/invoice/types.ts';
import type { InvoiceDocument } from '../../../services/document/read.ts';

const DAY = 86_400_000;
export const AT = Date.parse('2026-01-31T00:00:00.000Z');

/** A line of 100.00 a month, with the fields that a test overrides. */
export const contractLine = (given: Partial<ChargedLine> = {}): ChargedLine => ({
  id: 'Item_0197a3c4-5b1e-7c3d-8f21-3a9b0c1d2e3f',
  contractId: 'Cont_0197a3c4-5b1e-7c3d-8f21-3a9b0c1d2e3f',
  chargeKey: 'cycle:1:plan',
  kind: 'recurring',
  source: 'plan',
  name: 'Pro',
  description: null,
  currency: 'usd',
  span: { start: AT, end: AT + 28 * DAY },
  dueDate: AT,
  schedulingPolicy: 'immediate',
  unitCount: '1',
  unitPrice: '100.00',
  subtotal: '100.00',
  discountAmount: '0.00',
  discountDescription: null,
  totalExcludingTax: '100.00',
  taxAmount: '0.00',
  totalIncludingTax: '100.00',
  taxCode: null,
  taxRate: null,
  taxPolicy: 'tax_included',
  reverseCharge: false,
  creditOf: null,
  periodIdx: null,
  derivation: {},
  invoiceId: 'Inv_0197a3c4-5b1e-7c3d-8f21-3a9b0c1d2e3f',
  ...given,
});

/** A final unpaid invoice with these lines. */
export function invoiceDocumentOf(lines: ChargedLine[], given: Partial<InvoiceDocument> = {}): InvoiceDocument {
  const total = given.total ?? '100.00';
  return {
    kind: 'invoice',
    id: 'Inv_0197a3c4-5b1e-7c3d-8f21-3a9b0c1d2e3f',
    customerId: 'Cust_0197a3c4-5b1e-7c3d-8f21-3a9b0c1d2e3f',
    number: '17',
    reference: 'Cont_0197a3c4-5b1e-7c3d-8f21-3a9b0c1d2e3f',
    date: AT,
    dueDate: AT,
    currency: 'usd',
    total,
    state: 'final',
    seller: { name: 'Müller & Söhne GmbH', address: null, vat_id: 'DE123456789' },
    buyer: { name: 'Ada Lovelace', address: null, vat_id: null },
    lines,
    account: { receipts: [], notes: [], surplus: '0', amountDue: total },
    creditsLeft: null,
    ...given,
  };
}
