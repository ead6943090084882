import type { Instant } from '../../billing/calendar/instant.ts';
import { customerMachine } from '../../billing/lifecycle/customer.ts';
import { next, takes } from '../../billing/lifecycle/machine.ts';
import type { Tx } from '../../db/connect.ts';
import { Agenda } from '../../db/entities/agenda.ts';
import { CreditTopUp } from '../../db/entities/credit-top-up.ts';
import { Customer, type CustomerEntity } from '../../db/entities/customer.ts';
import { upsertAgenda } from '../../db/sql/agenda/upsert.ts';
import { nowOf } from '../../db/sql/clock/now-of.ts';
import { publish } from '../../db/sql/event/publish.ts';
import { enqueue, workflowIdOf } from '../../temporal/message-kinds.ts';
import { CREDIT_EXPIRY } from '../credit/agenda.ts';
import { CREDIT_TOP_UP } from '../credit/ask-top-up.ts';
import { FREEZE_END } from '../customer/freeze-end.ts';
import { recordHistory } from '../customer/history.ts';
import { lockCustomer } from '../customer/lock.ts';
import { detachSome } from '../payment/method.ts';
import { failSessions } from '../payment/session.ts';
import { requireNothingOpen } from './open-money.ts';

/** The row of the agenda for what is still to be erased of a customer. */
export const ERASURE = 'erasure';

/** Since when a customer is erased, and when the last of its personal data was; null: some are still to be. */
export interface Erasure {
  customerId: string;
  began: Instant;
  ended: Instant | null;
}

/**
 * Erases what is personal of a customer: its own row at once, which also ends all writes about it, and everything else
 * by its workflow, in bounded steps. A second call only says how far it is.
 *
 * @throws Refusal `customer_not_found`, `clock_advancing`, `money_open`
 */
export async function beginErasure(tx: Tx, vendorId: string, customerId: string): Promise<Erasure> {
  const { erasedAt, now } = await lockCustomer(tx, vendorId, customerId, { lock: 'update', frozen: 'allow' });
  const customer = await tx.em.findOneOrFail(Customer, { id: customerId });
  if (erasedAt !== null) return { customerId, began: erasedAt, ended: customer.erasureEnded };
  await requireNothingOpen(tx, customerId);
  // what providers know of the customer is deleted there, too, and a form that is open leads nowhere; where there are
  // very many, the steps of the erasure see to the rest
  await detachSome(tx, vendorId, customerId);
  await failSessions(tx, customerId, now);
  await tx.em.nativeDelete(CreditTopUp, { customerId });
  // nothing activates the customer any more, and no row about something that is gone holds the erasure up
  await tx.em.nativeDelete(Agenda, { customerId, kind: { $in: [CREDIT_TOP_UP, CREDIT_EXPIRY, FREEZE_END] } });
  const began = await nowOf(tx, null);
  blank(customer, began);
  await recordHistory(tx, { customerId, kind: 'erased', at: now });
  await publish(tx, [{ vendorId, type: 'v1.customer.updated', objectId: customerId, at: now, data: {} }]);
  const workflowId = workflowIdOf('customer', customerId);
  const row = { vendorId, customerId, contractId: null, clockId: null, workflowId, held: false, kind: ERASURE, subject: customerId };
  await upsertAgenda(tx, [{ ...row, dueAt: began, detail: {} }]);
  enqueue(tx, 'customer', customerId);
  return { customerId, began, ended: null };
}

/** The country of each address stays: its taxes were computed by it. */
function blank(customer: CustomerEntity, at: Instant): void {
  const nothing = { line_1: '', line_2: null, city: '', state: null, zip: '' };
  const [main] = [customer.addresses.main, ...Object.values(customer.addresses)].filter((address) => address !== undefined);
  Object.assign(customer, { name: '', emails: {}, metadata: {}, customerReference: null, notes: null, vatId: null });
  customer.addresses = main === undefined ? {} : { main: { ...nothing, country: main.country } };
  customer.erasedAt = at;
  customer.resumeAt = null;
  if (!takes(customerMachine, customer.status, 'freeze')) return;
  customer.status = next(customerMachine, customer.status, 'freeze');
  customer.frozenAt = at;
}
