import { z } from 'zod';
import { AnyTimestampInput, ContractId, Currency, CustomerId, DecimalText, InvoiceId, ItemId, idOf, Timestamp } from './common.ts';
import { paginated, pagingQuery } from './paging.ts';
import { TaxPolicy } from './preferences.ts';

export const InvoiceStatus = z.enum(['pending_validation', 'ready_for_payment', 'paid']).meta({ id: 'InvoiceStatus' });
const DepositStatus = z.enum(['not_processed', 'processing', 'succeeded', 'failed']);
export const DetailedStatus = z
  .enum(['pending_validation', 'not_yet_due', 'customer_not_active', 'ready_for_payment', 'paid', 'canceled_unpaid_transaction', 'voided'])
  .meta({ id: 'DetailedInvoiceStatus' });

export const Invoice = z
  .object({
    id: InvoiceId,
    currency: Currency,
    customer_id: CustomerId,
    contract_id: ContractId.nullable(),
    date: Timestamp,
    due_date: Timestamp,
    deposit_transaction_status: DepositStatus,
    deposit_transaction_id: idOf('Txn').nullable(),
    invoice_number: z.object({ number: z.string() }),
    status: InvoiceStatus,
    total: DecimalText,
    external_reference: z.string().nullable(),
  })
  .meta({ id: 'Invoice' });

export const InvoiceItem = z
  .object({
    id: ItemId,
    charge_id: idOf('Chrg'),
    invoice_id: InvoiceId.nullable(),
    currency: Currency,
    due_date: Timestamp,
    name: z.string(),
    description: z.string().nullable(),
    scheduling_policy: z.enum(['immediate', 'start_of_period', 'end_of_period']),
    status: InvoiceStatus,
    unit_count: DecimalText,
    unit_price: DecimalText,
    subtotal: DecimalText,
    discount_amount: DecimalText.nullable(),
    discount_description: z.string().nullable(),
    total_excluding_tax: DecimalText,
    tax_amount: DecimalText.nullable(),
    tax_code: z.string().nullable(),
    tax_policy: TaxPolicy,
    total_including_tax: DecimalText,
    withdrawal_transaction_id: idOf('Txn').nullable(),
  })
  .meta({ id: 'InvoiceItem' });

export const InvoiceHit = z
  .object({ invoice: Invoice, invoice_items: z.array(InvoiceItem), detailed_invoice_status: DetailedStatus, amount_due: DecimalText })
  .meta({ id: 'InvoiceHit' });

export const InvoicePage = paginated(InvoiceHit, 'InvoicePage');

export const InvoicePayment = z
  .object({
    at: Timestamp,
    amount: DecimalText,
    method: z.string(),
    status: z.enum(['processing', 'succeeded', 'failed']),
    reason: z.string().nullable(),
    reference: z.string().nullable().meta({ description: 'given when it was recorded by hand; else the name the provider has for it' }),
  })
  .meta({ id: 'InvoicePayment' });

export const CreditNote = z
  .object({
    id: z.string(),
    number: z.string(),
    at: Timestamp,
    total: DecimalText,
    to: z.enum(['wallet', 'payment']),
    reduced: DecimalText.meta({ description: 'the part that lowered what was still to be paid' }),
    to_wallet: DecimalText,
    to_payment: DecimalText,
    refunds: z.array(
      z.object({ amount: DecimalText, status: z.enum(['processing', 'succeeded', 'failed']), reason: z.string().nullable() }),
    ),
    notes: z.string().nullable(),
    items: z.array(z.object({ invoice_item_id: ItemId, amount: DecimalText })),
  })
  .meta({ id: 'CreditNote' });

export const Dispute = z
  .object({
    reference: z.string().meta({ description: 'id at the provider' }),
    amount: DecimalText,
    state: z.enum(['open', 'won', 'lost']),
    reason: z.string(),
    opened: Timestamp,
    closed: Timestamp.nullable(),
  })
  .meta({ id: 'Dispute' });

export const InvoiceDetail = InvoiceHit.extend({
  payments: z.array(InvoicePayment),
  credit_notes: z.array(CreditNote),
  disputes: z.array(Dispute),
}).meta({ id: 'InvoiceDetail' });

export const InvoiceSearch = z.strictObject({
  customer: CustomerId.optional(),
  contract: ContractId.optional(),
  status: InvoiceStatus.optional(),
  date_after: AnyTimestampInput.optional(),
  date_before: AnyTimestampInput.optional(),
  ...pagingQuery,
});

export const MakeInvoiceRequest = z
  .strictObject({
    contract_id: ContractId.nullish(),
    customer_id: CustomerId.nullish(),
    invoice_item_ids: z.array(ItemId).max(1000).nullish(),
  })
  .refine(
    (body) => Boolean(body.contract_id ?? body.customer_id ?? body.invoice_item_ids),
    'give at least one of contract_id, customer_id, invoice_item_ids',
  )
  .meta({ id: 'MakeInvoiceRequest' });

export const InvoiceIds = z.array(InvoiceId);

export const ExplainedAmounts = z.object({
  subtotal: DecimalText,
  discount_amount: DecimalText,
  total_excluding_tax: DecimalText,
  tax_amount: DecimalText,
  total_including_tax: DecimalText,
});

export const Explanation = z
  .object({
    invoice_id: InvoiceId,
    lines: z.array(
      ExplainedAmounts.extend({
        invoice_item_id: ItemId,
        name: z.string(),
        kind: z.enum(['recurring', 'custom', 'one_off', 'on_demand', 'usage', 'correction', 'credit', 'wallet']),
        sentences: z.array(z.string()).meta({ description: 'How the line came about, step by step' }),
        derivation: z.record(z.string(), z.unknown()),
        recomputed: ExplainedAmounts.meta({
          description: 'The amounts worked out again from the derivation alone, in whole-number fractions',
        }),
      }),
    ),
    total: DecimalText,
  })
  .meta({ id: 'Explanation' });
