import type { Pause } from '../../billing/calendar/pauses.ts';
import type { Currency } from '../../billing/money/currency.ts';
import type { Database } from '../connect.ts';
import { toPauses } from '../contract/load.ts';
import { stampOrNull } from '../rows.ts';

export interface UnpaidInvoice {
  id: string;
  currency: Currency;
  amountDue: string;
  dueDate: number;
}

export interface CustomerBilling {
  provider: string | null;
  pauses: Pause[];
  thresholds: Record<string, string>;
  unpaid: UnpaidInvoice[];
  wallets: { id: string; currency: Currency; balance: string }[];
}

interface BillingRow {
  provider: string | null;
  pauses: { from: string; to: string | null }[] | null;
  thresholds: Record<string, string>;
  unpaid: { id: string; currency: Currency; amountDue: string; dueDate: string }[] | null;
  wallets: CustomerBilling['wallets'] | null;
}

const SQL = `select vendor.payment_threshold as thresholds,
    (select m.provider from payment_method m where m.id = customer.default_payment) as provider,
    (select jsonb_agg(jsonb_build_object('from', p.began, 'to', p.ended) order by p.began) from customer_pause p where p.customer_id = customer.id) as pauses,
    (select jsonb_agg(jsonb_build_object('id', i.id, 'currency', i.currency, 'amountDue', i.amount_due::text, 'dueDate', i.due_date) order by i.due_date, i.id)
       from invoice i where i.customer_id = customer.id and i.status = 'ready_for_payment' and i.amount_due > 0
         and ($3::timestamptz is null or i.due_date < $3)) as unpaid,
    (select jsonb_agg(jsonb_build_object('id', w.id, 'currency', w.currency, 'balance', w.balance::text) order by w.currency)
       from wallet w where w.customer_id = customer.id) as wallets
  from customer join vendor on vendor.id = customer.vendor_id
  where customer.vendor_id = $1 and customer.id = $2`;

/** What a customer owes and holds, in one statement. */
export async function readBilling(
  db: Database,
  vendorId: string,
  customerId: string,
  dueBefore: number | null,
): Promise<CustomerBilling | null> {
  const [row] = await db.prepared<BillingRow>('entitlement_billing', SQL, [vendorId, customerId, stampOrNull(dueBefore)]);
  if (row === undefined) return null;
  return {
    provider: row.provider,
    pauses: toPauses(row.pauses),
    thresholds: row.thresholds,
    unpaid: (row.unpaid ?? []).map((invoice) => ({ ...invoice, dueDate: Date.parse(invoice.dueDate) })),
    wallets: row.wallets ?? [],
  };
}
