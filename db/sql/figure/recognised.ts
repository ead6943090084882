import type { Queryable } from '../../connect.ts';

const MS = (span: string): string => `round(extract(epoch from (${span})) * 1000)`;
const UNITS = 'abs(given.net) * power(10::numeric, scale(given.net))';
const PART = (until: string): string => `tstzmultirange(tstzrange(given.span_start, ${until}))`;
const FROZEN = (until: string): string =>
  `coalesce((select sum(${MS('upper(part) - lower(part)')}) from unnest(given.frozen * ${PART(until)}) as part), 0)`;

/** SQL: milliseconds of a line's span up to an instant in it; frozen time doesn’t count. */
const passed = (until: string, isFrozen: boolean): string => {
  const whole = MS(`${until} - given.span_start`);
  return isFrozen ? `(${whole} - ${FROZEN(until)})` : whole;
};

// Up to `until`, a line has earned the share of its span that has passed, rounded once, half away from zero, to the
// digits that its amount has. Whole milliseconds and `div` keep it exact.
const earned = (until: string, isFrozen: boolean): string => {
  const [part, whole] = [passed(`least(${until}, given.span_end)`, isFrozen), passed('given.span_end', isFrozen)];
  return `round(sign(given.net) * div(2 * ${UNITS} * ${part} + ${whole}, 2 * ${whole}) / power(10::numeric, scale(given.net)), scale(given.net))`;
};

/**
 * SQL: the months in which lines are recognised, straight along their spans, so that the months of a line add up to it;
 * a line without a span, or with an open one, in the month of `at`.
 *
 * @param lines a query of `vendor_id, clock_id, currency, at, net, span_start, span_end`
 * @param isFrozen it has `frozen` too: time within the spans in which nothing is earned
 */
export const recognisedMonths = (lines: string, { isFrozen = false }: { isFrozen?: boolean } = {}): string => `
  select given.vendor_id, given.clock_id, given.currency, shares.month, sum(shares.amount) as amount, count(*) as n
  from (${lines}) given cross join lateral (
    select date_trunc('month', given.at) as month, given.net as amount
      where given.span_start is null or given.span_end is null or given.span_end <= given.span_start
    union all
    select month, (${earned("month + interval '1 month'", isFrozen)}) - (${earned('greatest(month, given.span_start)', isFrozen)})
      from generate_series(date_trunc('month', given.span_start), given.span_end - interval '1 millisecond', interval '1 month') as month
      where given.span_end > given.span_start
  ) shares
  where shares.amount <> 0 group by given.vendor_id, given.clock_id, given.currency, shares.month`;

/** Freezes move the end of what is charged for time to come; where a whole span runs on, they don't. */
const IS_MOVED = `l.kind in ('recurring', 'custom', 'credit') and not coalesce(l.derivation ->> 'cycle' in ('once', 'constant')
  and coalesce(c.pause_rules #>> '{plan,expiration}', c.pause_rules #>> '{vendor,expiration}') = 'run_on', false)`;

/** Since when freezes move a line: since its time begins, and since it was made where that was before its time. */
const SINCE = `case when l.kind = 'credit' then l.created
  else coalesce(timestamptz 'epoch' + (l.derivation ->> 'setAt')::bigint * interval '1 millisecond', l.span_start) end`;

/**
 * SQL: the span of a line `l` of a contract `c`, as freezes have moved it (the rule of `movedSpan` in billing/), with
 * the frozen time. SQL: it is needed where the lines are.
 *
 * @param freezes a query of `began, ended` of its customer's freezes that have ended
 */
export const movedLine = (freezes: string): string => `
  select l.span_start + coalesce(sum(p.length) filter (where p.began - p.before < l.span_start), '0') as span_start,
    l.span_end + coalesce(sum(p.length) filter (where p.began - p.before < l.span_end), '0') as span_end,
    coalesce(range_agg(tstzrange(p.began, p.ended)), '{}') as frozen
  from (
    select f.began, f.ended, f.ended - f.began as length,
      coalesce(sum(f.ended - f.began) over (order by f.began rows between unbounded preceding and 1 preceding), '0') as before
    from (${freezes}) f where f.began >= ${SINCE} and ${IS_MOVED}
  ) p`;

const FREEZES = `
  select p.began, p.ended from credit_note n join customer_pause p on p.customer_id = n.customer_id
  where n.id = $1 and p.ended is not null`;

/** Each step is a look-up by key, whatever the planner knows of the tables. */
const SQL = `
  insert into figure_sum_change (vendor_id, clock_id, figure, part, currency, day, amount, n)
  select vendor_id, clock_id, 'recognised', '', currency, month, amount, n from (${recognisedMonths(
    `
    select n.vendor_id, n.series as clock_id, n.currency, n.created as at, -back.total_excluding_tax as net, moved.*
    from (select * from credit_note n where n.id = $1 offset 0) n
    cross join lateral (select * from credit_note_item b where b.credit_note_id = n.id offset 0) back
    cross join lateral (select * from invoice_item l where l.id = back.invoice_item_id offset 0) l
    left join lateral (select c.pause_rules from contract c where c.id = l.contract_id offset 0) c on true
    cross join lateral (${movedLine(FREEZES)}) moved
    where l.kind <> 'credits'`,
    { isFrozen: true },
  )}) months`;

/**
 * Takes back what a credit note gives back, along the spans of the lines as freezes have moved them. SQL: it is
 * computed where the lines are, as when their invoice was booked.
 */
export async function recogniseCreditNote(tx: Queryable, creditNoteId: string): Promise<void> {
  await tx.query(SQL, [creditNoteId]);
}
