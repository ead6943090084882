import type { Queryable } from '../../connect.ts';
import { takesPart } from './takes-part.ts';

const SQL = `select 1 from invoice_item i
  cross join lateral (
    select c.invoice_id from invoice_item c where c.credit_of = i.id and not c.voided
    union all
    select c.invoice_id from invoice_item c
    where i.kind in ('usage', 'correction') and c.kind = 'correction' and not c.voided and c.total_including_tax < 0
      and c.contract_id = i.contract_id and c.period_idx = i.period_idx and c.source = i.source
    union all
    select c.invoice_id from contract own join contract later on later.root_id = own.root_id
    join invoice_item c on c.contract_id = later.id and c.source = i.source and c.kind = 'usage' and c.total_including_tax < 0 and not c.voided
    where i.kind = 'usage' and own.id = i.contract_id and ${takesPart('c', 'i')}
  ) given
  where i.invoice_id = $1 and i.total_including_tax > 0 and given.invoice_id is distinct from $1 limit 1`;

/**
 * Whether a change, a correction or the closing of a usage period that is on another invoice, or on none yet, has given
 * back something of this one. SQL: lines are related in three ways, which no relation of the entity says.
 */
export const isGivenBackElsewhere = async (tx: Queryable, invoiceId: string): Promise<boolean> =>
  (await tx.query(SQL, [invoiceId])).length > 0;
