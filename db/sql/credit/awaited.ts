import type { Queryable } from '../../connect.ts';

const CHARGES = `i.total_including_tax > 0 and i.kind <> 'wallet' and coalesce(i.span_start, i.created) < g.expires_at`;

/**
 * Which grants may yet pay something that was charged in their life: lines that wait for an invoice, and invoices that
 * wait for their validation. SQL, because both are found by partial indexes.
 *
 * @param placed lines that are on an invoice by then
 */
export async function awaitedGrants(tx: Queryable, grantIds: readonly string[], placed: readonly string[] = []): Promise<Set<string>> {
  const rows = await tx.query<{ id: string }>(
    `select g.id from credit_grant g where g.id = any($1::text[]) and (
       exists (select from contract c join invoice_item i
         on i.contract_id = c.id and i.invoice_id is null and not i.voided and not i.elsewhere
         where c.customer_id = g.customer_id and i.currency = g.currency and i.id <> all($2::text[]) and ${CHARGES})
       or exists (select from invoice v join invoice_item i on i.invoice_id = v.id
         where v.customer_id = g.customer_id and v.currency = g.currency and v.status = 'pending_validation' and v.contract_id is not null and ${CHARGES}))`,
    [grantIds, placed],
  );
  return new Set(rows.map(({ id }) => id));
}
