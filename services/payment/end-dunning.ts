import type { Instant } from '../../billing/calendar/instant.ts';
import { planUnpaidEnd } from '../../billing/contract/change/cancel.ts';
import { Agenda } from '../../db/entities/agenda.ts';
import { ContractRecord } from '../../db/entities/contract.ts';
import { Dunning } from '../../db/entities/payment.ts';
import { newId } from '../../db/id.ts';
import type { DuePayment } from '../../db/sql/agenda/due-collections.ts';
import { lockCustomerRow } from '../../db/sql/customer/lock.ts';
import { readPauses } from '../../db/sql/customer/read-pauses.ts';
import type { Candidate } from '../../db/sql/payment/candidate.ts';
import { candidates } from '../../db/sql/payment/read-candidates.ts';
import { ownerOf } from '../../db/sql/payment/read-owner.ts';
import type { Tx } from '../../db/transaction.ts';
import { applyToBatch } from '../contract/batch.ts';
import { noteHistory } from '../contract/park.ts';
import { freezeLocked } from '../customer/freeze.ts';
import { isChargeDue, planPayments } from './plan.ts';

/**
 * Ends the dunning of an invoice that is still unpaid: its contract is canceled, or its customer frozen, as the
 * contract says. The customer is locked as for a freeze, so that no payment comes in between. While an attempt is open
 * nothing happens: a failure of it puts the row on the agenda again; so does the last step of credits and wallet where
 * these have yet to pay. Nor does anything end before a charge that another method still has to try; it is tried now.
 *
 * @returns null: there is no attempt to wait for
 */
export async function endDunning(tx: Tx, { subject: invoiceId }: DuePayment, now: Instant): Promise<null> {
  const owner = await ownerOf(tx, invoiceId);
  if (owner === null) return null;
  const { vendorId, customerId } = owner;
  const customer = await lockCustomerRow(tx, vendorId, customerId, 'update');
  await tx.em.nativeDelete(Agenda, { kind: 'dunning_end', subject: invoiceId });
  const [candidate] = await candidates(tx, [invoiceId]);
  if (customer === null || candidate === undefined || !isOver(candidate)) return null;
  if (isChargeDue(candidate)) {
    await planPayments(tx, [invoiceId]);
    return null;
  }
  await tx.em.nativeUpdate(Dunning, { invoiceId }, { ended: now });
  if (candidate.onDunningEnd === 'cancel') await cancelUnpaid(tx, candidate, now);
  else
    await freezeLocked(
      tx,
      { ...customer, pauses: await readPauses(tx, customerId), now },
      { notes: null, unpaidInvoiceId: invoiceId, ends: null },
    );
  return null;
}

const isOver = ({ isUnpaid, isOffered, isUnderWay, dunning, onDunningEnd }: Candidate): boolean =>
  isUnpaid && isOffered && !isUnderWay && dunning !== null && dunning.ended === null && onDunningEnd !== 'continue';

/** Cancels the contract that the invoice's chain goes on as; one that has ended meanwhile stays as it is. */
async function cancelUnpaid(tx: Tx, { id: invoiceId, workflowId: rootId }: Candidate, now: Instant): Promise<void> {
  const status = { $in: ['pending', 'scheduled', 'active'] as const };
  const live = await tx.em.findOne(ContractRecord, { rootId, ended: null, isSuccessor: false, status }, { fields: ['id'] });
  if (live === null) return;
  await noteHistory(tx, live.id, now, 'dunning_ended', { action: 'cancel', invoice_id: invoiceId });
  await applyToBatch(tx, [live.id], now, (snapshot) => planUnpaidEnd(snapshot, now, newId));
}
