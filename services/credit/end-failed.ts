import type { Instant } from '../../billing/calendar/instant.ts';
import type { Tx } from '../../db/connect.ts';
import { CreditGrant } from '../../db/entities/credit.ts';
import { Dunning } from '../../db/entities/payment.ts';
import type { AttemptOfInvoice } from '../../db/sql/payment/attempt.ts';
import { lockInvoice } from '../../db/sql/payment/lock-invoice.ts';
import { endUnpaid, isOpen } from './end-unpaid.ts';

/**
 * Ends bought credits whose payment has failed for good: no retry follows, or they have expired. Nobody owes anything
 * for credits that were never granted.
 *
 * @returns whether they have ended
 */
export async function endFailedPurchase(tx: Tx, { invoiceId, origin }: AttemptOfInvoice, now: Instant): Promise<boolean> {
  const grant = await tx.em.findOne(CreditGrant, { invoiceId, paidAt: null, voidedAt: null }, { disableIdentityMap: true });
  if (grant === null) return false;
  const isLate = grant.expiresAt !== null && grant.expiresAt <= now;
  if (!isLate && !(origin === 'automatic' && (await isGivenUp(tx, invoiceId)))) return false;
  const invoice = await lockInvoice(tx, invoiceId);
  if (invoice === null || !(await isOpen(tx, invoice))) return false;
  await endUnpaid(tx, invoice, now);
  return true;
}

/** Whether the last retry has failed, or none would be of use. */
async function isGivenUp({ em }: Tx, invoiceId: string): Promise<boolean> {
  const dunning = await em.findOne(Dunning, { invoiceId });
  return dunning !== null && (dunning.givenUp || dunning.failures > dunning.retryDays.length);
}
