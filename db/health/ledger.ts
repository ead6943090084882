import type { Queryable } from '../connect.ts';

/** Sums that must hold at any moment; a row in any answer is a bug. */

export interface WrongSum {
  id: string;
  says: string;
  sums: string;
}

/** Invoices whose total isn't the sum of their lines. */
export async function invoicesOffTheirLines(db: Queryable): Promise<WrongSum[]> {
  return db.query<WrongSum>(
    `select i.id, i.total::text as says, coalesce(sum(l.total_including_tax), 0)::text as sums
       from invoice i left join invoice_item l on l.invoice_id = i.id
      group by i.id having i.total <> coalesce(sum(l.total_including_tax), 0) order by i.id limit 100`,
  );
}

/** Wallets whose balance isn't the sum of their movements. */
export async function walletsOffTheirMovements(db: Queryable): Promise<WrongSum[]> {
  return db.query<WrongSum>(
    `select w.id, w.balance::text as says, coalesce(sum(m.amount), 0)::text as sums
       from wallet w left join wallet_transaction m on m.wallet_id = w.id
      group by w.id having w.balance <> coalesce(sum(m.amount), 0) order by w.id limit 100`,
  );
}

/** Series of invoice numbers with a gap: `says` is the highest number given, `sums` how many invoices there are. */
export async function seriesWithGaps(db: Queryable): Promise<WrongSum[]> {
  return db.query<WrongSum>(
    `select vendor_id || ' ' || series as id, max(number)::text as says, count(*)::text as sums
       from invoice group by vendor_id, series having max(number) <> count(*) order by 1 limit 100`,
  );
}
