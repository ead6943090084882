import type { Queryable } from '../../db/connect.ts';
import { failuresOf } from '../../db/sql/figure/failures.ts';
import { recognisedMonths } from '../../db/sql/figure/recognised.ts';

const INTO = 'insert into figure_sum_change (vendor_id, clock_id, figure, part, currency, day, amount, n)';
const STATEMENTS = [
  'delete from figure_sum_change where vendor_id = $1',
  'delete from figure_sum where vendor_id = $1',
  `${INTO} select t.vendor_id, t.clock_id, 'ledger', a.kind, a.currency, date_trunc('day', t.at), sum(p.amount), count(*)
    from ledger_transaction t join ledger_posting p on p.transaction_id = t.id join ledger_account a on a.id = p.account_id
    where t.vendor_id = $1 group by 1, 2, 4, 5, 6`,
  `${INTO} select vendor_id, clock_id, 'mrr', kind, currency, date_trunc('day', at), sum(amount), count(*)
    from mrr_move where vendor_id = $1 group by 1, 2, 4, 5, 6`,
  `${INTO} select t.vendor_id, t.clock_id, 'usage', '', l.currency, date_trunc('day', t.at), sum(l.total_excluding_tax), count(*)
    from ledger_transaction t join invoice_item l on l.invoice_id = t.occasion
    where t.vendor_id = $1 and t.kind = 'invoice' and l.kind in ('usage', 'correction') group by 1, 2, 5, 6`,
  `with rows as (
     select invoice_id, id, vendor_id, coalesce(test_clock_id, '') as clock_id, currency, amount, status, reason, ended
     from payment_attempt where vendor_id = $1 and invoice_id is not null
   ), ${failuresOf('invoice_id')}
   ${INTO} select vendor_id, clock_id, 'payments', part, currency, date_trunc('day', ended), sum(amount), count(*)
    from counted group by 1, 2, 4, 5, 6`,
  `${INTO} select vendor_id, clock_id, 'recognised', '', currency, month, amount, n from (${recognisedMonths(`
    select i.vendor_id, i.series as clock_id, i.currency, coalesce(i.validated_at, i.date) as at, l.total_excluding_tax as net, l.span_start, l.span_end
    from invoice i join invoice_item l on l.invoice_id = i.id
    where i.vendor_id = $1 and i.validated_at is not null and l.kind <> 'wallet'`)}) months`,
];

/** Keeps the sums of a vendor whose rows were copied, as if they had been written one by one. */
export async function keepFigures(db: Queryable, vendorId: string): Promise<void> {
  for (const statement of STATEMENTS) await db.query(statement, [vendorId]);
}
