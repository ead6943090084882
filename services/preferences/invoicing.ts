import type { Configuration } from '../../billing/contract/types.ts';
import type { Queryable } from '../../db/connect.ts';

/** What a vendor's contracts fall back to. */
export async function readInvoicing(db: Queryable, vendorId: string): Promise<Configuration> {
  const [row] = await db.query<{ invoicing: Configuration }>('select invoicing from vendor where id = $1', [vendorId]);
  if (row === undefined) throw new Error(`the vendor ${vendorId} does not exist`);
  return row.invoicing;
}

/** Changes what is given and leaves the rest. Contracts signed before keep their copy. */
export async function changeInvoicing(tx: Queryable, vendorId: string, given: Partial<Configuration>): Promise<void> {
  await tx.query('update vendor set invoicing = invoicing || $2::jsonb where id = $1', [vendorId, JSON.stringify(given)]);
}
