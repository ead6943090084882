import type { Instant } from '../../../billing/calendar/instant.ts';
import type { Derivation, LineKind } from '../../../billing/invoice/types.ts';
import type { Currency } from '../../../billing/money/currency.ts';
import type { Queryable } from '../../connect.ts';

/** A line of an invoice with what decides which grants pay for it. */
export interface LineToCover {
  id: string;
  /** null: it gets its invoice in this transaction */
  invoiceId: string | null;
  contractId: string;
  planId: string;
  kind: LineKind;
  source: string;
  currency: Currency;
  start: Instant | null;
  end: Instant | null;
  periodIdx: number | null;
  totalIncludingTax: string;
  /** null for all but lines of usage, which may have to be divided */
  derivation: Derivation | null;
}

/**
 * The lines of invoices, stored or about to be written, that charge something. SQL, because derivations are long, and
 * only those of usage are needed.
 */
export const coverableLines = (db: Queryable, invoiceIds: readonly string[], lineIds: readonly string[]): Promise<LineToCover[]> =>
  db.query<LineToCover>(
    `select i.id, i.invoice_id as "invoiceId", i.contract_id as "contractId", c.plan_id as "planId", i.kind, i.source, i.currency,
       i.span_start as start, i.span_end as end, i.period_idx as "periodIdx", i.total_including_tax as "totalIncludingTax",
       case when i.kind = 'usage' then i.derivation end as derivation
     from invoice_item i join contract c on c.id = i.contract_id
     where (i.invoice_id = any($1::text[]) or i.id = any($2::text[])) and i.total_including_tax > 0 and i.kind <> 'wallet'
     order by i.id`,
    [invoiceIds, lineIds],
  );
