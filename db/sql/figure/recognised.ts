import type { Queryable } from '../../connect.ts';

// Up to `until`, a line has earned the share of its span that has passed, rounded once, half away from zero, to the
// digits that its amount has. Whole milliseconds and `div` keep it exact.
const MS = (span: string): string => `round(extract(epoch from (${span})) * 1000)`;
const WHOLE = MS('given.span_end - given.span_start');
const UNITS = 'abs(given.net) * power(10::numeric, scale(given.net))';
const earned = (until: string): string => {
  const passed = MS(`least(${until}, given.span_end) - given.span_start`);
  return `round(sign(given.net) * div(2 * ${UNITS} * ${passed} + ${WHOLE}, 2 * ${WHOLE}) / power(10::numeric, scale(given.net)), scale(given.net))`;
};

/**
 * SQL: the months in which lines are recognised, straight along their spans, so that the months of a line add up to it;
 * a line without a span, or with an open one, in the month of `at`.
 *
 * @param lines a query of `vendor_id, clock_id, currency, at, net, span_start, span_end`
 */
export const recognisedMonths = (lines: string): string => `
  select given.vendor_id, given.clock_id, given.currency, shares.month, sum(shares.amount) as amount, count(*) as n
  from (${lines}) given cross join lateral (
    select date_trunc('month', given.at) as month, given.net as amount
      where given.span_start is null or given.span_end is null or given.span_end <= given.span_start
    union all
    select month, (${earned("month + interval '1 month'")}) - (${earned('greatest(month, given.span_start)')})
      from generate_series(date_trunc('month', given.span_start), given.span_end - interval '1 millisecond', interval '1 month') as month
      where given.span_end > given.span_start
  ) shares
  where shares.amount <> 0 group by given.vendor_id, given.clock_id, given.currency, shares.month`;

const SQL = `
  insert into figure_sum_change (vendor_id, clock_id, figure, part, currency, day, amount, n)
  select vendor_id, clock_id, 'recognised', '', currency, month, amount, n from (${recognisedMonths(`
    select n.vendor_id, n.series as clock_id, n.currency, n.created as at, -i.total_excluding_tax as net, l.span_start, l.span_end
    from credit_note n join credit_note_item i on i.credit_note_id = n.id join invoice_item l on l.id = i.invoice_item_id
    where n.id = $1 and l.kind <> 'credits'`)}) months`;

/**
 * Takes back what a credit note gives back, along the spans of the lines. SQL: it is computed where the lines are, as
 * when their invoice was booked.
 */
export async function recogniseCreditNote(tx: Queryable, creditNoteId: string): Promise<void> {
  await tx.query(SQL, [creditNoteId]);
}
