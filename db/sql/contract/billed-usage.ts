import type { BilledParts } from '../../../billing/invoice/types.ts';
import type { Queryable } from '../../connect.ts';
import { stamp } from '../../rows.ts';

const SUM = `'taxPolicy', v.tax_policy, 'taxRate', v.tax_rate::text, 'taxCode', v.tax_code, 'reverseCharge', v.reverse_charge,
        'unitCount', v.unit_count::text, 'subtotal', v.subtotal::text, 'totalExcludingTax', v.total_excluding_tax::text,
        'taxAmount', v.tax_amount::text, 'totalIncludingTax', v.total_including_tax::text`;
const samePlace = (line: string): string =>
  `${line}.contract_id = k.contract_id and ${line}.period_idx = k.idx and ${line}.source = k.source and ${line}.part is not null`;

/**
 * A part that is invoiced again has the number of the voided part. Each part stores what all parts up to it have
 * charged.
 */
const SQL = `
  select k.contract_id as "contractId", k.idx as "periodIdx", k.source, latest.part as "upTo", latest.id as last, latest.sums,
    coalesce(gone.voided, '[]') as voided, noted.excluding_tax::text as "notedExcludingTax", noted.tax::text as "notedTax"
  from unnest($1::text[], $2::int[], $3::text[], $4::timestamptz[]) with ordinality as k(contract_id, idx, source, began, place)
  cross join lateral (
    select i.part, i.id, i.derivation #> '{part,sums}' as sums from invoice_item i where ${samePlace('i')} order by i.part desc, i.id desc limit 1
  ) latest
  left join lateral (
    select json_agg(json_build_object('part', v.part, ${SUM}) order by v.part) as voided
    from (
      select distinct on (x.part) x.* from invoice_item x
      where ${samePlace('x')} and x.voided and not exists (select from invoice_item i where ${samePlace('i')} and i.part = x.part and not i.voided)
      order by x.part, x.id
    ) v
  ) gone on true
  left join lateral (
    select sum(g.total_excluding_tax) as excluding_tax, sum(g.tax_amount) as tax
    from contract c join credit_note n on n.customer_id = c.customer_id and n.created >= k.began
    join credit_note_item g on g.credit_note_id = n.id join invoice_item i on i.id = g.invoice_item_id
    where c.id = k.contract_id and ${samePlace('i')}
  ) noted on true
  order by k.place`;

/** A price of a period of a contract, and since when its usage is counted. */
export interface PricedPlace {
  contractId: string;
  idx: number;
  source: string;
  began: number;
}

interface BilledRow extends Omit<BilledParts, 'noted'> {
  notedExcludingTax: string | null;
  notedTax: string | null;
}

/**
 * What lines have charged of usage before its period closed, in the order given. The latest line has the sums of all
 * lines before it, so reading the thousandth costs as much as reading the tenth; besides it, voided lines and what
 * credit notes gave back are read. SQL, because an index finds the latest of each place in one statement.
 */
export async function billedUsage(tx: Queryable, places: readonly PricedPlace[]): Promise<BilledParts[]> {
  if (places.length === 0) return [];
  const rows = await tx.query<BilledRow>(SQL, [
    places.map(({ contractId }) => contractId),
    places.map(({ idx }) => idx),
    places.map(({ source }) => source),
    places.map(({ began }) => stamp(began)),
  ]);
  return rows.map(({ notedExcludingTax, notedTax, ...parts }) =>
    notedExcludingTax === null ? parts : { ...parts, noted: { totalExcludingTax: notedExcludingTax, taxAmount: notedTax ?? '0' } },
  );
}
