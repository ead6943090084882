import type { Database } from '../../db/connect.ts';
import { checkLedger } from '../../db/sql/ledger/check.ts';
import { grantChecks } from '../../db/sql/ledger/grant-checks.ts';
import { usageSums } from '../../db/sql/usage/sum.ts';
import { takesUsage } from '../../db/sql/usage/takes-usage.ts';

/**
 * What must hold of a vendor's rows between any two calls. Each selects what is wrong: subject and detail. `$1` is the
 * vendor. A contract's time is its clock's, or the wall's.
 */
const ALWAYS: Readonly<Record<string, string>> = {
  ...grantChecks((alias) => `${alias}.vendor_id = $1`),
  // a freeze makes the end unknown also where usage was reported ahead for the next period
  'usage periods of a contract follow each other without gap or overlap': `
    select contract_id as subject, 'period ' || idx || ' ends ' || coalesce(usage_until::text, 'never') || ', the next begins ' || after::text as detail
    from (select p.*, lead(usage_from) over w as after, lead(idx) over w as next_idx,
        exists (select from customer k where k.id = c.customer_id and k.status = 'inactive') as is_frozen
      from usage_period p join contract c on c.id = p.contract_id
      where c.vendor_id = $1 window w as (partition by contract_id order by idx)) p
    where after is not null and (next_idx <> idx + 1 or usage_until is distinct from after and not (is_frozen and usage_until is null))`,
  'a contract that has ended says whether usage of it is to close': `
    select c.id as subject, c.usage_to_close::text as detail from contract c
    where c.vendor_id = $1 and c.usage_to_close is distinct from (c.ended is not null
      and exists (select from usage_period p where p.contract_id = c.id and p.status <> 'closed'))`,
  'a contract has an end where its status says so': `
    select c.id as subject, c.status || ', ended ' || coalesce(c.ended::text, 'never') as detail from contract c
    where c.vendor_id = $1 and (c.ended is not null) <> (c.status in ('moved', 'canceled'))`,
  'a changed contract hands over at the instant its successor begins': `
    select old.id as subject, 'ended ' || old.ended::text || ', ' || new.id || ' began ' || coalesce(new.began::text, 'never') as detail
    from contract old join contract new on new.id = old.successor_id
    where old.vendor_id = $1 and old.status = 'moved' and old.began is not null and new.began is not null and old.ended is distinct from new.began`,
  'no two recurring lines of a chain pay for the same time, credits left out': `
    select l.contract_id as subject, l.source || ' of ' || l.charge_key || ' until ' || l.span_end::text || ', the next from ' || l.after::text as detail
    from (select i.*, lead(span_start) over (partition by contract_id, source order by span_start, span_end) as after from invoice_item i
      where i.vendor_id = $1 and i.kind = 'recurring' and i.credit_of is null) l where l.after < l.span_end`,
  // a change of units leaves the other lines of its first period with the contract they were charged on
  'every period begun has one recurring line for each price': `
    select c.id as subject, s.source || ': ' || s.lines || ' lines in ' || c.current_idx || ' periods' as detail
    from contract c join lateral (select i.source, count(*) as lines from invoice_item i
      where i.contract_id = c.id and i.kind = 'recurring' and i.credit_of is null and i.charge_key not like 'rest:%' group by i.source) s on true
    where c.vendor_id = $1 and c.current_idx is not null
      and s.lines not between c.current_idx - (c.predecessor_id is not null)::int and c.current_idx`,
  'a period begun has its plan line': `
    select c.id as subject, c.status || ' in period ' || c.current_idx || ' without a line' as detail from contract c
    where c.vendor_id = $1 and c.current_idx is not null and not exists (
      select 1 from invoice_item i where i.contract_id = c.id and i.kind = 'recurring' and i.credit_of is null)`,
  // a change charges to an end that is known; put off or taken back, the rest follows from there
  'what is charged on to a later end begins where a line of its price ends': `
    select r.contract_id as subject, r.charge_key as detail from invoice_item r join contract c on c.id = r.contract_id
    where r.vendor_id = $1 and r.charge_key like 'rest:%' and not exists (
      select from invoice_item i join contract o on o.id = i.contract_id where o.root_id = c.root_id and i.source = r.source
        and i.kind = r.kind and i.id <> r.id and i.span_end = r.span_start and i.derivation ->> 'cut' = 'true')
      and not exists (select from customer_pause s where s.customer_id = c.customer_id)`,
  'what is charged at once does not wait for an invoice': `
    select i.contract_id as subject, i.charge_key as detail from invoice_item i join contract c on c.id = i.contract_id
    where i.vendor_id = $1 and i.invoice_id is null and not i.voided and not i.elsewhere and c.configuration ->> 'invoiceTrigger' = 'immediate'`,
  'credits of a line never exceed it': `
    select l.id as subject, l.total_including_tax::text || ', credited ' || sum(k.total_including_tax)::text as detail
    from invoice_item l join invoice_item k on k.credit_of = l.id where l.vendor_id = $1
    group by l.id having -sum(k.total_including_tax) > l.total_including_tax or -sum(k.subtotal) > l.subtotal`,
  'a chain has one live contract, or ended': `
    select root_id as subject, count(*) filter (where status in ('not_ready', 'pending', 'scheduled', 'active') and not is_successor) || ' live, '
      || count(*) filter (where status = 'canceled') || ' canceled' as detail
    from contract where vendor_id = $1 group by root_id
    having count(*) filter (where status in ('not_ready', 'pending', 'scheduled', 'active') and not is_successor)
      <> case when bool_or(status = 'canceled' and not is_successor and successor_id is null and began is not null) or bool_and(status = 'canceled') then 0 else 1 end
      and not (count(*) filter (where status in ('not_ready', 'pending', 'scheduled', 'active')) = 0 and bool_or(status = 'canceled'))`,
  'a scheduled successor belongs to the pending change of its predecessor': `
    select s.id as subject, s.status || ', predecessor ' || coalesce(p.id, 'none') || ' waits for ' || coalesce(p.pending_change ->> 'successorId', 'nothing') as detail
    from contract s left join contract p on p.id = s.predecessor_id
    where s.vendor_id = $1 and s.is_successor and s.status = 'scheduled' and s.gate is null and p.pending_change ->> 'successorId' is distinct from s.id`,
  'a gate that ended without its payment has made nothing': `
    select g.contract_id as subject, g.status || ', but there is ' || coalesce('the contract ' || c.id, 'the invoice ' || i.id, 'a row on the agenda') as detail
    from payment_gate g left join contract c on c.id = g.contract_id left join invoice i on i.id = g.invoice_id or i.contract_id = g.contract_id
    left join agenda a on a.kind = 'payment_gate' and a.subject = g.contract_id
    where g.vendor_id = $1 and g.status not in ('waiting', 'succeeded') and coalesce(c.id, i.id, a.subject) is not null`,
  'an open gate has a contract that waits, its end on the agenda, and one attempt at most': `
    select g.contract_id as subject, coalesce(c.status, 'no contract') || ', ' || coalesce(a.due_at::text, 'no end') as detail
    from payment_gate g left join contract c on c.id = g.contract_id
    left join agenda a on a.kind = 'payment_gate' and a.subject = g.contract_id and a.due_at = g.expires
    where g.vendor_id = $1 and g.status = 'waiting' and (a.subject is null or c.status is distinct from
      case when g.from_contract_id is null then 'pending' else 'scheduled' end)`,
  'held money is that of open gates': `
    select w.id as subject, w.held::text || ' is held, open gates count on ' || coalesce(g.held, 0)::text as detail from wallet w
    left join (select customer_id, currency, sum(from_wallet) as held from payment_gate where vendor_id = $1 and status = 'waiting' group by 1, 2) g
      on g.customer_id = w.customer_id and g.currency = w.currency
    where w.vendor_id = $1 and w.held <> coalesce(g.held, 0)`,
  'a paid gate has made its contract, and its money has paid the invoice': `
    select g.contract_id as subject, coalesce(c.status, 'no contract') || ', ' || count(a.id)::text || ' payments of its invoice' as detail
    from payment_gate g left join contract c on c.id = g.contract_id
    left join payment_attempt a on a.gate_id = g.contract_id and a.status = 'succeeded' and a.invoice_id = g.invoice_id
    where g.vendor_id = $1 and g.status = 'succeeded' group by g.contract_id, c.id, c.status having c.id is null or count(a.id) <> 1`,
  'money for a gate that had ended is in the wallet': `
    select a.id as subject, a.amount::text || ', the wallet got ' || coalesce(t.amount::text, 'nothing') as detail
    from payment_attempt a left join wallet w on w.customer_id = a.customer_id and w.currency = a.currency
    left join wallet_transaction t on t.wallet_id = w.id and t.occasion = 'late:' || a.id
    where a.vendor_id = $1 and a.gate_id is not null and a.status = 'succeeded' and a.invoice_id is null and t.amount is distinct from a.amount`,
  'each whole cycle of a plan with credits has given them once': `
    select c.id as subject, c.current_idx || ' periods, ' || count(g.id) || ' grants' as detail
    from contract c left join credit_grant g on g.contract_id = c.id and g.rolled_from is null
    where c.vendor_id = $1 and c.current_idx is not null and c.terms ->> 'credits' is not null
    group by c.id having count(g.id) not between c.current_idx - (c.predecessor_id is not null or c.cycle_offset is not null)::int and c.current_idx`,
  'what lasts on of credits is no more than was left of them, and lasts on once': `
    select r.id as subject, r.amount::text || ' of ' || f.amount::text as detail
    from credit_grant r join credit_grant f on f.id = r.rolled_from
    where r.vendor_id = $1 and (r.rollover_maximum is not null or r.effective_at <> f.expires_at or r.amount > f.rollover_maximum
      or r.amount > (select -m.amount from credit_movement m where m.grant_id = f.id and m.kind = 'expired' order by m.seq limit 1))`,
  'nothing is parked': `select id as subject, parked_reason as detail from contract where vendor_id = $1 and parked_reason is not null`,
  // what was reported ahead of time stays where it was taken when its contract ends, or a freeze moves its period,
  // before its instant; so does what came while a change waited for its payment, if the new contract has no price for
  // it
  'events lie in the period they are counted in': `
    select e.id as subject, e.timestamp::text || ' in period ' || e.period_idx || ' of ' || e.contract_id || coalesce(' ' || p.usage_from::text || ' to ' || p.usage_until::text, '') as detail
    from usage_event e join contract c on c.id = e.contract_id left join usage_period p on p.contract_id = e.contract_id and p.idx = e.period_idx
    where e.vendor_id = $1 and (p.idx is null or e.timestamp < p.usage_from or e.timestamp > p.usage_until) and (p.idx is null or not (
      (c.ended between e.arrived_at and e.timestamp and p.usage_until = c.ended)
      or (p.usage_until = c.ended and exists (select from payment_gate g join contract n on n.id = g.contract_id
        where n.id = c.successor_id and g.status = 'succeeded' and e.arrived_at between g.created and g.ended and not ${takesUsage('n', 'e.feature_slug')}))
      or exists (select from customer_pause s where s.customer_id = e.customer_id and s.began between e.arrived_at and e.timestamp)))`,
  // what nobody used makes no line where it would stand alone
  'a closed period has one usage line for its metered feature': `
    select p.contract_id as subject, 'period ' || p.idx || ': ' || count(i.id) || ' lines' as detail
    from usage_period p join contract c on c.id = p.contract_id
    left join invoice_item i on i.contract_id = p.contract_id and i.period_idx = p.idx and i.kind = 'usage' and i.derivation ->> 'soFar' is null
    where c.vendor_id = $1 and p.status = 'closed' and p.idx > 0 and c.terms ->> 'slug' in ('basic', 'pro', 'daily', 'hourly')
      and not p.goes_on ?| array['feature:calls', 'feature:data']
    group by p.contract_id, p.idx, p.follows_contract_id having count(i.id) > 1 or (count(i.id) = 0 and p.follows_contract_id is null and exists (
       select from usage_counter u where u.contract_id = p.contract_id and u.period_idx = p.idx and u.units <> 0
         and not exists (select from usage_correction k where k.contract_id = u.contract_id and k.period_idx = u.period_idx)))`,
  'what goes on goes on in one open or closed period of the successor': `
    select p.contract_id as subject, 'period ' || p.idx || ': ' || count(n.idx) || ' follow' as detail
    from usage_period p join contract c on c.id = p.contract_id
    left join usage_period n on n.follows_contract_id = p.contract_id and n.follows_idx = p.idx and n.contract_id = c.successor_id
    where c.vendor_id = $1 and p.goes_on <> '[]' group by p.contract_id, p.idx having count(n.idx) <> 1`,
  'the totals of a period are the sums of its events': `
    with kept as (select u.* from usage_counter u join contract c on c.id = u.contract_id where c.vendor_id = $1 and (u.own_events <> 0 or u.own_units <> 0))
    select contract_id as subject, 'period ' || period_idx || ' keeps ' || coalesce(kept.own_units, 0) || ' ' || feature_slug || ', its events come to ' || coalesce(counted.units, 0) as detail
    from kept full join (${usageSums('select p.contract_id, p.idx, null::timestamptz as cut_at from usage_period p join contract c on c.id = p.contract_id where c.vendor_id = $1')}) counted
      using (contract_id, period_idx, feature_slug)
    where (coalesce(kept.own_units, 0), coalesce(kept.own_events, 0), kept.marker)
      is distinct from (coalesce(counted.units, 0), coalesce(counted.events, 0), counted.marker)`,
  'counters tell how many events lists have': `
    with kept as (select u.* from usage_counter u join contract c on c.id = u.contract_id where c.vendor_id = $1 and u.listed <> 0)
    select contract_id as subject, 'period ' || period_idx || ' lists ' || coalesce(kept.listed, 0) || ' of ' || feature_slug || ', has ' || coalesce(told.n, 0) as detail
    from kept full join (select contract_id, period_idx, feature_slug, count(*) as n from usage_event where vendor_id = $1 group by 1, 2, 3) told
      using (contract_id, period_idx, feature_slug)
    where kept.listed is distinct from told.n`,
  'lists are counted as they are, by status, type, feature and plan': `
    with kept as (
      select list, part, sum(n) as n from (
        select list, part, n from list_count where vendor_id = $1 union all select list, part, n from list_count_change where vendor_id = $1
        union all select list, part, (case when total > 0 then 1 else 0 end) - (case when kept > 0 then 1 else 0 end) from (
          select list, part, sum(kept) as kept, sum(n) as total from (
            select list, part, customer_id, n, n as kept from customer_by_plan where vendor_id = $1
            union all select list, part, customer_id, n, 0 from customer_by_plan_change where vendor_id = $1
          ) contracts group by list, part, customer_id
        ) customers
      ) counts group by 1, 2 having sum(n) <> 0
    ), rows as (
      select 'customer' as list, status as part from customer where vendor_id = $1
      union all select 'contract', status from contract where vendor_id = $1
      union all select 'invoice', status from invoice where vendor_id = $1
      union all select 'event', type from event where vendor_id = $1
      union all select 'usage_event', feature_slug from usage_event where vendor_id = $1
      union all select 'contract_of_plan', plan_id || ' ' || status from contract where vendor_id = $1
      union all select 'customer_of_plan', plan_id from (select distinct plan_id, customer_id from contract where vendor_id = $1 and status in ('active', 'scheduled', 'pending', 'not_ready')) by_plan
      union all select 'customer_of_plan_name', plan_name from (select distinct plan_name, customer_id from contract where vendor_id = $1 and status in ('active', 'scheduled', 'pending', 'not_ready')) by_name
    )
    select list as subject, part || ': kept ' || coalesce(kept.n, 0) || ', there are ' || coalesce(there.n, 0) as detail
    from kept full join (select list, part, count(*) as n from rows group by 1, 2) there using (list, part) where kept.n is distinct from there.n`,
  'counters tell the units of the billing period': `
    with recursive own as (${usageSums('select p.contract_id, p.idx, null::timestamptz as cut_at from usage_period p join contract c on c.id = p.contract_id where c.vendor_id = $1')}),
    part as (
      select p.contract_id, p.idx, p.goes_on, u.feature_slug, 0::numeric as base, coalesce(own.units, 0) as count
      from usage_period p join contract c on c.id = p.contract_id and c.vendor_id = $1
      join usage_counter u on u.contract_id = p.contract_id and u.period_idx = p.idx
      left join own on own.contract_id = p.contract_id and own.period_idx = p.idx and own.feature_slug = u.feature_slug
      where p.follows_contract_id is null
      union all
      select p.contract_id, p.idx, p.goes_on, part.feature_slug, b.base,
        case when own.marker is null then part.count + coalesce(own.units, 0) else greatest(b.base, own.marker) + own.units - own.marker end
      from part join usage_period p on p.follows_contract_id = part.contract_id and p.follows_idx = part.idx
      cross join lateral (select case when part.goes_on @> to_jsonb('feature:' || part.feature_slug) then part.base else part.count end as base) b
      left join own on own.contract_id = p.contract_id and own.period_idx = p.idx and own.feature_slug = part.feature_slug
    )
    select part.contract_id as subject, 'period ' || part.idx || ' counts ' || coalesce(u.units, 0) || ' ' || part.feature_slug || ', its events come to ' || part.count as detail
    from part left join usage_counter u on u.contract_id = part.contract_id and u.period_idx = part.idx and u.feature_slug = part.feature_slug
    where coalesce(u.units, 0) <> part.count`,
};

/** What holds once everything asked for has been carried out, the payments of the moment included. */
const SETTLED: Readonly<Record<string, string>> = {
  // on a test clock a look at an invoice threshold comes with the next advance
  'nothing due is left undone': `
    select coalesce(a.contract_id, a.subject) as subject, a.kind || ' due ' || a.due_at::text as detail from agenda a left join test_clock t on t.id = a.test_clock_id
    where a.vendor_id = $1 and a.due_at <= coalesce(t.now, now() - interval '2 seconds') and not (a.kind = 'usage_threshold' and a.due_at = t.now)`,
  'every contract in a cycle knows its next boundary': `
    select c.id as subject, 'active, nothing on the agenda' as detail from contract c join customer u on u.id = c.customer_id
    where c.vendor_id = $1 and c.status = 'active' and u.status <> 'inactive' and c.cycle not in ('once', 'constant')
      and not exists (select 1 from agenda a where a.contract_id = c.id)`,
  'the current period holds the present': `
    select c.id as subject, 'period ' || p.idx || ' ' || p.usage_from::text || ' to ' || p.usage_until::text as detail
    from contract c join customer u on u.id = c.customer_id left join test_clock t on t.id = c.test_clock_id
    join usage_period p on p.contract_id = c.id and p.idx = coalesce(c.current_idx, 0)
    where c.vendor_id = $1 and c.status = 'active' and u.status <> 'inactive' and c.cycle not in ('once', 'constant')
      and (p.usage_from > coalesce(t.now, now()) or p.usage_until <= coalesce(t.now, now() - interval '2 seconds'))`,
  'every contract signed is ready': `select id as subject, status as detail from contract where vendor_id = $1 and status = 'not_ready'`,
  'every message was sent': `
    select o.workflow_id as subject, o.kind as detail from outbox o where o.sent < o.wanted
      and o.workflow_id in (select id from contract where vendor_id = $1 union select id from test_clock where vendor_id = $1)`,
  'no payment is under way but those of a slow bank': `
    select i.id as subject, i.deposit_transaction_status as detail from invoice i
    where i.vendor_id = $1 and i.deposit_transaction_status = 'processing' and i.status = 'paid'`,
};

export async function alwaysWrong(db: Database, vendorId: string): Promise<string[]> {
  return found(db, ALWAYS, vendorId);
}

export async function unsettled(db: Database, vendorId: string): Promise<string[]> {
  return found(db, SETTLED, vendorId);
}

/** Balances, postings, invoice totals and numbers. */
export async function ledgerWrong(db: Database, vendorId: string): Promise<string[]> {
  return (await checkLedger(db, vendorId)).map(({ check, subject, detail }) => `${check}: ${subject} ${detail}`);
}

/** All checks in one round trip. */
async function found(db: Database, checks: Readonly<Record<string, string>>, vendorId: string): Promise<string[]> {
  const parts = Object.entries(checks).map(([name, sql]) => `select '${name}' as name, subject, detail from (${sql}) found`);
  const rows = await db.query<{ name: string; subject: string; detail: string }>(parts.join(' union all '), [vendorId]);
  return rows.map(({ name, subject, detail }) => `${name}: ${subject} ${detail}`);
}
