import type { Queryable } from '../../connect.ts';
import { MOST_FINDINGS } from '../../health/most-findings.ts';
import { CHARGES_SINCE } from '../credit/usage-times.ts';
import { failuresOf } from '../figure/failures.ts';
import { grantChecks } from './grant-checks.ts';

export interface LedgerProblem {
  check: string;
  subject: string;
  detail: string;
}

/** The rows of the vendor `$1`, or of all where it is null. */
const of = (alias: string): string => `($1::text is null or ${alias}.vendor_id = $1)`;

/** What a grant `g` may still pay: usage that isn't closed, lines and invoices that wait or aren't offered yet. */
const AWAITED = `(
        exists (select from usage_period p join contract c on c.id = p.contract_id
          where c.customer_id = g.customer_id and c.currency = g.currency and p.idx > 0 and p.status <> 'closed'
            and ${CHARGES_SINCE} < g.expires_at
            and exists (select from jsonb_array_elements(c.terms -> 'features') f where f #>> '{price,strategy,kind}' in ('usage', 'usage_tiered')))
        or exists (select from invoice v where v.customer_id = g.customer_id and v.status = 'pending_validation')
        or exists (select from invoice_item i join contract c on c.id = i.contract_id
          where c.customer_id = g.customer_id and i.invoice_id is null and not i.voided and not i.elsewhere)
        or exists (select from wallet w where w.customer_id = g.customer_id and w.currency = g.currency and w.pays_after is not null))`;

/** Each check selects what is wrong: subject and detail. All are empty on a sound ledger. */
const CHECKS: Readonly<Record<string, string>> = {
  'a transaction balances': `
    select p.transaction_id as subject, 'off by ' || sum(p.amount)::text as detail
    from ledger_posting p left join ledger_transaction t on t.id = p.transaction_id
    where ${of('t')} group by p.transaction_id having sum(p.amount) <> 0`,
  'a wallet is the sum of its movements': `
    select w.id as subject, w.balance::text || ' but movements make ' || coalesce(sum(t.amount), 0)::text as detail
    from wallet w left join wallet_transaction t on t.wallet_id = w.id
    where ${of('w')} group by w.id having w.balance <> coalesce(sum(t.amount), 0)`,
  'a wallet holds what open payment gates take of it': `
    select w.id as subject, w.held::text || ' held but open gates take ' || coalesce(sum(g.from_wallet), 0)::text as detail
    from wallet w left join payment_gate g on g.customer_id = w.customer_id and g.currency = w.currency and g.status = 'waiting'
    where ${of('w')} group by w.id having w.held <> coalesce(sum(g.from_wallet), 0)`,
  'a wallet that has yet to pay open invoices has its row on the agenda': `
    select w.id as subject, case when w.pays_after is null then 'nothing is to be paid' else 'nobody goes on' end as detail
    from wallet w left join agenda a on a.kind = 'wallet_rest' and a.subject = w.id
    where ${of('w')} and (w.pays_after is null) <> (a.id is null)`,
  ...grantChecks(of),
  'a grant holds what open payment gates take of it': `
    select g.id as subject, g.held::text || ' held but open gates take ' || coalesce(sum(h.amount), 0)::text as detail
    from credit_grant g left join (
      select x.grant as id, x.amount from payment_gate p, jsonb_to_recordset(p.holds) as x("grant" text, amount numeric) where p.status = 'waiting'
    ) h on h.id = g.id
    where ${of('g')} group by g.id having g.held <> coalesce(sum(h.amount), 0)`,
  'the grants of a customer are its account in the ledger': `
    select c.customer_id || ' ' || c.currency as subject, c.balance::text || ' but the ledger has ' || coalesce(-sum(p.amount), 0)::text as detail
    from (
      select g.vendor_id, g.customer_id, g.currency, sum(g.balance + coalesce(ahead.amount, 0)) as balance
      from credit_grant g left join lateral (
        select i.total - coalesce((select sum(n.total) from credit_note n where n.invoice_id = i.id), 0) as amount
        from invoice i where i.id = g.invoice_id and i.validated_at is not null and g.paid_at is null
      ) ahead on true
      group by 1, 2, 3
    ) c
    left join ledger_posting p on p.account_id = c.vendor_id || '/credits/' || c.customer_id || '/' || c.currency
    where ${of('c')} group by c.vendor_id, c.customer_id, c.currency, c.balance having c.balance <> coalesce(-sum(p.amount), 0)`,
  'bought credits are granted exactly when their invoice is paid': `
    select g.id as subject, i.status || ' with ' || g.amount::text || ' of credits' as detail
    from credit_grant g join invoice i on i.id = g.invoice_id
    where ${of('g')} and g.voided_at is null and (i.status = 'paid') <> (g.paid_at is not null)`,
  'what is left of a grant has an expiry ahead, or usage or an invoice to wait for': `
    select g.id as subject, 'nobody waits for its end' as detail
    from credit_grant g join customer u on u.id = g.customer_id left join test_clock k on k.id = u.test_clock_id
    where ${of('g')} and g.balance > 0 and g.expires_at is not null and u.status <> 'inactive' and u.erased_at is null and g.held = 0
      and not exists (select from agenda a where a.kind = 'credit_expiry' and a.subject = g.id)
      and not exists (select from contract c join agenda a on a.contract_id = c.id
        where c.id = g.contract_id and c.status not in ('moved', 'canceled') and a.due_at <= g.expires_at)
      and not (g.expires_at <= coalesce(k.now, now()) and ${AWAITED})`,
  'no use of a grant pays more of a line than it charges': `
    select i.id as subject, i.total_including_tax::text || ' but grants paid ' || sum((l ->> 'amount')::numeric)::text as detail
    from credit_movement m cross join jsonb_array_elements(m.lines) l join invoice_item i on i.id = l ->> 'line'
    where ${of('i')} group by i.id having sum((l ->> 'amount')::numeric) > i.total_including_tax`,
  'a payment gate is open exactly while its contract waits': `
    select g.contract_id as subject, g.status || ', and the contract is ' || coalesce(c.status, 'gone') as detail
    from payment_gate g left join contract c on c.id = g.contract_id
    where ${of('g')} and case g.status when 'waiting' then c.id is null or c.gate is null or c.status not in ('scheduled', 'pending')
      when 'succeeded' then c.id is null or c.began is null else c.id is not null end`,
  'what a payment gate was paid with is what it made': `
    select g.contract_id as subject, g.status || ' with ' || paid.n::text || ' payments of invoices, ' || paid.late::text || ' late' as detail
    from payment_gate g cross join lateral (
      select count(a.invoice_id) as n, count(*) - count(a.invoice_id) as late from payment_attempt a where a.gate_id = g.contract_id and a.status = 'succeeded'
    ) paid
    where ${of('g')} and paid.n <> case when g.status = 'succeeded' then 1 else 0 end`,
  'a wallet is its account in the ledger': `
    select w.id as subject, w.balance::text || ' but the ledger has ' || coalesce(-sum(p.amount), 0)::text as detail
    from wallet w left join ledger_posting p on p.account_id = w.vendor_id || '/wallet/' || w.customer_id || '/' || w.currency
    where ${of('w')} group by w.id having w.balance <> coalesce(-sum(p.amount), 0)`,
  'what an invoice leaves to pay is what the ledger has open for it': `
    select i.id as subject, i.amount_due::text || ' but the ledger has ' || coalesce(sum(p.amount), 0)::text as detail
    from invoice i left join ledger_transaction t on t.invoice_id = i.id
    left join ledger_posting p on p.transaction_id = t.id and p.account_id = i.vendor_id || '/receivable/' || i.customer_id || '/' || i.currency
    where ${of('i')} and i.validated_at is not null group by i.id having i.amount_due <> coalesce(sum(p.amount), 0)`,
  'what providers hold back is what open disputes are about': `
    select k.id as subject, sum(k.booked)::text || ' held back but open disputes make ' || sum(k.disputed)::text as detail
    from (
      select a.id, a.vendor_id, p.amount as booked, 0 as disputed
      from ledger_account a join ledger_posting p on p.account_id = a.id where a.kind = 'disputed'
      union all
      select d.vendor_id || '/disputed/' || t.provider || '/' || d.currency, d.vendor_id, 0, d.amount
      from payment_dispute d join payment_attempt t on t.id = d.attempt_id where d.state = 'open'
    ) k
    where ${of('k')} group by k.id having sum(k.booked) <> sum(k.disputed)`,
  'a validated invoice is booked': `
    select i.id as subject, 'no transaction' as detail from invoice i
    where ${of('i')} and i.validated_at is not null and not exists (select 1 from ledger_transaction t where t.kind = 'invoice' and t.occasion = i.id)`,
  'an invoice is the sum of its lines': `
    select i.id as subject, i.total::text || ' but lines make ' || coalesce(sum(l.total_including_tax), 0)::text as detail
    from invoice i left join invoice_item l on l.invoice_id = i.id
    where ${of('i')} group by i.id having i.total <> coalesce(sum(l.total_including_tax), 0)`,
  'an invoice is paid exactly when nothing is left': `
    select i.id as subject, i.status || ' with ' || i.amount_due::text || ' left' as detail from invoice i
    where ${of('i')} and i.validated_at is not null and (i.status = 'paid') <> (i.amount_due = 0)`,
  'credit notes stay within their invoice': `
    select i.id as subject, i.total::text || ' but notes of ' || sum(n.total)::text as detail
    from invoice i join credit_note n on n.invoice_id = i.id
    where ${of('i')} group by i.id having sum(n.total) > i.total`,
  'a line is given back at most once': `
    select i.id as subject, i.total_including_tax::text || ' but ' || given.amount::text || ' given back' as detail
    from invoice_item i cross join lateral (
      select sum(g.amount) as amount, sum(g.tax) as tax from (
        select -c.total_including_tax as amount, -c.tax_amount as tax from invoice_item c where c.credit_of = i.id and not c.voided
        union all select n.amount, n.tax_amount from credit_note_item n where n.invoice_item_id = i.id
      ) g
    ) given
    where ${of('i')} and (given.amount > i.total_including_tax or given.tax > i.tax_amount or given.amount - given.tax > i.total_excluding_tax)`,
  'closed usage is given back at most once': `
    select i.contract_id || ' ' || i.period_idx || ' ' || i.source as subject,
      sum(i.total_including_tax)::text || ' but notes of ' || sum(n.amount)::text as detail
    from invoice_item i left join (select invoice_item_id, sum(amount) as amount from credit_note_item group by 1) n on n.invoice_item_id = i.id
    where ${of('i')} and i.kind in ('usage', 'correction') and not i.voided
    group by i.contract_id, i.period_idx, i.source having sum(n.amount) > sum(i.total_including_tax)`,
  'a payment that succeeded is booked once': `
    select a.id as subject, count(t.id)::text || ' transactions' as detail
    from payment_attempt a left join ledger_transaction t on t.kind = 'payment' and t.occasion = a.id
    where ${of('a')} group by a.id having count(t.id) <> case when a.status = 'succeeded' then 1 else 0 end`,
  'the sandbox took exactly what succeeded': `
    select coalesce(a.id, s.key) as subject, coalesce(a.status, 'unknown') || ' here, ' || coalesce(s.status, 'unknown') || ' there' as detail
    from (select * from payment_attempt where provider = 'sandbox') a full join sandbox_charge s on s.key = a.provider_key
    where ${of('a')} and ((coalesce(a.status, '') = 'succeeded' and coalesce(s.status, 'refused') in ('refused', 'waiting'))
      or (coalesce(s.status, '') = 'taken' and coalesce(a.status, 'failed') = 'failed') or (a.amount <> s.amount))`,
  'the kept sums of the ledger are its postings': `
    select concat_ws(' ', k.part, k.currency, k.clock_id) as subject, k.amount::text || ' kept' as detail
    from (
      select vendor_id, clock_id, part, currency, day, sum(amount) as amount, sum(n) as n from (
        select vendor_id, clock_id, part, currency, day, amount, n from figure_sum where figure = 'ledger'
        union all select vendor_id, clock_id, part, currency, day, amount, n from figure_sum_change where figure = 'ledger'
        union all
        select t.vendor_id, t.clock_id, a.kind, a.currency, date_trunc('day', t.at), -p.amount, -1
        from ledger_posting p join ledger_transaction t on t.id = p.transaction_id join ledger_account a on a.id = p.account_id
      ) s group by 1, 2, 3, 4, 5
    ) k where ${of('k')} and (k.amount <> 0 or k.n <> 0)`,
  'the kept sums of the MRR are its moves': `
    select concat_ws(' ', k.part, k.currency, k.clock_id) as subject, k.amount::text || ' kept' as detail
    from (
      select vendor_id, clock_id, part, currency, day, sum(amount) as amount, sum(n) as n from (
        select vendor_id, clock_id, part, currency, day, amount, n from figure_sum where figure = 'mrr'
        union all select vendor_id, clock_id, part, currency, day, amount, n from figure_sum_change where figure = 'mrr'
        union all select vendor_id, clock_id, kind, currency, date_trunc('day', at), -amount, -1 from mrr_move
      ) s group by 1, 2, 3, 4, 5
    ) k where ${of('k')} and (k.amount <> 0 or k.n <> 0)`,
  'the kept sums of usage are the lines of booked invoices': `
    select concat_ws(' ', k.currency, k.clock_id) as subject, k.amount::text || ' kept' as detail
    from (
      select vendor_id, clock_id, currency, day, sum(amount) as amount, sum(n) as n from (
        select vendor_id, clock_id, currency, day, amount, n from figure_sum where figure = 'usage'
        union all select vendor_id, clock_id, currency, day, amount, n from figure_sum_change where figure = 'usage'
        union all
        select t.vendor_id, t.clock_id, l.currency, date_trunc('day', t.at), -l.total_excluding_tax, -1
        from ledger_transaction t join invoice_item l on l.invoice_id = t.occasion
        where t.kind = 'invoice' and l.kind in ('usage', 'correction')
      ) s group by 1, 2, 3, 4
    ) k where ${of('k')} and (k.amount <> 0 or k.n <> 0)`,
  'the kept sums of failed payments are their attempts': `
    with rows as (
      select invoice_id, id, vendor_id, coalesce(test_clock_id, '') as clock_id, currency, amount, status, reason, ended
      from payment_attempt a where ${of('a')} and invoice_id is not null
    ), ${failuresOf('invoice_id')}
    select concat_ws(' ', k.part, k.currency, k.clock_id) as subject, k.amount::text || ' kept' as detail
    from (
      select vendor_id, clock_id, part, currency, day, sum(amount) as amount, sum(n) as n from (
        select vendor_id, clock_id, part, currency, day, amount, n from figure_sum where figure = 'payments'
        union all select vendor_id, clock_id, part, currency, day, amount, n from figure_sum_change where figure = 'payments'
        union all select vendor_id, clock_id, part, currency, date_trunc('day', ended), -amount, -1 from counted
      ) s group by 1, 2, 3, 4, 5
    ) k where ${of('k')} and (k.amount <> 0 or k.n <> 0)`,
  'each move of a chain begins where the last one ended': `
    select m.root_id as subject, m.before::text || ' after ' || m.previous::text as detail from (
      select vendor_id, root_id, currency, number, before, after, amount,
        coalesce(lag(after) over chain, 0) as previous, row_number() over chain as place
      from mrr_move window chain as (partition by root_id, currency order by number)
    ) m where ${of('m')} and (m.before <> m.previous or m.number <> m.place or m.amount <> m.after - m.before)`,
  'what is recognised of all lines in all months is what was invoiced': `
    select concat_ws(' ', k.currency, k.clock_id) as subject, k.amount::text || ' more recognised than invoiced' as detail
    from (
      select vendor_id, clock_id, currency, sum(amount) as amount from (
        select vendor_id, clock_id, currency, figure, part, amount from figure_sum
        union all select vendor_id, clock_id, currency, figure, part, amount from figure_sum_change
      ) s where figure = 'recognised' or (figure = 'ledger' and part = 'revenue') group by 1, 2, 3
    ) k where ${of('k')} and k.amount <> 0`,
  'invoice numbers have no gaps': `
    select i.vendor_id || ' ' || i.series as subject, 'last ' || c.last::text || ', ' || count(*)::text || ' invoices, highest ' || max(i.number)::text as detail
    from invoice i left join invoice_counter c on c.vendor_id = i.vendor_id and c.series = i.series
    where ${of('i')} group by i.vendor_id, i.series, c.last having count(*) <> max(i.number) or max(i.number) is distinct from c.last`,
};

/**
 * Checks that the ledger agrees with the rows it explains, for one vendor or for all; empty when all is well. SQL: sums
 * over all rows of a vendor.
 *
 * @param most problems of each check
 */
export async function checkLedger(db: Queryable, vendorId: string | null = null, most = MOST_FINDINGS): Promise<LedgerProblem[]> {
  const problems: LedgerProblem[] = [];
  for (const [check, sql] of Object.entries(CHECKS)) {
    const found = await db.query<{ subject: string; detail: string }>(`select * from (${sql}) found order by subject limit $2`, [
      vendorId,
      most,
    ]);
    problems.push(...found.map(({ subject, detail }) => ({ check, subject, detail })));
  }
  return problems;
}
