import type { Queryable } from '../../connect.ts';
import { takesPart } from './takes-part.ts';

/** A line that gives back more than is left of what it is for. */
export interface BeyondRow {
  id: string;
  /** with tax, without this line; below zero where what it is for doesn't count any more */
  left: string;
}

const SQL = `with given as (
    select d.* from invoice_item d where d.id = any($1::text[]) and d.total_including_tax < 0
  ), taken as (
    select g.id as given, i.* from given g join contract own on own.id = g.contract_id join contract other on other.root_id = own.root_id
    join invoice_item i on i.contract_id = other.id and i.source = g.source and i.kind = 'usage' and i.part is not null
    where g.kind = 'usage' and ${takesPart('g', 'i')}
  ), place as (
    select id as given, contract_id, period_idx, source from given where kind in ('usage', 'correction')
    union select given, contract_id, period_idx, source from taken
  ), kin as (
    select g.id as given, x.id from given g join invoice_item x on x.id = g.credit_of
    union select g.id, x.id from given g join invoice_item x on x.credit_of = g.credit_of
    union select p.given, x.id from place p
      join invoice_item x on x.contract_id = p.contract_id and x.period_idx = p.period_idx and x.source = p.source and x.kind in ('usage', 'correction')
    union select t.given, c.id from taken t join contract own on own.id = t.contract_id join contract later on later.root_id = own.root_id
      join invoice_item c on c.contract_id = later.id and c.source = t.source and c.kind = 'usage'
      where ${takesPart('c', 't')}
  )
  select given.id, (sum(x.total_including_tax - noted.amount) - given.total_including_tax)::text as left
  from given join kin on kin.given = given.id join invoice_item x on x.id = kin.id and not x.voided
  cross join lateral (select coalesce(sum(n.amount), 0) as amount from credit_note_item n where n.invoice_item_id = x.id) noted
  group by given.id, given.total_including_tax having sum(x.total_including_tax - noted.amount) < 0 order by given.id`;

/**
 * Those of these lines that give back more than the charge they are for has left: less what credit notes, changes and
 * corrections gave back of it, and nothing where it stands on a voided invoice. SQL: lines belong together by the line
 * that they credit, by the usage that they charge or correct, and by the parts that a later contract has taken off.
 */
export const beyondWhatIsLeft = (tx: Queryable, lineIds: readonly string[]): Promise<BeyondRow[]> => tx.query<BeyondRow>(SQL, [lineIds]);
