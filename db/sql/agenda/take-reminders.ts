import type { Instant } from '../../../billing/calendar/instant.ts';
import type { Queryable } from '../../connect.ts';
import { stamp } from '../../rows.ts';

/** Something of which a reminder is due. */
export interface TakenReminder {
  vendorId: string;
  objectId: string;
  /** when its reminder was due */
  remindAt: Instant;
}

/** SQL behind a column; `is not distinct from` would not find its rows by an index. */
const onClock = (clockId: string | null): string => (clockId === null ? 'is null' : '= $3');
const given = (clockId: string | null): string[] => (clockId === null ? [] : [clockId]);

/** An invoice to come, of a contract. */
export interface InvoiceReminder extends TakenReminder {
  at: Instant;
}

const sqlOfInvoices = (isOnClock: string): string => `with due as (
    select a.id, a.remind_at from agenda a join contract c on c.id = a.contract_id
    where a.test_clock_id ${isOnClock} and a.remind_at <= $1 and not a.held
    order by a.test_clock_id, a.remind_at, a.contract_id limit $2 for no key update of a, c skip locked
  )
  update agenda a set remind_at = null from due where a.id = due.id
  returning a.vendor_id as "vendorId", a.contract_id as "objectId", due.remind_at as "remindAt", a.due_at as at`;

/**
 * Takes the invoices to come of which a reminder is due, and locks their contracts, since the events belong to these. A
 * contract that another transaction has locked is left to a later call. SQL, because the reminders of a herd are due at
 * one instant: one statement takes hundreds.
 *
 * @param clockId null: of the wall clock
 */
export const takeInvoiceReminders = (tx: Queryable, clockId: string | null, upTo: Instant, most: number): Promise<InvoiceReminder[]> =>
  tx.query<InvoiceReminder>(sqlOfInvoices(onClock(clockId)), [stamp(upTo), most, ...given(clockId)]);

/** A card that will expire. */
export interface MethodReminder extends TakenReminder {
  customerId: string;
  isActive: boolean;
}

const sqlOfMethods = (isOnClock: string): string => `with due as (
    select m.id, m.remind_at from payment_method m
    where m.test_clock_id ${isOnClock} and m.remind_at <= $1
    order by m.test_clock_id, m.remind_at, m.id limit $2 for no key update of m skip locked
  )
  update payment_method m set remind_at = null from due where m.id = due.id
  returning m.vendor_id as "vendorId", m.id as "objectId", due.remind_at as "remindAt", m.customer_id as "customerId",
    m.status = 'active' as "isActive"`;

/** The same for payment methods that will expire. */
export const takeMethodReminders = (tx: Queryable, clockId: string | null, upTo: Instant, most: number): Promise<MethodReminder[]> =>
  tx.query<MethodReminder>(sqlOfMethods(onClock(clockId)), [stamp(upTo), most, ...given(clockId)]);
