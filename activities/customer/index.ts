import { ApplicationFailure } from '@temporalio/common';
import { readCustomerSchedule } from '../../db/customer/schedule.ts';
import { expireDueCredits } from '../../services/credit/carry-out-expiry.ts';
import { carryOutDueTopUps } from '../../services/credit/carry-out-top-up.ts';
import { lookAtDueCredits } from '../../services/credit/look.ts';
import { endDueFreeze } from '../../services/customer/activate.ts';
import { remindCustomer } from '../../services/email/remind.ts';
import { sendNextEmail } from '../../services/email/send-next.ts';
import { eraseSome } from '../../services/erasure/erase-some.ts';
import { collectDueOfCustomer } from '../../services/payment/collect-due.ts';
import { expireSessions } from '../../services/payment/expire-sessions.ts';
import type { CustomerReadInput, CustomerRef, CustomerSchedule, Json } from '../../workflows/messages.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { withHeartbeat } from '../heartbeat.ts';

/** What a customer's workflow calls. */
export interface CustomerActivities {
  readCustomerSchedule(input: CustomerReadInput): Promise<CustomerSchedule>;
  /** Ends payment sessions whose time has passed, after it has asked their provider once more. */
  expireSessions(customer: CustomerRef): Promise<void>;
  /** Looks at the facts whose time has come, and queues the e-mails that follow. */
  remind(customer: CustomerRef): Promise<void>;
  /** Ends a freeze whose time has come. */
  endFreeze(customer: CustomerRef): Promise<void>;
  /** Lets expire what is left of prepaid credits whose life has ended. */
  expireCredits(customer: CustomerRef): Promise<void>;
  /** Buys prepaid credits where they have fallen below a level. */
  topUp(customer: CustomerRef): Promise<void>;
  /** Collects the invoices that belong to no contract and are due. */
  collectPayments(customer: CustomerRef): Promise<void>;
  /** Tells of what prepaid credits have fallen to. */
  lookAtCredits(customer: CustomerRef): Promise<void>;
  /** Erases a part of what is personal of a customer. */
  eraseSome(customer: CustomerRef): Promise<void>;
  /** Sends the one e-mail that is due first. */
  sendEmail(customer: CustomerRef): Promise<void>;
}

export function customerActivities({ db, payments, email, bundle }: ActivityDependencies): CustomerActivities {
  return {
    readCustomerSchedule: async ({ customerId, signals }) => {
      const row = await readCustomerSchedule(db.em(), customerId);
      if (row === null) throw ApplicationFailure.nonRetryable(`there is no customer ${customerId}`, 'customer_not_found');
      const due = row.due.map(({ kind, dueAt, detail, onClock }) => ({
        at: dueAt,
        kind,
        contractId: null,
        detail: detail as Record<string, Json>,
        onClock,
      }));
      return { customerId, ...row, due, bundle, signals };
    },
    expireSessions: withHeartbeat(({ customerId }: CustomerRef) => expireSessions({ db, payments }, customerId)),
    remind: ({ customerId }) => remindCustomer(db, customerId),
    endFreeze: ({ customerId }) => endDueFreeze(db, customerId),
    expireCredits: ({ customerId }) => expireDueCredits(db, customerId),
    topUp: ({ customerId }) => carryOutDueTopUps(db, customerId),
    collectPayments: ({ customerId }) => collectDueOfCustomer(db, customerId),
    lookAtCredits: ({ customerId }) => lookAtDueCredits(db, customerId),
    eraseSome: withHeartbeat(({ customerId }: CustomerRef) => eraseSome(db, customerId)),
    sendEmail: withHeartbeat(({ customerId }: CustomerRef) => sendNextEmail({ db, email }, customerId)),
  };
}
