import type { Notice, ProviderName } from '../../billing/payment/types.ts';
import { nowOf } from '../../db/clock/now.ts';
import type { Tx } from '../../db/connect.ts';
import { newId } from '../../db/id.ts';
import { ATTEMPT_COLUMNS, type Attempt } from '../../db/payment/attempt.ts';
import { insertRows, stamp } from '../../db/rows.ts';
import { disputeEntry, outsideRefundEntry } from '../ledger/entries.ts';
import { post } from '../ledger/post.ts';
import { selectDefault } from './method.ts';
import { recordOutcome } from './record.ts';
import { concludeSession, sessionByReference } from './session.ts';

/**
 * Takes in what a provider tells on its own accord: in any order, any number of times. Each notice is kept once; its effect rests on the
 * rows it is about, so that swapped and repeated ones end the same.
 */
export async function takeNotice(tx: Tx, provider: ProviderName, notice: Notice, retryDays: readonly number[]): Promise<void> {
  const row = { provider, id: notice.id, received: stamp(Date.now()), notice };
  const kept = await insertRows(tx, 'payment_notice', [row], 'on conflict do nothing returning id');
  if (kept.length === 0) return;
  switch (notice.type) {
    case 'charge': {
      const attempt = await attemptOf(tx, provider, notice.reference, notice.key);
      if (attempt !== null) await recordOutcome(tx, attempt.id, notice.outcome, retryDays);
      return;
    }
    case 'setup': {
      const session = await sessionByReference(tx.em, provider, notice.reference);
      if (session !== null) await concludeSession(tx, session.token, notice.outcome);
      return;
    }
    case 'refund':
      return noteRefund(tx, provider, notice);
    case 'dispute':
      return noteDispute(tx, provider, notice);
    case 'method_detached':
      return noteDetached(tx, provider, notice.methodReference);
  }
}

async function attemptOf(tx: Tx, provider: ProviderName, reference: string, key: string | null): Promise<Attempt | null> {
  const [row] = await tx.query<Attempt>(
    `select ${ATTEMPT_COLUMNS} from payment_attempt where provider = $1 and (provider_key = $2 or reference = $3) order by provider_key = $2 desc limit 1`,
    [provider, key, reference],
  );
  return row ?? null;
}

/** Money given back at the provider behind our back; our own refunds are recorded where they are made. */
async function noteRefund(tx: Tx, provider: ProviderName, notice: Extract<Notice, { type: 'refund' }>): Promise<void> {
  const attempt = notice.ours ? null : await attemptOf(tx, provider, notice.chargeReference, null);
  if (attempt === null) return;
  const { vendorId, customerId, invoiceId } = attempt;
  const { currency, amount, reference } = notice;
  const at = await nowOf(tx, attempt.clockId);
  const owner = { vendor_id: vendorId, customer_id: customerId, attempt_id: attempt.id };
  const row = { id: newId('Ref'), ...owner, amount, currency, status: 'succeeded', reference, created: stamp(at), ended: stamp(at) };
  await insertRows(tx, 'payment_refund', [row]);
  const occasion = `${provider}:${reference}`;
  await post(tx, [outsideRefundEntry({ id: newId('Txn'), vendorId, customerId, currency, occasion, invoiceId, at }, provider, amount)]);
}

/** The latest state wins: a dispute that was won or lost isn't opened again by a notice that was late. */
async function noteDispute(tx: Tx, provider: ProviderName, notice: Extract<Notice, { type: 'dispute' }>): Promise<void> {
  const attempt = await attemptOf(tx, provider, notice.chargeReference, null);
  if (attempt === null) return;
  const { vendorId, customerId, invoiceId } = attempt;
  const { currency, amount, reference, state, reason } = notice;
  const at = await nowOf(tx, attempt.clockId);
  const closed = state === 'open' ? null : stamp(at);
  await tx.query(
    `insert into payment_dispute as d (reference, vendor_id, customer_id, attempt_id, amount, currency, state, reason, opened, closed)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
     on conflict (reference) do update set state = excluded.state, closed = excluded.closed where d.state = 'open'`,
    [reference, vendorId, customerId, attempt.id, amount, currency, state, reason, stamp(at), closed],
  );
  const occurrence = { vendorId, customerId, currency, occasion: `${provider}:${reference}`, invoiceId, at };
  // the opening is booked once, also when the end is told first
  const states = state === 'open' ? (['open'] as const) : (['open', state] as const);
  await post(
    tx,
    states.map((one) => disputeEntry({ ...occurrence, id: newId('Txn') }, provider, amount, one)),
  );
}

async function noteDetached(tx: Tx, provider: ProviderName, reference: string): Promise<void> {
  const [seen] = await tx.query<{ id: string; vendor_id: string; customer_id: string }>(
    `select id, vendor_id, customer_id from payment_method where provider = $1 and reference = $2 and status <> 'detached'`,
    [provider, reference],
  );
  if (seen === undefined) return;
  const [customer] = await tx.query<{ selection: string }>('select default_payment as selection from customer where id = $1 for update', [
    seen.customer_id,
  ]);
  await tx.query(`update payment_method set status = 'detached' where id = $1`, [seen.id]);
  if (customer?.selection === seen.id) await selectDefault(tx, seen.vendor_id, seen.customer_id, 'none');
}
