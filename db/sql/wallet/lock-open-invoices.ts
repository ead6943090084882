import type { Instant } from '../../../billing/calendar/instant.ts';
import type { InvoiceTurn } from '../../../billing/invoice/settlement.ts';
import type { Currency } from '../../../billing/money/currency.ts';
import type { Queryable } from '../../connect.ts';
import { stampOrNull } from '../../rows.ts';

interface OpenInvoice {
  id: string;
  customerId: string;
  currency: Currency;
  date: Instant;
  dueDate: Instant;
  remaining: string;
}

/** SQL: an invoice that a wallet may pay. */
export const IS_OPEN = `status = 'ready_for_payment' and amount_due > 0 and deposit_transaction_status <> 'processing'`;

/** A customer who pays open invoices of a currency. */
export interface PayingOwner {
  customerId: string;
  currency: Currency;
  /** what it has to pay with; null: prepaid credits, which may pay any of them, or a part */
  money: string | null;
  /** the one behind which they begin; null or absent: they are all meant */
  after?: InvoiceTurn | null;
}

/**
 * Goes from invoice to invoice by due date, as far as the money lasts; takes all that are due together with the last
 * one, since the index doesn't say which of these comes first.
 */
const SQL = `select i.id, i.customer_id as "customerId", i.currency, i.date, i.due_date as "dueDate", i.amount_due as remaining, ${IS_OPEN} as "isOpen"
  from (
    select open.id
    from unnest($1::text[], $2::text[], $3::numeric[], $4::timestamptz[], $5::timestamptz[], $6::text[])
      as x(customer_id, currency, money, due_date, date, id)
    cross join lateral (
      with recursive due as (
        select coalesce(x.due_date, '-infinity') as due_date, '-infinity'::timestamptz as date, '' as id,
          coalesce(x.money, 'Infinity') as left_over, 1 as place
        union all
        select next.due_date, next.date, next.id, due.left_over - next.amount_due, due.place + 1
        from due cross join lateral (
          select o.due_date, o.date, o.id, o.amount_due from invoice o
          where o.customer_id = x.customer_id and o.currency = x.currency and ${IS_OPEN} and (o.due_date, o.id) > (due.due_date, due.id)
            and (x.id is null or (o.due_date, o.date, o.id) > (x.due_date, x.date, x.id))
          order by o.due_date, o.id limit 1
        ) next
        where (due.left_over > 0 and due.place <= $7::int) or next.due_date = due.due_date
      ) select id from due where id <> '' order by due_date, date, id limit $7::int
    ) open order by open.id
  ) found cross join lateral (select * from invoice where id = found.id offset 0 for update) i`;

/**
 * Locks the invoices that wallets and grants may pay, by their id: the oldest due that the money pays, and of each
 * owner no more than asked for. One with a payment under way is left to that payment. SQL, because a batch asks it once
 * for all who have money or credits. They are found customer by customer and locked one by one, each by its id: a join
 * reads the open invoices of all vendors where Postgres believes that they are few. If one is no longer open once its
 * lock is granted, the money pays others.
 *
 * @param payers each once
 * @param most of each payer
 */
export async function lockOpenInvoices(tx: Queryable, payers: readonly PayingOwner[], most: number): Promise<OpenInvoice[]> {
  if (payers.length === 0) return [];
  const rows = await tx.query<OpenInvoice & { isOpen: boolean }>(SQL, [
    payers.map(({ customerId }) => customerId),
    payers.map(({ currency }) => currency),
    payers.map(({ money }) => money),
    payers.map(({ after }) => stampOrNull(after?.dueDate ?? null)),
    payers.map(({ after }) => stampOrNull(after?.date ?? null)),
    payers.map(({ after }) => after?.id ?? null),
    most,
  ]);
  if (rows.some(({ isOpen }) => !isOpen)) return lockOpenInvoices(tx, payers, most);
  return rows.map(({ isOpen: _, ...invoice }) => invoice);
}

const NAMED = `select i.id, i.customer_id as "customerId", i.currency, i.date, i.due_date as "dueDate", i.amount_due as remaining, ${IS_OPEN} as "isOpen"
  from (select id from unnest($1::text[]) as id order by id) named
  cross join lateral (select * from invoice where id = named.id offset 0 for update) i`;

/** Locks those of some invoices that wallets and grants may pay, by their id. SQL, because it is the same condition. */
export async function lockNamedInvoices(tx: Queryable, ids: readonly string[]): Promise<OpenInvoice[]> {
  const rows = await tx.query<OpenInvoice & { isOpen: boolean }>(NAMED, [ids]);
  return rows.flatMap(({ isOpen, ...invoice }) => (isOpen ? [invoice] : []));
}

/** Whether a customer has more open invoices than so many. SQL, because it counts none beyond that. */
export async function hasMoreOpen(tx: Queryable, { customerId, currency }: PayingOwner, than: number): Promise<boolean> {
  const one = `select from invoice where customer_id = $1 and currency = $2 and ${IS_OPEN} offset $3 limit 1`;
  return (await tx.query(one, [customerId, currency, than])).length > 0;
}
