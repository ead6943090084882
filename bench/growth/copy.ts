import type { Queryable } from '../../db/connect.ts';
import { MARK, type Template, type TemplateTable } from './template.ts';

/** How many copies one statement makes. */
const BATCH = 2_000;

/**
 * Makes copies `first` to `first + count - 1` of a template: every row that the API wrote for it, with ids of its own.
 * Invoices get the vendor's next numbers; the snapshots of its events keep those of the template. The vendor's figures
 * are kept once all copies are made (`figures.ts`).
 */
export async function copyTemplate(db: Queryable, { tables }: Template, { vendorId, first, count }: Copies): Promise<void> {
  for (let from = first; from < first + count; from += BATCH) {
    const last = Math.min(from + BATCH, first + count) - 1;
    for (const table of tables) {
      const base = table.name === 'invoice' ? await takeNumbers(db, vendorId, (last - from + 1) * table.count) : 0;
      await db.query(statementOf(table), table.name === 'invoice' ? [table.rows, from, last, base] : [table.rows, from, last]);
    }
  }
}

export interface Copies {
  vendorId: string;
  /** copies of one database differ in it, whatever they are copies of */
  first: number;
  count: number;
}

/** The id that something of the template has in a copy. */
export const idInCopy = (id: string, copy: number): string => `${id.slice(0, -MARK.length)}${copy.toString(16).padStart(MARK.length, '0')}`;

function statementOf({ name, columns, count }: TemplateTable): string {
  const value = (column: TemplateTable['columns'][number]): string => {
    const own = `t."${column.name}"`;
    const number = `$4::bigint + (n.copy - $2::bigint) * ${count} + t.ordinality`;
    if (name === 'invoice' && column.name === 'number') return number;
    if (name === 'invoice' && column.name === 'printed_number') return `(${number})::text`;
    return column.marked ? `replace(${own}::text, '${MARK}', n.digits)::${column.type}` : own;
  };
  const names = columns.map((column) => `"${column.name}"`).join(', ');
  return `insert into "${name}" (${names})
    select ${columns.map(value).join(', ')}
    from (select copy, lpad(to_hex(copy), ${MARK.length}, '0') as digits from generate_series($2::bigint, $3::bigint) copy) n
    cross join (
      select r.*, e.ordinality from json_array_elements($1::json) with ordinality e, json_populate_record(null::"${name}", e.value) r
    ) t
    order by n.copy, t.ordinality`;
}

/** The vendor's last number before those that were taken. */
async function takeNumbers(db: Queryable, vendorId: string, count: number): Promise<number> {
  const [row] = await db.query<{ before: string }>(
    `update invoice_counter set last = last + $2 where vendor_id = $1 and series = '' returning (last - $2)::text as before`,
    [vendorId, count],
  );
  if (row === undefined) throw new Error('the template has no invoice with a number of the vendor itself');
  return Number(row.before);
}
