import { z } from 'zod';
import { DecimalText, Timestamp } from './common.ts';
import { Estimate } from './contract.ts';
import { Invoice, InvoiceItem } from './invoice.ts';
import { AwaitingPayment } from './payment-gate.ts';
import { GivenCredits } from './plan-credits.ts';

const items = z.array(InvoiceItem);
const Foreseen = z.object({
  invoice: Invoice.describe('The invoice as it would be made: its id exists nowhere yet, and its number is empty.'),
  invoice_items: items.describe('Its lines, in the order in which they are printed.'),
});

const amountDue = 'What the wallet leaves to pay when the invoice is made, with the money that is in it now.';

export const UpcomingInvoice = z
  .object({
    at: Timestamp.nullable().describe(
      'The date of the next invoice, on the customer’s clock; in the past for one that is due and will be made in a moment. Null when none will come by itself.',
    ),
    invoice: Invoice.nullable().describe(
      'The next invoice of the contract’s chain if nothing more happens, with an id that exists nowhere yet and an empty number; null for none.',
    ),
    invoice_items: items.describe('Its lines; empty for none. Usage is what is reported by now.'),
    amount_due: DecimalText.nullable().describe(`${amountDue} Null for none.`),
    others: z
      .array(Foreseen.extend({ amount_due: DecimalText.describe(amountDue) }))
      .describe('Further invoices of the same instant, for example the first one after a scheduled change.'),
    waiting_items: z
      .array(InvoiceItem)
      .describe('Items that no invoice takes up by itself: they wait for `POST /v1/c/invoice`. The oldest 100.'),
  })
  .meta({ id: 'UpcomingInvoice', description: 'The next invoice of a contract or of the contract it becomes.' });

export const CancelEstimate = z
  .object({
    at: Timestamp.nullable().describe('When the contract would end; null when a scheduled change would drop the cancellation.'),
    invoices: z
      .array(Foreseen)
      .describe('The invoices that would come with the cancellation: the credit, and the last usage even where its period closes later.'),
    credit: DecimalText.describe('What would be given back, tax included, as a positive amount.'),
    usage: DecimalText.describe(
      'What the usage costs that is not billed when the contract ends, tax included, with what is reported by now. Under the closing policy `manual` it is on no invoice yet; of periods that wait for a call the latest count, with 20,000 lines at most.',
    ),
    total: DecimalText.describe('Sum of the totals of `invoices`; a surplus goes to the wallet, so it is never below zero.'),
    credits_taken_back: DecimalText.describe(
      'Prepaid credits of the plan that would go back with the price of the unused time, as far as they are left once they have paid `invoices`; `0.00` for none.',
    ),
  })
  .meta({ id: 'CancelEstimate', description: 'What a cancellation would come to if nothing more happens.' });

export const SignEstimate = z
  .object({
    at: Timestamp.nullable().describe('When the contract would begin; null for a pending one.'),
    invoices: z
      .array(
        z.object({
          invoice: Invoice.describe('The invoice as it would be made, without a number yet.'),
          invoice_items: z.array(InvoiceItem).describe('Its lines, in the order in which they are printed.'),
        }),
      )
      .describe(
        'The invoices that signing writes; none for a contract that begins later, in a free trial, or whose items wait for a call. Ids are those that the invoices get with the token.',
      ),
    total: DecimalText.describe('Sum of the totals of `invoices`.'),
    recurring_price: Estimate.describe('All prices charged every cycle, for one full cycle, as in `cost_estimates`.'),
    credits: z
      .array(GivenCredits)
      .describe('Prepaid credits that the plan gives with the signing; they pay for what is used. Empty for none.'),
    awaiting_payment: AwaitingPayment.nullable().describe(
      'What the contract would wait for with the `payment_gate` given; null without one, and where nothing would have to be paid.',
    ),
    estimate_token: z.string().describe('Fixes the estimate’s instant for `POST /v1/c/contract`; opaque text.'),
    expires: Timestamp.describe('When the token expires: ten minutes after the estimate, on the customer’s clock.'),
  })
  .meta({ id: 'SignEstimate', description: 'What signing a contract would come to.' });
