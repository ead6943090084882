import type { Queryable } from '../../connect.ts';

/** A line that gives back more than is left of the charge that it belongs to. */
export interface BeyondRow {
  id: string;
  /** without this line, as its tax policy counts: with the tax or without it; below zero where the charge is voided */
  left: string;
}

const SQL = `with given as (
    select d.* from invoice_item d where d.id = any($1::text[]) and d.total_including_tax < 0
  ), place as (
    select id as given, contract_id, period_idx, source from given where kind in ('usage', 'correction')
    union select g.id, taken ->> 'contractId', (taken ->> 'idx')::int, g.source
      from given g cross join json_array_elements(g.derivation #> '{billed,places}') taken where g.kind = 'usage'
  ), kin as (
    select g.id as given, x.id from given g join invoice_item x on x.id = g.credit_of
    union select g.id, x.id from given g join invoice_item x on x.credit_of = g.credit_of
    union select p.given, x.id from place p join invoice_item x on x.contract_id = p.contract_id
      where x.period_idx = p.period_idx and x.source = p.source and x.kind in ('usage', 'correction')
  ), line as (
    select given.id as given, x.id, case given.tax_policy when 'tax_excluded' then x.total_excluding_tax else x.total_including_tax end as total,
      case given.tax_policy when 'tax_excluded' then noted.bare else noted.whole end as noted
    from given join kin on kin.given = given.id join invoice_item x on x.id = kin.id and not x.voided
    cross join lateral (
      select coalesce(sum(n.total_excluding_tax), 0) as bare, coalesce(sum(n.amount), 0) as whole
      from credit_note_item n where n.invoice_item_id = x.id
    ) noted
  )
  select given as id, sum(case when id = given then 0 else total - noted end)::text as left
  from line group by given having sum(total - noted) < 0 order by given`;

/**
 * Those of the given lines that give back more than is left of their charge, after what credit notes, changes and
 * corrections gave back of it; nothing is left if the charge is on a voided invoice. SQL: lines belong together by the
 * line that they credit, by the usage that they charge or correct, and by the periods whose parts they count as
 * charged.
 */
export const beyondWhatIsLeft = (tx: Queryable, lineIds: readonly string[]): Promise<BeyondRow[]> => tx.query<BeyondRow>(SQL, [lineIds]);
