import { ApplicationFailure } from '@temporalio/common';
import { readCustomerSchedule } from '../../db/customer/schedule.ts';
import { expireSessions } from '../../services/payment/expire-sessions.ts';
import type { CustomerRef, CustomerSchedule, Json } from '../../workflows/messages.ts';
import { beating } from '../beating.ts';
import type { Dependencies } from '../dependencies.ts';

/** What a customer's workflow can have done. */
export interface CustomerActivities {
  readCustomerSchedule(customer: CustomerRef): Promise<CustomerSchedule>;
  /** Ends payment sessions whose time has passed, after a last question to their provider. */
  expireSessions(customer: CustomerRef): Promise<void>;
}

export function customerActivities({ db, payments, bundle }: Dependencies): CustomerActivities {
  return {
    readCustomerSchedule: async ({ customerId }) => {
      const row = await readCustomerSchedule(db, customerId);
      if (row === null) throw ApplicationFailure.nonRetryable(`there is no customer ${customerId}`, 'customer_not_found');
      const due = row.due.map(({ kind, dueAt, detail }) => ({ at: dueAt, kind, contractId: null, detail: detail as Record<string, Json> }));
      return { ...row, due, bundle };
    },
    expireSessions: beating(({ customerId }: CustomerRef) => expireSessions({ db, payments }, customerId)),
  };
}
