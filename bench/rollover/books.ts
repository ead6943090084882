import type { Database } from '../../db/connect.ts';
import { boundaryOf, type Herd, LINES, TOTAL } from './herd.ts';

/** Invoices of the boundaries that are missing, doubled, or not what three lines of 40.00 make. */
export async function wrongOf(db: Database, herd: Herd): Promise<{ wrong: number; missing: number }> {
  const { ids, dueAt } = herd;
  const rows = await db.query<{ contract_id: string; total: string; lines: string }>(
    `select i.contract_id, i.total::text as total, (select count(*)::text from invoice_item l where l.invoice_id = i.id) as lines
     from invoice i where i.contract_id = any($1::text[]) and i.date between $2 and $3`,
    [ids, new Date(dueAt).toISOString(), new Date(boundaryOf(herd)).toISOString()],
  );
  const made = new Set(rows.map((row) => row.contract_id));
  const wrong = rows.filter(({ total, lines }) => Number(total) !== Number(TOTAL) || Number(lines) !== LINES).length;
  return { wrong: wrong + rows.length - made.size, missing: ids.length - made.size };
}

export async function invoicesOf(db: Database, herd: Herd): Promise<number> {
  const [row] = await db.query<{ n: string }>('select count(*)::text as n from invoice where vendor_id = $1 and date between $2 and $3', [
    herd.vendorId,
    new Date(herd.dueAt).toISOString(),
    new Date(boundaryOf(herd)).toISOString(),
  ]);
  return Number(row?.n ?? 0);
}
