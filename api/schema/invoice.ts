import { z } from 'zod';
import {
  AnyTimestampInput,
  ContractId,
  Currency,
  CustomerId,
  DecimalText,
  InvoiceId,
  ItemId,
  idSchema,
  listOf,
  Name,
  Timestamp,
} from './common.ts';
import { GrantId } from './credit.ts';
import { paginated, pagingQuery } from './paging.ts';
import { TaxPolicy } from './preferences.ts';

export const InvoiceStatus = z.enum(['pending_validation', 'ready_for_payment', 'paid']).meta({
  id: 'InvoiceStatus',
  description: 'pending_validation: waits for `…/validate`; ready_for_payment: final and not fully paid; paid: nothing is left to pay.',
});
const DepositStatus = z
  .enum(['not_processed', 'processing', 'succeeded', 'failed'])
  .describe(
    'not_processed: no payment yet; processing: a provider has not answered yet; succeeded: paid; failed: the last attempt failed.',
  );
export const DetailedStatus = z
  .enum(['pending_validation', 'not_yet_due', 'customer_not_active', 'ready_for_payment', 'paid', 'canceled_unpaid_transaction', 'voided'])
  .meta({
    id: 'DetailedInvoiceStatus',
    description:
      'What the status means for collection: not_yet_due; customer_not_active: frozen or not registered; canceled_unpaid_transaction: credit notes covered everything unpaid; voided: nothing is owed.',
  });

export const Invoice = z
  .object({
    id: InvoiceId.describe('Id of the invoice, for machines.'),
    currency: Currency.describe('Currency of all amounts on it.'),
    customer_id: CustomerId.describe('Who has to pay it.'),
    contract_id: ContractId.nullable().describe('The contract it belongs to; null for none.'),
    date: Timestamp.describe('When it was made, on the customer’s clock.'),
    due_date: Timestamp.describe('When it is due: the earliest due date of its lines.'),
    deposit_transaction_status: DepositStatus.describe('State of its last payment.'),
    deposit_transaction_id: idSchema('Txn').nullable().describe('The last transaction that paid it; null before a payment.'),
    invoice_number: z
      .object({
        number: z.string().describe('Without gaps for each vendor; each test clock has a separate series. Empty text in an estimate.'),
      })
      .describe('The number that customers see.'),
    status: InvoiceStatus.describe('Whether it waits for validation, is due or is paid. A voided invoice stays pending_validation.'),
    total: DecimalText.describe('Sum of the lines’ `total_including_tax`, never below zero. What is left to pay is `amount_due`.'),
    external_reference: z.string().nullable().describe('Id of the invoice in another system; always null, since nothing sets it yet.'),
  })
  .meta({ id: 'Invoice', description: 'An invoice without its lines.' });

export const InvoiceItem = z
  .object({
    id: ItemId.describe('Id of the line; credit notes name it.'),
    charge_id: idSchema('Chrg').describe('Id of the charge that made the line.'),
    invoice_id: InvoiceId.nullable().describe('The invoice it is on; null while it waits for one.'),
    currency: Currency.describe('Always that of the contract and its invoice.'),
    due_date: Timestamp.describe('When this line is due by itself; the invoice is due with its earliest line.'),
    name: z.string().describe('What it is for; contains the name of the plan, feature or group.'),
    description: z.string().nullable().describe('Further text, for example the reverse charge note; null for none.'),
    scheduling_policy: z
      .enum(['immediate', 'start_of_period', 'end_of_period'])
      .describe(
        'start_of_period or end_of_period for lines of cycles and changes, by the contract’s `due_date_policy`; immediate for all others.',
      ),
    status: InvoiceStatus.describe('The status of its invoice; pending_validation while it has none.'),
    unit_count: DecimalText.describe('Units charged, after batch size and limits; "1" for a flat price.'),
    unit_price: DecimalText.describe(
      'Price of one unit for a whole period, negative in a credit; with tiers or proration the subtotal is not units times price.',
    ),
    subtotal: DecimalText.describe('Price for the time it covers, before discount; under `tax_included` it includes the tax.'),
    discount_amount: DecimalText.nullable().describe('Amount of the discount, positive on a charge; null or "0.00" for none.'),
    discount_description: z.string().nullable().describe('Name and size of the discount, for example "Spring: 10 %"; null for none.'),
    total_excluding_tax: DecimalText.describe('After discount, without tax.'),
    tax_amount: DecimalText.nullable().describe('Tax on it, rounded once per line; null or "0.00" for none.'),
    tax_code: z.string().nullable().describe('The price’s tax code; null for none.'),
    tax_policy: TaxPolicy.describe('Whether the price included the tax when the line was made.'),
    total_including_tax: DecimalText.describe('Amount that the line adds to the invoice’s total.'),
    withdrawal_transaction_id: idSchema('Txn').nullable().describe('The transaction that paid its invoice; null before a payment.'),
  })
  .meta({
    id: 'InvoiceItem',
    description: 'One line: one price for one span of time, rounded once to the currency’s minor unit. Credits have negative amounts.',
  });

export const InvoiceHit = z
  .object({
    invoice: Invoice.describe('Number, dates, status and total of the invoice.'),
    invoice_items: z.array(InvoiceItem).describe('Its lines, in the order in which they are printed.'),
    detailed_invoice_status: DetailedStatus.describe('What its status means for collection.'),
    amount_due: DecimalText.describe('What is left to pay after wallet, payments and credit notes; "0.00" when paid or voided.'),
  })
  .meta({ id: 'InvoiceHit', description: 'An invoice with its lines.' });

export const InvoicePage = paginated(InvoiceHit, 'InvoicePage');

export const InvoicePayment = z
  .object({
    at: Timestamp.describe('When the payment began, on the customer’s clock.'),
    amount: DecimalText.describe('Amount to be paid by it.'),
    method: z.string().describe('Id of the payment method or of the credit grant, `wallet`, or `manual` for what was received outside.'),
    status: z
      .enum(['processing', 'succeeded', 'failed'])
      .describe('processing: the provider has not answered yet; succeeded: the money is booked; failed: nothing was charged.'),
    reason: z.string().nullable().describe('Why it failed, in the provider’s words; null when it did not.'),
    reference: z
      .string()
      .nullable()
      .describe('The reference given with a manual payment, else the provider’s id of the payment; null for none.'),
  })
  .meta({ id: 'InvoicePayment', description: 'One attempt to pay an invoice, or a payment by prepaid credits or from the wallet.' });

export const CreditNote = z
  .object({
    id: z.string().describe('Id of the credit note, for machines.'),
    number: z.string().describe('The number that customers see, in a separate series.'),
    at: Timestamp.describe('When it was written, on the customer’s clock.'),
    total: DecimalText.describe('Total of the credit note, tax included, as a positive amount.'),
    to: z.enum(['wallet', 'payment']).describe('Where money that had been paid goes: to the wallet or back to the payment method.'),
    reduced: DecimalText.describe('The part that lowered the amount due.'),
    to_credits: DecimalText.describe('The part that went back to the prepaid credits that had paid.'),
    to_credits_ended: DecimalText.describe(
      'Of `to_credits`, what nobody can use any more: those credits had expired or were voided, and what came back ended with them at once.',
    ),
    to_wallet: DecimalText.describe('The part that went to the wallet.'),
    to_payment: DecimalText.describe('The part that goes back to the payment method.'),
    refunds: z
      .array(
        z.object({
          amount: DecimalText.describe('Money that the provider returns.'),
          status: z
            .enum(['processing', 'succeeded', 'failed'])
            .describe(
              'processing: the provider has not answered yet; succeeded: the provider returns the money; failed: it went to the wallet.',
            ),
          reason: z.string().nullable().describe('Why it failed, in the provider’s words; null when it did not.'),
        }),
      )
      .describe('The refunds that a provider was asked for.'),
    notes: z.string().nullable().describe('The reason that was given; null for none.'),
    items: z
      .array(
        z.object({
          invoice_item_id: ItemId.describe('The line that was credited.'),
          amount: DecimalText.describe('Credited amount, tax included, as a positive amount.'),
        }),
      )
      .describe('The credited lines.'),
  })
  .meta({ id: 'CreditNote', description: 'A document that gives back a validated invoice in whole or in part.' });

export const Dispute = z
  .object({
    reference: z.string().describe('The provider’s id of the dispute.'),
    amount: DecimalText.describe('Disputed amount of money.'),
    state: z.enum(['open', 'won', 'lost']).describe('open: not decided yet; won: the money stays; lost: it went back to the customer.'),
    reason: z.string().describe('The reason that the bank gave.'),
    opened: Timestamp.describe('When the provider reported it.'),
    closed: Timestamp.nullable().describe('When it was decided; null while open.'),
  })
  .meta({ id: 'Dispute', description: 'A customer’s objection against a payment at its bank.' });

export const InvoiceDetail = InvoiceHit.extend({
  payments: z
    .array(InvoicePayment)
    .describe('All attempts to pay it and all payments by prepaid credits and from the wallet, oldest first.'),
  credit_notes: z.array(CreditNote).describe('Credit notes of it, oldest first.'),
  disputes: z.array(Dispute).describe('Objections against its payments, oldest first.'),
}).meta({ id: 'InvoiceDetail', description: 'An invoice with its lines, payments, credit notes and disputes.' });

export const InvoiceSearch = z.strictObject({
  customer: CustomerId.optional().describe('Only invoices of this customer.'),
  contract: ContractId.optional().describe('Only invoices of this contract.'),
  status: InvoiceStatus.optional().describe('Only invoices in this state.'),
  number: Name.optional().describe('Only invoices that customers see under this number; each test clock counts on its own.'),
  date_after: AnyTimestampInput.optional().describe('Only invoices made at or after this instant.'),
  date_before: AnyTimestampInput.optional().describe('Only invoices made before this instant, which is not included.'),
  ...pagingQuery,
});

export const MakeInvoiceRequest = z
  .strictObject({
    contract_id: ContractId.nullish().describe('Items of this contract; null or absent for any.'),
    customer_id: CustomerId.nullish().describe('Items of this customer; null or absent for any.'),
    invoice_item_ids: listOf(ItemId, 1000)
      .nullish()
      .describe(
        'Only these items, which wait or stand on a voided invoice: those are copied to a new invoice, once. Null or absent for all that wait.',
      ),
  })
  .refine(
    (body) => Boolean(body.contract_id ?? body.customer_id ?? body.invoice_item_ids),
    'give at least one of contract_id, customer_id, invoice_item_ids',
  )
  .meta({
    id: 'MakeInvoiceRequest',
    description: 'Which waiting items become invoices: give at least one of the three fields; an item must match all given fields.',
  });

export const InvoiceIds = z.array(InvoiceId).describe('The invoices that were made, one per contract; empty when nothing waited.');

export const ExplainedAmounts = z.object({
  subtotal: DecimalText.describe('Before discount.'),
  discount_amount: DecimalText.describe('Amount of the discount, positive on a charge.'),
  total_excluding_tax: DecimalText.describe('After discount, without tax.'),
  tax_amount: DecimalText.describe('Tax on the line.'),
  total_including_tax: DecimalText.describe('Amount that the line adds to the invoice’s total.'),
});

export const Explanation = z
  .object({
    invoice_id: InvoiceId.describe('The invoice whose lines are explained.'),
    lines: z
      .array(
        ExplainedAmounts.extend({
          invoice_item_id: ItemId.describe('The line that is explained.'),
          name: z.string().describe('What the line is for.'),
          kind: z
            .enum(['recurring', 'custom', 'one_off', 'on_demand', 'usage', 'correction', 'credit', 'wallet', 'credits'])
            .describe(
              'recurring: each cycle; custom: each month, quarter or year whatever the cycle; one_off: once; on_demand: by a call; usage: of a closed period; correction: of usage after its closing; credit: gives back; wallet: moves a surplus to the wallet; credits: prepaid credits that were bought.',
            ),
          sentences: z.array(z.string()).describe('How the line is computed, step by step, in words.'),
          derivation: z
            .record(z.string(), z.unknown())
            .describe(
              'The same as data: period, units, price and its version, ratio in milliseconds, discount, tax, rounding. Fields differ by kind.',
            ),
          recomputed: ExplainedAmounts.describe(
            'The amounts computed again from the derivation alone, with exact fractions: always equal to those of the line.',
          ),
        }),
      )
      .describe('Its lines, in the order in which they are printed.'),
    total: DecimalText.describe('The invoice’s total.'),
    credits: z
      .array(
        z.object({
          grant: GrantId.describe('Which prepaid credits paid.'),
          place: z.int().describe('Its place among the grants that paid together, from 1.'),
          amount: DecimalText.describe('What it paid.'),
          at: Timestamp.describe('When it paid.'),
          lines: z
            .array(
              z.object({
                invoice_item_id: ItemId.describe('The line that it paid for.'),
                since: Timestamp.describe('Where the part of the line that it paid for begins.'),
                amount: DecimalText.describe('What it paid of it.'),
              }),
            )
            .describe('What it paid of each line; usage is divided where the life of a grant begins or ends.'),
        }),
      )
      .describe('The prepaid credits that paid it, in the order of their use.'),
  })
  .meta({ id: 'Explanation', description: 'How the lines of an invoice are computed.' });
