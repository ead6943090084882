import type { Instant } from '../../billing/calendar/instant.ts';
import { afterDecline } from '../../billing/credit/top-up.ts';
import type { Tx } from '../../db/connect.ts';
import { CreditGrant, type CreditGrantRecord } from '../../db/entities/credit.ts';
import { CreditTopUp } from '../../db/entities/credit-top-up.ts';
import { Dunning } from '../../db/entities/payment.ts';
import { topUpsOf } from '../../db/sql/credit/top-ups-of.ts';
import type { AttemptOfInvoice } from '../../db/sql/payment/attempt.ts';
import { lockInvoice } from '../../db/sql/payment/lock-invoice.ts';
import { planTopUps } from './ask-top-up.ts';
import { endUnpaid, isOpen } from './end-unpaid.ts';
import { livedBy } from './lived.ts';

/**
 * Ends bought credits whose payment has failed for good: no retry follows, or their life has ended (it stands still in
 * a freeze). Those of a top-up end at the first decline. Nobody owes anything for credits that were never granted.
 *
 * @returns whether they have ended
 */
export async function endFailedPurchase(tx: Tx, { invoiceId, origin }: AttemptOfInvoice, now: Instant): Promise<boolean> {
  const grant = await tx.em.findOne(CreditGrant, { invoiceId, paidAt: null, voidedAt: null }, { disableIdentityMap: true });
  if (grant === null) return false;
  const isTopUp = grant.topUpId !== null && origin === 'automatic';
  const isLate = grant.expiresAt !== null && grant.expiresAt <= (await livedBy(tx, grant.customerId, now)).until;
  if (!isTopUp && !isLate && !(origin === 'automatic' && (await isGivenUp(tx, invoiceId)))) return false;
  const invoice = await lockInvoice(tx, invoiceId);
  if (invoice === null || !(await isOpen(tx, invoice))) return false;
  await endUnpaid(tx, invoice, now);
  if (isTopUp) await backOff(tx, grant, now);
  return true;
}

/**
 * A top-up tries again a day after a decline, whatever the retries of other invoices are, until too many follow each
 * other.
 */
async function backOff(tx: Tx, { customerId, currency }: CreditGrantRecord, now: Instant): Promise<void> {
  const topUp = await tx.em.findOne(CreditTopUp, { customerId, currency }, { disableIdentityMap: true });
  if (topUp === null) return;
  const brake = afterDecline(topUp, now);
  await tx.em.nativeUpdate(CreditTopUp, { id: topUp.id }, brake);
  const until = brake.pausedUntil ?? now;
  const trying = (await topUpsOf(tx, [{ customerId, currency }])).filter(({ isStopped }) => !isStopped);
  await planTopUps(
    tx,
    trying.map((one) => ({ topUp: one, at: until })),
  );
}

/** Whether the last retry has failed, or none would be of use. */
async function isGivenUp({ em }: Tx, invoiceId: string): Promise<boolean> {
  const dunning = await em.findOne(Dunning, { invoiceId });
  return dunning !== null && (dunning.givenUp || dunning.failures > dunning.retryDays.length);
}
