import type { Instant } from '../../billing/calendar/instant.ts';
import type { Caller, Tx } from '../../db/connect.ts';
import { CustomerHistory } from '../../db/entities/customer.ts';

/** What a customer's history tells. */
export const CUSTOMER_HISTORY_KINDS = [
  'frozen',
  'activated',
  'freeze_end_set',
  'updated',
  'address_set',
  'erased',
  'contract_changed',
  'contract_canceled',
  'cancellation_undone',
  'change_undone',
  'payment_method_added',
  'payment_method_selected',
  'payment_method_removed',
  'payment_requested',
  'email_sent',
  'email_failed',
] as const;
export type CustomerHistoryKind = (typeof CUSTOMER_HISTORY_KINDS)[number];

interface HistoryEntry {
  customerId: string;
  kind: CustomerHistoryKind;
  notes?: string | null;
  /** id of what it was done with: a contract, an invoice, a payment method; null: the customer itself */
  object?: string | null;
  at: Instant;
}

/** Stores what was done to a customer, by whom (the transaction's caller unless another is named), with its notes. */
export async function recordHistory({ em, caller }: Tx, entry: HistoryEntry, who: Caller = caller): Promise<void> {
  const { customerId, kind, notes = null, object = null, at } = entry;
  em.create(CustomerHistory, {
    customer: customerId,
    kind,
    notes,
    object,
    callerType: who.type,
    key: who.type === 'key' || who.type === 'console' ? who.id : null,
    person: who.type === 'person' ? who.id : null,
    at,
  });
  await em.flush();
}

/**
 * Stores what a customer did in the portal. What a key does with contracts, invoices and payment methods stands in the
 * histories of those.
 */
export async function recordPortalAct(tx: Tx, entry: HistoryEntry): Promise<void> {
  if (tx.caller.type === 'portal') await recordHistory(tx, entry);
}
