import type { ProviderName } from '../billing/payment/types.ts';
import type { Actor, Tx } from './transaction.ts';

/** What operators count, each with the few words that tell its kinds apart: no ids, so that the series stay few. */
export interface Countable {
  /** invoices that are final, with the actor that caused them; a draft counts once it is validated */
  invoices: { by: Actor };
  /** ended attempts to pay, and those whose provider needs time */
  payments: { provider: ProviderName; outcome: 'succeeded' | 'failed' | 'waiting' | 'dropped' };
  /** tries to deliver an event to an endpoint, and events that were skipped */
  deliveries: { outcome: 'delivered' | 'failed' | 'skipped' };
  /** tries to send an e-mail: one that failed is tried again, one that was given up isn't */
  emails: { outcome: 'sent' | 'failed' | 'given_up' };
}

/** Some of what operators count. */
export type CountedWork = { [What in keyof Countable]: { what: What; kind: Countable[What]; number: number } }[keyof Countable];

/** Counts something once the transaction is committed. One that is rolled back or run again counts nothing. */
export function count<What extends keyof Countable>(tx: Pick<Tx, 'counted'>, what: What, kind: Countable[What], number = 1): void {
  if (number > 0) tx.counted.push({ what, kind, number } as CountedWork);
}
