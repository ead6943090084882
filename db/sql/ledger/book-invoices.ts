import type { Instant } from '../../../billing/calendar/instant.ts';
import type { Currency } from '../../../billing/money/currency.ts';
import type { Queryable } from '../../connect.ts';
import { stamp } from '../../rows.ts';
import { movedLine, recognisedMonths } from '../figure/recognised.ts';
import { CLOCK_OF_CUSTOMER, KEEP_SUMS } from './parts.ts';

/** An invoice to book, with the id of its transaction. */
export interface StoredBooking {
  invoiceId: string;
  transactionId: string;
}

/** What the books need of an invoice that isn't written yet. */
export interface NewBooking {
  id: string;
  vendorId: string;
  customerId: string;
  currency: Currency;
  at: Instant;
  transactionId: string;
}

const STORED = `
  select i.id, i.vendor_id, i.customer_id, i.currency, coalesce(i.validated_at, i.date) as at, given.transaction_id
  from unnest($1::text[], $2::text[]) as given(invoice_id, transaction_id)
  join invoice i on i.id = given.invoice_id and i.validated_at is not null`;
/** Their lines are written already. */
const NEW = `
  select * from json_to_recordset($1::json)
    as x(id text, vendor_id text, customer_id text, currency text, at timestamptz(3), transaction_id text)`;

const FREEZES = `select p.began, p.ended from customer_pause p where p.customer_id = l.customer_id and p.ended is not null`;

/**
 * The closing wallet line is left out: that money is posted by the wallet's own movement. Bought credits are owed to
 * the customer; what they pay later is earned. Where the customer has been frozen, lines are earned as freezes have
 * moved them: an invoice may be booked long after its time. Lines are read once, by `offset 0` always through the index
 * of each invoice: a plan for a join reads the whole table where the statistics are missing or old.
 */
const write = (invoices: string): string => `
  with lines as materialized (
    select i.*, l.*, (select true from customer_pause p where p.customer_id = i.customer_id and p.ended is not null limit 1) as paused
    from (${invoices}) i left join lateral (
      select id as line_id, kind, total_including_tax, tax_amount, total_excluding_tax as net, span_start, span_end
      from invoice_item where invoice_id = i.id offset 0
    ) l on true
  ), sums as (
    select id, vendor_id, customer_id, currency, at, transaction_id,
      coalesce(sum(total_including_tax) filter (where kind <> 'wallet'), 0) as gross,
      coalesce(sum(tax_amount) filter (where kind <> 'wallet'), 0) as tax,
      coalesce(sum(total_including_tax) filter (where kind = 'credits'), 0) as bought
    from lines group by id, vendor_id, customer_id, currency, at, transaction_id
  ), made as (
    insert into ledger_transaction (id, vendor_id, clock_id, customer_id, kind, occasion, invoice_id, at)
    select transaction_id, vendor_id, ${CLOCK_OF_CUSTOMER}, customer_id, 'invoice', id, id, at from sums as entry
    on conflict (kind, occasion) do nothing returning id, clock_id
  ), parts as (
    select s.transaction_id, s.vendor_id, m.clock_id, s.at, s.currency, p.kind, p.owner, p.amount,
      s.vendor_id || '/' || p.kind || '/' || p.owner || '/' || s.currency as account_id
    from sums s join made m on m.id = s.transaction_id,
      lateral (values ('receivable', s.customer_id, s.gross), ('revenue', '', s.tax + s.bought - s.gross), ('tax', '', -s.tax),
        ('credits', s.customer_id, -s.bought)) as p(kind, owner, amount)
    where p.amount <> 0
  ), accounts as (
    insert into ledger_account (id, vendor_id, kind, owner, currency)
    select distinct account_id, vendor_id, kind, owner, currency from parts order by account_id
    on conflict do nothing
  ), kept as (${KEEP_SUMS}), recognised as (
    insert into figure_sum_change (vendor_id, clock_id, figure, part, currency, day, amount, n)
    select vendor_id, clock_id, 'recognised', '', currency, month, amount, n from (${recognisedMonths(`
      select l.vendor_id, m.clock_id, l.currency, l.at, l.net, l.span_start, l.span_end
      from lines l join made m on m.id = l.transaction_id
      where l.kind not in ('wallet', 'credits') and l.net <> 0 and l.paused is null`)}
      union all ${recognisedMonths(
        `
      select b.vendor_id, m.clock_id, b.currency, b.at, b.net, moved.*
      from lines b join made m on m.id = b.transaction_id
      cross join lateral (select * from invoice_item where id = b.line_id offset 0) l
      left join lateral (select pause_rules from contract where id = l.contract_id offset 0) c on true
      cross join lateral (${movedLine(FREEZES)}) moved
      where b.kind not in ('wallet', 'credits') and b.net <> 0 and b.paused`,
        { isFrozen: true },
      )}) months
  ), used as (
    insert into figure_sum_change (vendor_id, clock_id, figure, part, currency, day, amount, n)
    select l.vendor_id, m.clock_id, 'usage', '', l.currency, date_trunc('day', l.at), sum(l.net), count(*)
    from lines l join made m on m.id = l.transaction_id
    where l.kind in ('usage', 'correction') group by l.vendor_id, m.clock_id, l.currency, date_trunc('day', l.at)
  )
  insert into ledger_posting (transaction_id, account_id, amount)
  select transaction_id, account_id, amount from parts`;

const BOOK_STORED = write(STORED);
const BOOK_NEW = write(NEW);

/**
 * Books what the customer owes and what was earned of invoices in the database; those that await their validation
 * aren't booked. A second run writes nothing. SQL: sums over the lines, three tables and what figures keep of
 * them, for many invoices in one statement.
 */
export async function bookStoredInvoices(tx: Queryable, bookings: readonly StoredBooking[]): Promise<void> {
  await tx.query(BOOK_STORED, [bookings.map(({ invoiceId }) => invoiceId), bookings.map(({ transactionId }) => transactionId)]);
}

/** The same for invoices that the transaction is about to write. */
export async function bookNewInvoices(tx: Queryable, bookings: readonly NewBooking[]): Promise<void> {
  const rows = bookings.map(({ id, vendorId, customerId, currency, at, transactionId }) => ({
    id,
    vendor_id: vendorId,
    customer_id: customerId,
    currency,
    at: stamp(at),
    transaction_id: transactionId,
  }));
  await tx.query(BOOK_NEW, [JSON.stringify(rows)]);
}
