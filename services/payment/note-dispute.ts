import type { PlainEventType } from '../../billing/event-types.ts';
import { dec } from '../../billing/money/decimal.ts';
import type { Notice, ProviderName } from '../../billing/payment/types.ts';
import type { Tx } from '../../db/connect.ts';
import { PaymentDispute, type PaymentDisputeRecord } from '../../db/entities/payment.ts';
import { newId } from '../../db/id.ts';
import { nowOf } from '../../db/sql/clock/now-of.ts';
import { publish } from '../../db/sql/event/publish.ts';
import { type DisputeStanding, disputeEntry } from '../ledger/entries.ts';
import { post } from '../ledger/post.ts';
import { chargedAttempt, lockObject } from './noted-attempt.ts';

type DisputeNotice = Extract<Notice, { type: 'dispute' }>;

/**
 * Writes how a dispute stands as far as it is known now, and about how much. Books and events follow from what is new
 * against the row, so a later end or amount replaces an earlier one in all three.
 */
export async function noteDispute(tx: Tx, provider: ProviderName, notice: DisputeNotice): Promise<void> {
  const attempt = await chargedAttempt(tx, provider, notice);
  if (attempt === null) return;
  const { vendorId, customerId, invoiceId } = attempt;
  const { currency, amount, reference, state, reason, at: reported } = notice;
  const objectId = await lockObject(tx, attempt);
  const at = await nowOf(tx, attempt.clockId);
  const known = await tx.em.findOne(PaymentDispute, { reference });
  if (known !== null && isOutdated(notice, known)) return;
  const steps = stepsTo(known, notice);
  const closed = state === 'open' ? null : known?.state === state ? known.closed : at;
  const standing = { state, amount, reason, closed, reported };
  if (known !== null) tx.em.assign(known, standing);
  else tx.em.create(PaymentDispute, { ...standing, reference, vendorId, customerId, attempt, currency, opened: at });
  await tx.em.flush();
  const data = { reference, payment_id: attempt.id, customer_id: customerId, amount, currency, state, reason };
  await publish(
    tx,
    steps.flatMap(typesOf).map((type) => ({ vendorId, type, objectId, at, data })),
  );
  // a state may be booked more than once: each notice is an occasion of its own
  const occurrence = { vendorId, customerId, currency, occasion: `${provider}:${reference}:${notice.id}`, invoiceId, at };
  await post(
    tx,
    steps.flatMap(({ before, after }) => disputeEntry({ ...occurrence, id: newId('Txn') }, provider, before, after)),
  );
}

/**
 * An end is never opened again, and counts whenever it was made known. Otherwise the later notice counts. Providers
 * tell the time in whole seconds: of two notices of the same second, the one that came last counts.
 */
function isOutdated(notice: DisputeNotice, known: PaymentDisputeRecord): boolean {
  const [ends, hasEnded] = [notice.state !== 'open', known.state !== 'open'];
  return ends === hasEnded ? notice.at < known.reported : hasEnded;
}

interface Step {
  before: DisputeStanding | null;
  after: DisputeStanding;
}

/** What a notice adds to what is known: the opening also when the end is reported first. */
function stepsTo(known: PaymentDisputeRecord | null, { state, amount }: DisputeNotice): Step[] {
  const before: DisputeStanding = { state: known?.state ?? 'open', amount: known?.amount ?? amount };
  const opening = known === null ? [{ before: null, after: before }] : [];
  const isNew = state !== before.state || !dec(amount).eq(before.amount);
  return isNew ? [...opening, { before, after: { state, amount } }] : opening;
}

/** An open dispute whose amount changes has no event of its own: its end tells what it was about. */
function typesOf({ before, after }: Step): PlainEventType[] {
  if (after.state !== 'open') return ['v1.dispute.closed'];
  return before === null ? ['v1.dispute.opened'] : [];
}
