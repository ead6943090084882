import type { ChargedLine } from '../../../billing/invoice/types.ts';
import type { Queryable } from '../../connect.ts';
import { lineProjection } from '../projections.ts';

const SQL = `select ${lineProjection.columns('i')} from invoice_item i
  where i.contract_id = any($1::text[]) and i.invoice_id is null and not i.voided and not i.elsewhere order by i.contract_id, i.created, i.position, i.id`;

/** Lines written but not on an invoice yet. SQL: one of the statements that every step of a contract needs. */
export const waitingLines = async (tx: Queryable, contractIds: readonly string[]): Promise<ChargedLine[]> =>
  (await tx.query(SQL, [contractIds])).map(lineProjection.read);
