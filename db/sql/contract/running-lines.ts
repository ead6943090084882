import type { Instant } from '../../../billing/calendar/instant.ts';
import type { ChargedLine } from '../../../billing/invoice/types.ts';
import type { Queryable } from '../../connect.ts';
import { stamp } from '../../rows.ts';
import { lineProjection } from '../projections.ts';

/**
 * SQL: nothing has given a line `l` back to its end. Each change of units gives back what the one before it charged, so
 * thousands of such lines may run: an index says so of each, and none of their credits is read. As a scalar it is
 * looked up line by line: for an `exists` Postgres may read those of all customers.
 */
const IS_KEPT = `(select true from invoice_item g where g.credit_of = l.id and not g.voided and g.derivation -> 'until' is null limit 1) is null`;

/**
 * Each step is a look-up by key, whatever the planner knows of the tables: without that it reads every running line of
 * a database whose tables are new, once for each contract.
 */
const linesOf = (asked: string): string =>
  `select ${lineProjection.columns('i')}, asked.contract_id as "askedId", i.elsewhere, given.excluding_tax::text as "creditedExcludingTax", given.tax::text as "creditedTax",
     parts.rest, nullif(parts.credits, 0)::int as credits
   from ${asked}
   cross join lateral (
     select asked.contract_id as id
     union all
     select earlier.id from contract mine
     join contract earlier on earlier.root_id = mine.root_id and earlier.id <> mine.id and earlier.status = 'moved'
     where mine.id = asked.contract_id and mine.predecessor_id is not null
   ) chain
   cross join lateral (
     select * from invoice_item l where l.contract_id = chain.id and (l.span_end > asked.since or l.span_end is null)
       and l.kind in ('recurring', 'custom') and l.span_start is not null and not l.voided and ${IS_KEPT}
     union all
     select * from invoice_item l where l.contract_id = chain.id and l.elsewhere and l.kind = 'custom' and l.span_end <= asked.since
       and not l.voided and ${IS_KEPT}
     offset 0
   ) i
   left join lateral (
     select -sum(c.total_excluding_tax) filter (where not c.voided) as excluding_tax, -sum(c.tax_amount) filter (where not c.voided) as tax,
       (array_agg((c.derivation -> 'until')::jsonb order by (c.derivation #>> '{until,setAt}')::numeric desc, (c.derivation #>> '{until,at}')::numeric desc)
         filter (where not c.voided))[1] || jsonb_build_object('subtotal', (-sum(c.subtotal) filter (where not c.voided))::text,
           'part', sum((c.derivation #>> '{ratio,part}')::numeric) filter (where not c.voided)) as rest,
       count(*) as credits
     from invoice_item c where c.credit_of = i.id
   ) parts on true
   left join lateral (
     select coalesce(sum(n.total_excluding_tax), 0) + coalesce(parts.excluding_tax, 0) as excluding_tax,
       coalesce(sum(n.tax_amount), 0) + coalesce(parts.tax, 0) as tax
     from credit_note_item n where n.invoice_item_id = i.id having count(*) > 0 or parts.rest is not null
   ) given on true
   order by i.span_start, i.position, i.id`;

const OF_MANY = linesOf('unnest($1::text[], $2::timestamptz[]) as asked(contract_id, since)');
/**
 * A statement for one contract is written with single values: for a list, Postgres estimates a plan for the list at
 * hand as cheaper than a general one, and would plan again each time.
 */
const OF_ONE = linesOf('(values ($1::text, $2::timestamptz)) as asked(contract_id, since)');

interface RunningRow {
  askedId: string;
  elsewhere: boolean;
  creditedExcludingTax: string | null;
  creditedTax: string | null;
  rest: NonNullable<ChargedLine['rest']> | null;
  credits: number | null;
}

/**
 * Recurring and custom lines whose span may still reach past an instant and that no change has given back to their
 * end, with what credit notes and credits of a part took off them, by the contract that asks. A change of units leaves
 * lines that it doesn't touch where they were charged, so those of predecessors count too. Spans are written before
 * later freezes move their ends, so the caller gives an instant earlier by the frozen time; of months, quarters and
 * years that were charged elsewhere a freeze moves the anchor, which may be some days more: all of them are read. SQL,
 * because every change and estimate reads it, over four tables.
 */
export async function runningLines(tx: Queryable, since: ReadonlyMap<string, Instant>): Promise<Map<string, ChargedLine[]>> {
  if (since.size === 0) return new Map();
  const [ids, instants] = [[...since.keys()], [...since.values()].map(stamp)];
  const [sql, params] = since.size === 1 ? [OF_ONE, [ids[0], instants[0]]] : [OF_MANY, [ids, instants]];
  const rows = await tx.query<RunningRow>(sql, params);
  return new Map([...Map.groupBy(rows, ({ askedId }) => askedId)].map(([id, own]) => [id, own.map(toRunningLine)]));
}

function toRunningLine(row: RunningRow): ChargedLine {
  const { elsewhere, creditedExcludingTax, creditedTax, rest, credits } = row;
  return {
    ...lineProjection.read(row),
    ...(elsewhere ? { elsewhere } : {}),
    ...(creditedExcludingTax ? { creditedExcludingTax, creditedTax: creditedTax ?? '0' } : {}),
    ...(rest ? { rest } : {}),
    ...(credits === null ? {} : { credits }),
  };
}
