import { ApplicationFailure } from '@temporalio/common';
import { readCustomerSchedule } from '../../db/customer/schedule.ts';
import { waitForDue } from '../../db/wait-for-due.ts';
import { expireDueCredits } from '../../services/credit/carry-out-expiry.ts';
import { carryOutDueTopUps } from '../../services/credit/carry-out-top-up.ts';
import { lookAtDueCredits } from '../../services/credit/look.ts';
import { endDueFreeze } from '../../services/customer/activate.ts';
import { remindCustomer } from '../../services/email/remind.ts';
import { sendNextEmail } from '../../services/email/send-next.ts';
import { eraseSome } from '../../services/erasure/erase-some.ts';
import { collectDueOfCustomer } from '../../services/payment/collect-due.ts';
import { expireSessions } from '../../services/payment/expire-sessions.ts';
import type { CustomerReadInput, CustomerSchedule, CustomerStepInput, Json } from '../../workflows/messages.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { withHeartbeat } from '../heartbeat.ts';

/** What a customer's workflow calls. */
export interface CustomerActivities {
  readCustomerSchedule(input: CustomerReadInput): Promise<CustomerSchedule>;
  /** Ends payment sessions whose time has passed, after it has asked their provider once more. */
  expireSessions(input: CustomerStepInput): Promise<void>;
  /** Looks at the facts whose time has come, and queues the e-mails that follow. */
  remind(input: CustomerStepInput): Promise<void>;
  /** Ends a freeze whose time has come. */
  endFreeze(input: CustomerStepInput): Promise<void>;
  /** Lets expire what is left of prepaid credits whose life has ended. */
  expireCredits(input: CustomerStepInput): Promise<void>;
  /** Buys prepaid credits where they have fallen below a level. */
  topUp(input: CustomerStepInput): Promise<void>;
  /** Collects the invoices that belong to no contract and are due; of many open ones pays and plans those left over. */
  collectPayments(input: CustomerStepInput): Promise<void>;
  /** Tells of what prepaid credits have fallen to. */
  lookAtCredits(input: CustomerStepInput): Promise<void>;
  /** Erases a part of what is personal of a customer. */
  eraseSome(input: CustomerStepInput): Promise<void>;
  /** Sends the one e-mail that is due first. */
  sendEmail(input: CustomerStepInput): Promise<void>;
}

export function customerActivities({ db, payments, email, bundle }: ActivityDependencies): CustomerActivities {
  const carryOut =
    (work: (customerId: string) => Promise<void>) =>
    async ({ customerId, dueAt }: CustomerStepInput): Promise<void> => {
      await waitForDue(db, dueAt);
      await work(customerId);
    };
  return {
    readCustomerSchedule: async ({ customerId, signals, stuck }) => {
      const row = await readCustomerSchedule(db.em(), customerId, stuck);
      if (row === null) throw ApplicationFailure.nonRetryable(`there is no customer ${customerId}`, 'customer_not_found');
      const due = row.due.map(({ id, kind, dueAt, detail, onClock }) => ({
        id,
        at: dueAt,
        kind,
        contractId: null,
        detail: detail as Record<string, Json>,
        onClock,
      }));
      return { customerId, ...row, due, bundle, signals };
    },
    expireSessions: withHeartbeat(carryOut((customerId) => expireSessions({ db, payments }, customerId))),
    remind: carryOut((customerId) => remindCustomer(db, customerId)),
    endFreeze: carryOut((customerId) => endDueFreeze(db, customerId)),
    expireCredits: carryOut((customerId) => expireDueCredits(db, customerId)),
    topUp: carryOut((customerId) => carryOutDueTopUps(db, customerId)),
    collectPayments: carryOut((customerId) => collectDueOfCustomer(db, customerId)),
    lookAtCredits: carryOut((customerId) => lookAtDueCredits(db, customerId)),
    eraseSome: withHeartbeat(carryOut((customerId) => eraseSome(db, customerId))),
    sendEmail: withHeartbeat(carryOut((customerId) => sendNextEmail({ db, email }, customerId))),
  };
}
