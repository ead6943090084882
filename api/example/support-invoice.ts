import type { z } from 'zod';
import type { InvoiceDetail } from '../schema/invoice.ts';
import { exampleId, ids } from './ids.ts';

const line = {
  currency: 'usd',
  name: 'Support',
  description: null,
  scheduling_policy: 'start_of_period',
  unit_count: '1',
  unit_price: '50.00',
  subtotal: '50.00',
  discount_amount: '0.00',
  discount_description: null,
  total_excluding_tax: '50.00',
  tax_amount: '0.00',
  tax_code: null,
  tax_policy: 'tax_included',
  total_including_tax: '50.00',
  withdrawal_transaction_id: null,
} as const;

/** An invoice of 50.00 for Ada's other contract, whose invoices are made and paid by hand. */
const unpaid = (id: string, number: string, item: number, at: string, status: 'pending_validation' | 'ready_for_payment') => ({
  invoice: {
    id,
    currency: 'usd' as const,
    customer_id: ids.customer,
    contract_id: ids.supportContract,
    date: at,
    due_date: at,
    deposit_transaction_status: 'not_processed' as const,
    deposit_transaction_id: null,
    invoice_number: { number },
    status,
    total: '50.00',
    external_reference: null,
  },
  invoice_items: [{ id: exampleId('Item', item), charge_id: exampleId('Chrg', item), invoice_id: id, due_date: at, status, ...line }],
  payments: [],
  credit_notes: [],
  disputes: [],
});

/** The invoice of 11 June, voided before its validation. */
export const voidedDetail = {
  ...unpaid(ids.voidedInvoice, '4', 5, '2026-06-11T00:00:00.000Z', 'pending_validation'),
  detailed_invoice_status: 'voided',
  amount_due: '0.00',
} satisfies z.input<typeof InvoiceDetail>;

/** The invoice of 11 July, validated. */
export const validatedDetail = {
  ...unpaid(ids.supportInvoice, '7', 6, '2026-07-11T00:00:00.000Z', 'ready_for_payment'),
  detailed_invoice_status: 'ready_for_payment',
  amount_due: '50.00',
} satisfies z.input<typeof InvoiceDetail>;

const transfer = exampleId('Txn', 5);

/** The same invoice, paid by a bank transfer. */
export const paidDetail = {
  ...validatedDetail,
  invoice: { ...validatedDetail.invoice, deposit_transaction_status: 'succeeded', deposit_transaction_id: transfer, status: 'paid' },
  invoice_items: validatedDetail.invoice_items.map((item) => ({ ...item, status: 'paid', withdrawal_transaction_id: transfer })),
  detailed_invoice_status: 'paid',
  amount_due: '0.00',
  payments: [
    {
      at: '2026-07-11T00:00:00.000Z',
      amount: '50.00',
      method: 'manual',
      status: 'succeeded',
      reason: null,
      reference: 'bank transfer 2026-07-11',
    },
  ],
} satisfies z.input<typeof InvoiceDetail>;
