import type { Queryable } from '../../connect.ts';

const SQL = `insert into document (id, vendor_id, seller, buyer)
  select given.id, c.vendor_id, coalesce(v.seller, jsonb_build_object('name', v.name, 'address', null, 'vat_id', null)),
    jsonb_build_object('name', c.name, 'vat_id', c.vat_id,
      'address', coalesce(c.addresses -> 'main', (select value from json_each(c.addresses) limit 1)))
  from unnest($1::text[], $2::text[]) as given(id, customer_id)
  join customer c on c.id = given.customer_id join vendor v on v.id = c.vendor_id
  on conflict (id) do nothing`;

/**
 * Stores what seller and buyer are at this moment, for the printed invoice or credit note. SQL: the copies of a whole
 * batch are made where the data are.
 */
export async function storeParties(tx: Queryable, documents: readonly { id: string; customerId: string }[]): Promise<void> {
  if (documents.length === 0) return;
  await tx.query(SQL, [documents.map(({ id }) => id), documents.map(({ customerId }) => customerId)]);
}
