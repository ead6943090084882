import { z } from 'zod';
import { DecimalText, Timestamp } from './common.ts';

const HOURS = { least: 1, most: 72 };

const PaymentGate = z
  .strictObject({
    expires_in_hours: z
      .int()
      .min(HOURS.least)
      .max(HOURS.most)
      .describe('How long the payment is awaited, on the customer’s clock: whole hours, 1 to 72. After that nothing has changed.'),
  })
  .meta({ id: 'PaymentGate', description: 'What a call does only once it is paid.' });

/** The field of every call that can wait for its payment. */
export const paymentGate = PaymentGate.nullish().describe(
  'Makes nothing before it is paid: prepaid credits and the wallet’s money are held and the rest is charged to the default payment method. Absent or null: the invoices are made at once and collected after that. Where nothing is to be paid now, it changes nothing.',
);

export const AwaitingPayment = z
  .object({
    invoice_amount: DecimalText.describe('Sum of the invoices that the payment makes, tax included.'),
    from_credits: DecimalText.describe('What of it prepaid credits pay; `held` there until the payment has an outcome.'),
    from_wallet: DecimalText.describe('What of it the wallet pays; `held` there until the payment has an outcome.'),
    to_pay: DecimalText.describe('What is charged to the payment method.'),
    expires: Timestamp.describe('When it is dropped unless it is paid, on the customer’s clock.'),
  })
  .meta({ id: 'AwaitingPayment', description: 'What a contract behind a payment gate waits for.' });
