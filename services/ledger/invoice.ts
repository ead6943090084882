import type { Instant } from '../../billing/calendar/instant.ts';
import type { Currency } from '../../billing/money/currency.ts';
import type { Queryable } from '../../db/connect.ts';
import { newId } from '../../db/id.ts';
import { stamp } from '../../db/rows.ts';

/** Invoices that stand in the database. */
const STORED = `
  select i.id, i.vendor_id, i.customer_id, i.currency, coalesce(i.validated_at, i.date) as at, given.transaction_id
  from unnest($1::text[], $2::text[]) as given(invoice_id, transaction_id)
  join invoice i on i.id = given.invoice_id and i.validated_at is not null`;
/** Invoices about to be written; their lines stand already. */
const NEW = `
  select * from json_to_recordset($1::json)
    as x(id text, vendor_id text, customer_id text, currency text, at timestamptz(3), transaction_id text)`;

/**
 * What the customer owes and what was earned, for many invoices in one statement. The closing wallet line is left out:
 * that money is posted by the wallet's own movement.
 */
const write = (invoices: string): string => `
  with sums as (
    select i.id, i.vendor_id, i.customer_id, i.currency, i.at, i.transaction_id,
      coalesce(sum(l.total_including_tax) filter (where l.kind <> 'wallet'), 0) as gross,
      coalesce(sum(l.tax_amount) filter (where l.kind <> 'wallet'), 0) as tax
    from (${invoices}) i left join invoice_item l on l.invoice_id = i.id
    group by i.id, i.vendor_id, i.customer_id, i.currency, i.at, i.transaction_id
  ), made as (
    insert into ledger_transaction (id, vendor_id, customer_id, kind, occasion, invoice_id, at)
    select transaction_id, vendor_id, customer_id, 'invoice', id, id, at from sums
    on conflict (kind, occasion) do nothing returning id
  ), parts as (
    select s.transaction_id, s.vendor_id, s.currency, p.kind, p.owner, p.amount,
      s.vendor_id || '/' || p.kind || '/' || p.owner || '/' || s.currency as account_id
    from sums s join made m on m.id = s.transaction_id,
      lateral (values ('receivable', s.customer_id, s.gross), ('revenue', '', s.tax - s.gross), ('tax', '', -s.tax)) as p(kind, owner, amount)
    where p.amount <> 0
  ), accounts as (
    insert into ledger_account (id, vendor_id, kind, owner, currency)
    select distinct account_id, vendor_id, kind, owner, currency from parts order by account_id
    on conflict do nothing
  )
  insert into ledger_posting (transaction_id, account_id, amount)
  select transaction_id, account_id, amount from parts`;

const WRITE_STORED = write(STORED);
const WRITE_NEW = write(NEW);

/** Books validated invoices; drafts that still await their validation aren't booked. A second run writes nothing. */
export async function bookInvoices(tx: Queryable, invoiceIds: readonly string[]): Promise<void> {
  if (invoiceIds.length === 0) return;
  await tx.query(WRITE_STORED, [invoiceIds, invoiceIds.map(() => newId('Txn'))]);
}

/** What the books need of an invoice that is valid from its beginning. */
export interface NewBooking {
  id: string;
  vendorId: string;
  customerId: string;
  currency: Currency;
  at: Instant;
}

/** Books invoices that the same transaction is about to write. */
export async function bookNew(tx: Queryable, invoices: readonly NewBooking[]): Promise<void> {
  if (invoices.length === 0) return;
  const rows = invoices.map(({ id, vendorId, customerId, currency, at }) => ({
    id,
    vendor_id: vendorId,
    customer_id: customerId,
    currency,
    at: stamp(at),
    transaction_id: newId('Txn'),
  }));
  await tx.query(WRITE_NEW, [JSON.stringify(rows)]);
}

/** What seller and buyer are at this moment, for the printed invoice or credit note. */
export async function keepParties(tx: Queryable, documents: readonly { id: string; customerId: string }[]): Promise<void> {
  if (documents.length === 0) return;
  await tx.query(
    `insert into document (id, vendor_id, seller, buyer)
     select given.id, c.vendor_id, coalesce(v.seller, jsonb_build_object('name', v.name, 'address', null, 'vat_id', null)),
       jsonb_build_object('name', c.name, 'vat_id', c.vat_id,
         'address', coalesce(c.addresses -> 'main', (select value from json_each(c.addresses) limit 1)))
     from unnest($1::text[], $2::text[]) as given(id, customer_id)
     join customer c on c.id = given.customer_id join vendor v on v.id = c.vendor_id
     on conflict (id) do nothing`,
    [documents.map(({ id }) => id), documents.map(({ customerId }) => customerId)],
  );
}
