import type { Instant } from '../../../billing/calendar/instant.ts';
import type { Queryable } from '../../connect.ts';
import { stamp } from '../../rows.ts';
import { movedLine, recognisedMonths } from './recognised.ts';

/** A freeze that ends. */
interface EndedFreeze {
  customerId: string;
  began: Instant;
  ended: Instant;
  /** spans that end later, as they were written, may have run at its beginning */
  since: Instant;
}

const COLUMNS = [
  'id',
  'vendor_id',
  'contract_id',
  'invoice_id',
  'currency',
  'kind',
  'total_excluding_tax',
  'span_start',
  'span_end',
  'created',
  'derivation',
];
const columnsOf = (alias: string): string => COLUMNS.map((column) => `${alias}.${column}`).join(', ');

/**
 * Nothing that is booked has given a line `l` back to its end. A credit that is booked later follows the line: both
 * are moved by what comes before.
 */
const IS_KEPT_AS_BOOKED = `(select true from invoice_item g cross join lateral (
    select from invoice i where i.id = g.invoice_id and i.validated_at is not null offset 0
  ) i where g.credit_of = l.id and not g.voided and g.derivation -> 'until' is null limit 1) is null`;

const FREEZES = `
  select began, ended from customer_pause where customer_id = $1 and ended is not null and began < $2
  union all select $2::timestamptz, $3::timestamptz where side.sign > 0`;

/** Each step is a look-up by key, whatever the planner knows of the tables. */
const SQL = `
  with kept as materialized (
    select ${columnsOf('l')} from contract c cross join lateral (
      select * from invoice_item l where l.contract_id = c.id and l.span_end > $4
        and l.kind in ('recurring', 'custom') and l.span_start is not null and not l.voided and ${IS_KEPT_AS_BOOKED} offset 0
    ) l where c.customer_id = $1
  ), lines as (
    select * from kept
    union all select ${columnsOf('g')} from kept
      cross join lateral (select * from invoice_item g where g.credit_of = kept.id and not g.voided offset 0) g
  ), sides as (
    select l.vendor_id, coalesce((select test_clock_id from customer where id = $1), '') as clock_id, l.currency, l.span_start as at,
      side.sign * (l.total_excluding_tax - coalesce(back.net, 0)) as net, moved.*
    from lines l
    cross join lateral (select from invoice i where i.id = l.invoice_id and i.validated_at is not null offset 0) i
    cross join lateral (select c.pause_rules from contract c where c.id = l.contract_id offset 0) c
    left join lateral (select sum(b.total_excluding_tax) as net from credit_note_item b where b.invoice_item_id = l.id) back on true
    cross join (values (-1), (1)) as side(sign)
    cross join lateral (${movedLine(FREEZES)}) moved
  )
  insert into figure_sum_change (vendor_id, clock_id, figure, part, currency, day, amount, n)
  select vendor_id, clock_id, 'recognised', '', currency, month, amount, 0
  from (${recognisedMonths('table sides', { isFrozen: true })}) months where amount <> 0`;

/**
 * Moves what is earned of the lines that a freeze has interrupted: nothing while it lasted, the rest behind it. SQL:
 * each line is divided by month as it was and as it is, in one statement for all lines of the customer.
 */
export async function moveRecognised(tx: Queryable, { customerId, began, ended, since }: EndedFreeze): Promise<void> {
  await tx.query(SQL, [customerId, stamp(began), stamp(ended), stamp(since)]);
}
