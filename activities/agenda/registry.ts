import type { Instant } from '../../billing/calendar/instant.ts';
import type { Queryable } from '../../db/connect.ts';
import { isPaymentUnderWay } from '../../db/payment/under-way.ts';
import type { Dependencies } from '../dependencies.ts';
import { collect } from '../payment/agenda.ts';
import { endSession } from '../payment/session.ts';

/** A row of the agenda that is no contract's own: a payment to collect, a session to expire. */
export interface AgendaItem {
  id: string;
  vendorId: string;
  customerId: string;
  contractId: string | null;
  clockId: string | null;
  kind: string;
  subject: string;
  dueAt: Instant;
  detail: Record<string, unknown>;
}

/**
 * Deals with a due row: takes it off the agenda or moves it on, in the transaction of what it does. May only start what takes longer; the row
 * then stays until that is done. Called again while the row stands, so it has to be repeatable.
 *
 * @param now the time on the row's clock
 */
export type AgendaHandler = (dependencies: Dependencies, item: AgendaItem, now: Instant) => Promise<void>;

/** Whether something outside the agenda is still under way for a clock's customers: a clock waits for it before it moves on. */
type InFlight = (tx: Queryable, clockId: string) => Promise<boolean>;

/** Kinds that are not a contract's own, and who deals with them. A new kind of agenda row gets its line here. */
export const agendaHandlers: Readonly<Record<string, AgendaHandler>> = {
  payment_due: collect,
  payment_retry: collect,
  payment_answer: collect,
  session_expiry: endSession,
};

/** What a clock waits for. */
export const inFlight: readonly InFlight[] = [isPaymentUnderWay];
