import { Refusal } from '../../billing/refusal.ts';
import { Customer } from '../../db/entities/customer.ts';
import { Invoice, type InvoiceEntity } from '../../db/entities/invoice.ts';
import { newId } from '../../db/id.ts';
import type { Tx } from '../../db/transaction.ts';
import { readEmailSettings } from '../preferences/email.ts';
import { queueEmails } from './queue.ts';

/**
 * Queues the e-mail of an invoice once more, with a Message-ID of its own.
 *
 * @throws Refusal `invoice_not_found`, `invoice_state`; `invalid_request` with what to set where no e-mails are sent
 */
export async function sendInvoiceAgain(tx: Tx, vendorId: string, invoiceId: string): Promise<void> {
  const invoice = await tx.em.findOne(Invoice, { id: invoiceId, vendorId });
  if (invoice === null) throw new Refusal('invoice_not_found', `There is no invoice ${invoiceId}.`);
  if (invoice.status !== 'ready_for_payment' && invoice.status !== 'paid')
    throw new Refusal('invoice_state', 'the invoice is not validated');
  const occasion = newId('Evt');
  const written = await queueEmails(tx, [{ customerId: invoice.customerId, kind: 'invoice', objectId: invoiceId, occasion }]);
  if (written.size > 0) return;
  const missing = await missingSettings(tx, invoice);
  throw new Refusal('invalid_request', `no e-mails are sent to this customer: ${missing.join('; ')}`);
}

/** What has to be set before an e-mail goes to the customer of an invoice. */
async function missingSettings(tx: Tx, { vendorId, customerId }: InvoiceEntity): Promise<string[]> {
  const settings = await readEmailSettings(tx.em, vendorId);
  const { clockId } = await tx.em.findOneOrFail(Customer, { id: customerId }, { fields: ['clockId'] });
  const missing: string[] = [];
  if (!tx.sendsMail) missing.push('set SMTP_URL on the server (API and worker)');
  if (!settings.enabled) missing.push('set enabled and from with POST /v1/c/preferences/email');
  if (clockId !== null && !settings.testClocks)
    missing.push('set test_clocks with POST /v1/c/preferences/email, since the customer is on a test clock');
  return missing;
}
