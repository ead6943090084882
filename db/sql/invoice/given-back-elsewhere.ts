import type { Queryable } from '../../connect.ts';

const SQL = `select 1 from invoice_item i
  cross join lateral (
    select c.invoice_id from invoice_item c where c.credit_of = i.id and not c.voided
    union all
    select c.invoice_id from invoice_item c
    where i.kind in ('usage', 'correction') and c.kind = 'correction' and not c.voided and c.total_including_tax < 0
      and c.contract_id = i.contract_id and c.period_idx = i.period_idx and c.source = i.source
  ) given
  where i.invoice_id = $1 and i.total_including_tax > 0 and given.invoice_id is distinct from $1 limit 1`;

/**
 * Whether a change or a correction that is on another invoice, or on none yet, has given back something of this one.
 * SQL: lines are related in two ways, which no relation of the entity says.
 */
export const isGivenBackElsewhere = async (tx: Queryable, invoiceId: string): Promise<boolean> =>
  (await tx.query(SQL, [invoiceId])).length > 0;
