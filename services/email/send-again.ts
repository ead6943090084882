import { BillingError } from '../../billing/problem.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { EmailSettings } from '../../db/customer/email.ts';
import { Customer } from '../../db/entities/customer.ts';
import { Invoice } from '../../db/entities/invoice.ts';
import { newId } from '../../db/id.ts';
import type { Tx } from '../../db/transaction.ts';
import { readEmailSettings } from '../preferences/email.ts';
import { queueEmails } from './queue.ts';

/**
 * Queues the e-mail of an invoice once more, with a Message-ID of its own.
 *
 * @throws Refusal `invoice_not_found`, `invoice_state`; BillingError with what to set where no e-mails are sent
 */
export async function sendInvoiceAgain(tx: Tx, vendorId: string, invoiceId: string): Promise<void> {
  const invoice = await tx.em.findOne(Invoice, { id: invoiceId, vendorId });
  if (invoice === null) throw new Refusal('invoice_not_found', `There is no invoice ${invoiceId}.`);
  if (invoice.status !== 'ready_for_payment' && invoice.status !== 'paid')
    throw new Refusal('invoice_state', 'the invoice is not validated');
  const occasion = newId('Evt');
  const written = await queueEmails(tx, [{ customerId: invoice.customerId, kind: 'invoice', objectId: invoiceId, occasion }]);
  if (written.size > 0) return;
  const settings = await readEmailSettings(tx.em, vendorId);
  const { clockId } = await tx.em.findOneOrFail(Customer, { id: invoice.customerId }, { fields: ['clockId'] });
  const missing = missingForEmail(tx.sendsMail, settings, clockId !== null);
  throw new BillingError([{ field: 'request', code: 'email_off', message: `no e-mails are sent to this customer: ${missing.join('; ')}` }]);
}

/** What has to be set before e-mails go to a customer, in words that say where; empty when nothing is missing. */
export function missingForEmail(
  sendsMail: boolean,
  { enabled, testClocks }: Pick<EmailSettings, 'enabled' | 'testClocks'>,
  isOnTestClock: boolean,
): string[] {
  const missing: string[] = [];
  if (!sendsMail) missing.push('set SMTP_URL on the server (API and worker)');
  if (!enabled) missing.push('set enabled and from with POST /v1/c/preferences/email');
  if (isOnTestClock && !testClocks)
    missing.push('set test_clocks with POST /v1/c/preferences/email, since the customer is on a test clock');
  return missing;
}
