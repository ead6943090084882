import type { Instant } from '../../billing/calendar/instant.ts';
import { dec } from '../../billing/money/decimal.ts';
import type { Notice } from '../port.ts';
import { detailsOf, SENT_DIGITS, statusOutcome } from './charge.ts';
import type { AuthorizeCall } from './client.ts';

type Read<N> = N extends Notice ? Omit<N, 'id'> : never;
type Details = Awaited<ReturnType<typeof detailsOf>>;

const VOIDED = 'voided';
const CHARGE = 'authCaptureTransaction';
const REFUND = 'refundTransaction';

/**
 * What a transaction is by now: a charge, one that was voided, or a refund, also where it was made in the provider's
 * own pages. Null where it gives back a charge that it doesn't name.
 */
export async function readTransaction(
  call: AuthorizeCall,
  id: string,
  key: string | null,
  { at, now }: { at: Instant; now: Instant },
): Promise<Read<Notice> | null> {
  const found = await detailsOf(call, id);
  const { transId, transactionStatus: status, transactionType: type = CHARGE } = found;
  if (type === REFUND) return refundOf(found, at);
  if (status === VOIDED) return { type: 'void', at, chargeReference: transId };
  return { type: 'charge', key, reference: transId, outcome: statusOutcome(transId, status, now) };
}

const REFUND_UNDER_WAY = new Set(['refundPendingSettlement', 'refundSettledSuccessfully']);

/** One that is on its way counts as made, until it is voided or refused. */
function refundOf(found: Details, at: Instant): Read<Notice> | null {
  const { transId: reference, refTransId: chargeReference, settleAmount, order, transactionStatus: status } = found;
  if (chargeReference === undefined || settleAmount === undefined) return null;
  const amount = dec(String(settleAmount)).toFixed(SENT_DIGITS);
  const failure = REFUND_UNDER_WAY.has(status) ? null : status;
  return { type: 'refund', at, key: order?.invoiceNumber ?? null, chargeReference, reference, amount, currency: null, failure };
}
