import type { EntityManager } from '@mikro-orm/postgresql';
import { BillingError } from '../../billing/problem.ts';
import type { Tx } from '../../db/connect.ts';
import type { EmailSettings } from '../../db/customer/email.ts';
import { Vendor } from '../../db/entities/vendor.ts';
import { lockVendor } from './lock.ts';

/** What a vendor begins with: three days before the due date, and one day, one and two weeks after it. */
const NOTHING_SET: EmailSettings = {
  enabled: false,
  from: null,
  replyTo: null,
  bcc: null,
  texts: {},
  remindDays: [-3, 1, 7, 14],
  testClocks: false,
};

export async function readEmailSettings(em: EntityManager, vendorId: string): Promise<EmailSettings> {
  return (await em.findOneOrFail(Vendor, { id: vendorId })).email ?? NOTHING_SET;
}

/**
 * Changes what is given and leaves the rest; texts and days are replaced as a whole. What is queued already is sent by
 * the settings at its sending.
 *
 * @throws BillingError where e-mails are enabled without a sender
 */
export async function changeEmailSettings(tx: Tx, vendorId: string, given: Partial<EmailSettings>): Promise<void> {
  const vendor = await lockVendor(tx, vendorId);
  const email = { ...(vendor.email ?? NOTHING_SET), ...given };
  if (email.enabled && email.from === null) {
    throw new BillingError([{ field: 'from', code: 'required', message: 'give the address that e-mails are sent from' }]);
  }
  vendor.email = email;
  await tx.em.flush();
}
