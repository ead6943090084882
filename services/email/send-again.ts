import { BillingError } from '../../billing/problem.ts';
import { Refusal } from '../../billing/refusal.ts';
import { Invoice } from '../../db/entities/invoice.ts';
import { newId } from '../../db/id.ts';
import type { Tx } from '../../db/transaction.ts';
import { queueEmails } from './queue.ts';

/**
 * Queues the e-mail of an invoice once more, with a Message-ID of its own.
 *
 * @throws Refusal `invoice_not_found`, `invoice_state`; BillingError where no e-mails are sent
 */
export async function sendInvoiceAgain(tx: Tx, vendorId: string, invoiceId: string): Promise<void> {
  const invoice = await tx.em.findOne(Invoice, { id: invoiceId, vendorId });
  if (invoice === null) throw new Refusal('invoice_not_found', `There is no invoice ${invoiceId}.`);
  if (invoice.status !== 'ready_for_payment' && invoice.status !== 'paid')
    throw new Refusal('invoice_state', 'the invoice is not validated');
  const occasion = newId('Evt');
  const written = await queueEmails(tx, [{ customerId: invoice.customerId, kind: 'invoice', objectId: invoiceId, occasion }]);
  if (written.size > 0) return;
  throw new BillingError([
    {
      field: 'invoice_id',
      code: 'email_off',
      message: 'no e-mails are sent to this customer: see preferences/email and the server’s SMTP_URL',
    },
  ]);
}
