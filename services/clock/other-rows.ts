import type { Logger } from 'pino';
import type { Instant } from '../../billing/calendar/instant.ts';
import { CONTRACT_KINDS } from '../../db/agenda/contract-kinds.ts';
import type { Database, Queryable } from '../../db/connect.ts';
import { mayPass, reasonOf } from '../../db/fault.ts';
import { type OtherRow, otherDueRows } from '../../db/sql/clock/other-due-rows.ts';
import type { WorkflowMessage } from '../../db/transaction.ts';
import { OutcomeUnknown, ProviderUnavailable } from '../../payments/problem.ts';
import { enqueueWaiting } from '../../temporal/message-kinds.ts';
import { CREDIT_EXPIRY, CREDIT_LOOK } from '../credit/agenda.ts';
import { CREDIT_TOP_UP } from '../credit/ask-top-up.ts';
import { carryOutExpiryOf } from '../credit/carry-out-expiry.ts';
import { carryOutTopUp } from '../credit/carry-out-top-up.ts';
import { lookAtCredits } from '../credit/look.ts';
import { carryOutFreezeEnd } from '../customer/activate.ts';
import { FREEZE_END } from '../customer/freeze-end.ts';
import { carryOutReminder, REMINDER_KINDS } from '../email/remind.ts';
import { collectPayment, PAYMENT_KINDS } from '../payment/collect.ts';
import { endDueSession } from '../payment/expire-sessions.ts';
import type { Payments } from '../payment/open-payments.ts';
import { GATE_KIND } from '../payment-gate/close.ts';
import { endDueGate } from '../payment-gate/due.ts';
import { payRest } from '../wallet/pay-rest.ts';
import { WALLET_REST } from '../wallet/rest.ts';

/** What a clock's step needs from the process it runs in. */
export interface ClockParts {
  db: Database;
  log: Logger;
  payments: Payments;
}

/** Rows of a clock that are due and no contract's own: payments to collect, sessions to end. */
export const dueWithoutContract = (tx: Queryable, clockId: string, upTo: Instant): Promise<OtherRow[]> =>
  otherDueRows(tx, clockId, upTo, CONTRACT_KINDS);

/**
 * Carries out each row, one after the other; a row that fails doesn't stop the rest.
 *
 * @param messages for workflows; the caller sends them
 * @returns the first row that failed for a reason that a retry won't remove, with that reason; null when there is none
 */
export async function doOtherRows(
  parts: ClockParts,
  rows: readonly OtherRow[],
  now: Instant,
  messages: WorkflowMessage[],
): Promise<string | null> {
  let first: string | null = null;
  for (const row of rows) {
    try {
      await carryOut(parts, row, now, messages);
    } catch (error) {
      parts.log.error({ err: error, kind: row.kind, subject: row.subject }, 'a due row could not be carried out');
      if (!passes(error)) first ??= `${row.kind} of ${row.subject}: ${reasonOf(error)}`;
    }
  }
  return first;
}

async function carryOut({ db, payments }: ClockParts, row: OtherRow, now: Instant, messages: WorkflowMessage[]): Promise<void> {
  if (PAYMENT_KINDS.includes(row.kind)) messages.push(...(await collect(db, row, now)));
  else if (REMINDER_KINDS.includes(row.kind)) await db.transaction((tx) => carryOutReminder(tx, row, now), { by: 'clock' });
  else if (row.kind === GATE_KIND) await db.transaction((tx) => endDueGate(tx, row.subject, now), { by: 'clock' });
  else if (row.kind === CREDIT_EXPIRY) await db.transaction((tx) => carryOutExpiryOf(tx, row, now), { by: 'clock' });
  else if (row.kind === CREDIT_LOOK) await db.transaction((tx) => lookAtCredits(tx, row.subject, now), { by: 'clock' });
  else if (row.kind === CREDIT_TOP_UP) await db.transaction((tx) => carryOutTopUp(tx, row, now), { by: 'clock' });
  else if (row.kind === WALLET_REST) await payAllRest(db, row.subject);
  else if (row.kind === FREEZE_END) await db.transaction((tx) => carryOutFreezeEnd(tx, row, now), { by: 'clock' });
  else if (row.kind === 'session_expiry') await endDueSession({ db, payments }, row.subject, 'clock');
  else throw new Error(`nobody carries out ${row.kind}`);
}

/** Pays, step by step, the last of what a wallet has yet to pay. */
async function payAllRest(db: Database, walletId: string): Promise<void> {
  let goesOn = true;
  while (goesOn) goesOn = await db.transaction((tx) => payRest(tx, walletId), { by: 'clock' });
}

/**
 * Signals the workflow of its chain or customer that the row is gone: it may have been the last one that this waited
 * for.
 */
const collect = (db: Database, row: OtherRow, now: Instant): Promise<WorkflowMessage[]> =>
  db.transaction(
    async (tx) => {
      await collectPayment(tx, row, now);
      enqueueWaiting(tx, row.workflowId);
      return tx.outbox;
    },
    { by: 'clock', dispatch: 'later' },
  );

/** The database or a provider is away. */
const passes = (error: unknown): boolean => mayPass(error) || error instanceof ProviderUnavailable || error instanceof OutcomeUnknown;
