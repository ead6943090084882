import type { TaxPolicy, TaxRate } from '../../billing/invoice/types.ts';
import type { Queryable } from '../../db/connect.ts';
import type { Seller } from '../../db/entities/vendor.ts';
import { newId } from '../../db/id.ts';
import { insertRows } from '../../db/rows.ts';

export interface TaxPreferences {
  rates: TaxRate[];
  policy: TaxPolicy;
  seller: Seller | null;
}

export async function readTax(db: Queryable, vendorId: string): Promise<TaxPreferences> {
  const [vendor] = await db.query<{ tax_policy: TaxPolicy; seller: Seller | null }>('select tax_policy, seller from vendor where id = $1', [
    vendorId,
  ]);
  if (vendor === undefined) throw new Error(`the vendor ${vendorId} does not exist`);
  const rates = await db.query<TaxRate>(
    'select tax_code as "taxCode", country, state, rate from tax_rate where vendor_id = $1 order by position, id',
    [vendorId],
  );
  return { rates, policy: vendor.tax_policy, seller: vendor.seller };
}

/** Absent = unchanged; the rates are replaced as a whole. Lines written before keep the tax they were given. */
export async function changeTax(tx: Queryable, vendorId: string, given: Partial<TaxPreferences>): Promise<void> {
  await tx.query('select id from vendor where id = $1 for update', [vendorId]);
  if (given.policy !== undefined) await tx.query('update vendor set tax_policy = $2 where id = $1', [vendorId, given.policy]);
  if (given.seller !== undefined) {
    await tx.query('update vendor set seller = $2::jsonb where id = $1', [
      vendorId,
      given.seller === null ? null : JSON.stringify(given.seller),
    ]);
  }
  if (given.rates === undefined) return;
  await tx.query('delete from tax_rate where vendor_id = $1', [vendorId]);
  await insertRows(
    tx,
    'tax_rate',
    given.rates.map(({ taxCode, country, state, rate }, position) => ({
      id: newId('Tax'),
      vendor_id: vendorId,
      tax_code: taxCode,
      country,
      state,
      rate,
      position,
    })),
  );
}
