import type { KeptNotice, Notice, ProviderName } from '../../billing/payment/types.ts';
import type { Tx } from '../../db/connect.ts';
import { Customer } from '../../db/entities/customer.ts';
import { PaymentNotice } from '../../db/entities/payment.ts';
import { PaymentMethod } from '../../db/entities/payment-method.ts';
import { nowOf } from '../../db/sql/clock/now-of.ts';
import { publish } from '../../db/sql/event/publish.ts';
import { FOR_UPDATE } from '../../db/sql/lock.ts';
import { methodEvent, selectDefault } from './method.ts';
import { noteDispute } from './note-dispute.ts';
import { noteRefund, noteVoid } from './note-refund.ts';
import { attemptMeant } from './noted-attempt.ts';
import { recordAttempt } from './record-attempt.ts';
import { concludeSession, sessionByReference } from './session.ts';

/**
 * Takes in what a provider reports of its own accord: in any order, any number of times. Each notice is stored once;
 * its effect depends only on the state of the rows it is about, so that notices in another order, or repeated, have the
 * same result.
 *
 * @throws Refusal `payment_in_progress` where it may be about a charge whose outcome isn't known yet: it isn't stored
 */
export async function takeNotice(tx: Tx, provider: ProviderName, notice: Notice, retryDays: readonly number[]): Promise<void> {
  if (!(await storeNotice(tx, provider, notice))) return;
  switch (notice.type) {
    case 'charge': {
      const attempt = await attemptMeant(tx, provider, notice.reference, notice.key);
      if (attempt !== null) await recordAttempt(tx, attempt.id, notice.outcome, retryDays);
      return;
    }
    case 'setup': {
      const session = await sessionByReference(tx.em, provider, notice.reference);
      if (session !== null) await concludeSession(tx, session.token, notice.outcome);
      return;
    }
    case 'refund':
      return noteRefund(tx, provider, notice);
    case 'void':
      return noteVoid(tx, provider, notice, retryDays);
    case 'dispute':
      return noteDispute(tx, provider, notice);
    case 'method_detached':
      return noteDetached(tx, provider, notice.methodReference);
  }
}

/**
 * False when it was stored before. What a method is called is left out: it is personal, and no customer is named here.
 */
async function storeNotice({ em }: Tx, provider: ProviderName, notice: Notice): Promise<boolean> {
  const row = { provider, id: notice.id, received: Date.now(), notice: withoutMethod(notice) };
  const { affectedRows } = await em.createQueryBuilder(PaymentNotice).insert(row).onConflict(['provider', 'id']).ignore().execute();
  return affectedRows > 0;
}

const withoutMethod = (notice: Notice): KeptNotice =>
  notice.type === 'setup' ? { ...notice, outcome: { status: notice.outcome.status } } : notice;

async function noteDetached(tx: Tx, provider: ProviderName, reference: string): Promise<void> {
  const { em } = tx;
  const attached = { provider, reference, status: { $ne: 'detached' as const } };
  const seen = await em.findOne(PaymentMethod, attached);
  if (seen === null) return;
  const customer = await em.findOneOrFail(Customer, { id: seen.customer.id }, FOR_UPDATE);
  // another transaction may have detached it while this one waited for the customer
  const method = await em.findOne(PaymentMethod, attached, { refresh: true });
  if (method === null) return;
  method.status = 'detached';
  await em.flush();
  const owner = { vendorId: method.vendorId, customerId: customer.id };
  await publish(tx, [methodEvent('v1.payment_method.detached', owner, method.id, await nowOf(tx, customer.clockId))]);
  if (customer.defaultPayment === method.id) await selectDefault(tx, method.vendorId, customer.id, 'none');
}
