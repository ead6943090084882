/**
 * What must be so of each grant and its movements at any moment, also in the middle of a story. Each check selects what
 * is wrong: subject and detail. SQL: sums over all movements of a vendor.
 *
 * @param of the condition on the vendor of a table
 */
export const grantChecks = (of: (alias: string) => string): Readonly<Record<string, string>> => ({
  'a grant is what it was used for, what ended of it and what is left': `
    select g.id as subject, concat_ws(', ', 'granted ' || m.granted::text, 'used ' || m.used::text, 'expired ' || m.expired::text,
      'voided ' || m.voided::text, 'given back ' || m.refunded::text, 'taken back ' || m.taken_back::text, 'left ' || g.balance::text) as detail
    from credit_grant g cross join lateral (
      select coalesce(sum(amount) filter (where kind = 'granted'), 0) as granted, coalesce(-sum(amount) filter (where kind in ('used', 'returned')), 0) as used,
        coalesce(-sum(amount) filter (where kind = 'expired'), 0) as expired, coalesce(-sum(amount) filter (where kind = 'voided'), 0) as voided,
        coalesce(-sum(amount) filter (where kind = 'refunded'), 0) as refunded, coalesce(-sum(amount) filter (where kind = 'taken_back'), 0) as taken_back
      from credit_movement where grant_id = g.id
    ) m
    where ${of('g')} and (m.granted <> case when g.invoice_id is null or g.paid_at is not null then g.amount else 0 end
      or m.granted <> m.used + m.expired + m.voided + m.refunded + m.taken_back + g.balance
      or least(m.used, m.expired, m.voided, m.refunded, m.taken_back, g.balance) < 0)`,
  'each movement of a grant leaves what it says': `
    select m.grant_id as subject, m.id || ' leaves ' || m.balance_after::text || ', not ' || m.comes_to::text as detail
    from (select m.*, sum(m.amount) over (partition by m.grant_id order by m.seq) as comes_to
      from credit_movement m join credit_grant g on g.id = m.grant_id where ${of('g')}) m
    where m.balance_after <> m.comes_to or m.balance_after < 0`,
  'a grant gets back of an invoice no more than it has paid': `
    select m.grant_id as subject, sum(m.amount)::text || ' more than it paid of ' || m.invoice_id as detail
    from credit_movement m join credit_grant g on g.id = m.grant_id
    where ${of('g')} and m.kind in ('used', 'returned') group by m.grant_id, m.invoice_id having sum(m.amount) > 0`,
  'a use is what it paid of lines': `
    select m.grant_id as subject, m.id || ' of ' || (-m.amount)::text || ' paid ' || l.amount::text as detail
    from credit_movement m join credit_grant g on g.id = m.grant_id
    cross join lateral (select coalesce(sum((one ->> 'amount')::numeric), 0) as amount from jsonb_array_elements(m.lines) one) l
    where ${of('g')} and m.kind = 'used' and -m.amount <> l.amount`,
  'nothing is left of a grant that has expired or was voided': `
    select g.id as subject, g.balance::text || ' left' as detail from credit_grant g
    where ${of('g')} and (g.expired_at is not null or g.voided_at is not null) and g.balance <> 0`,
});
