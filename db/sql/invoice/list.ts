import { stampOrNull } from '../../rows.ts';
import { totalIfKept } from '../list/kept-total.ts';
import type { List } from '../list/list.ts';
import { Where } from '../list/where.ts';
import { INVOICE_COLUMNS, INVOICE_FROM, statesShownAs } from './columns.ts';

interface InvoiceFilter {
  customer?: string | undefined;
  contract?: string | undefined;
  status?: string | undefined;
  /** as it is printed */
  number?: string | undefined;
  /** from this instant on */
  after?: number | undefined;
  /** up to this instant, which isn't included */
  before?: number | undefined;
}

/** The invoices of a vendor. SQL, as all list pages are. */
export function invoiceList(vendorId: string, filter: InvoiceFilter): List {
  const where = new Where()
    .and('invoice.vendor_id = ?', vendorId)
    .andGiven('invoice.customer_id = ?', filter.customer)
    .andGiven('invoice.contract_id = ?', filter.contract)
    .andGiven('invoice.status = any(?::text[])', statesShownAs(filter.status))
    .andGiven('invoice.printed_number = ?', filter.number)
    .andGiven('invoice.number = ?::bigint', filter.number === undefined ? undefined : countIn(filter.number))
    .andGiven('invoice.date >= ?::timestamptz', stampOrNull(filter.after))
    .andGiven('invoice.date < ?::timestamptz', stampOrNull(filter.before));
  return {
    from: INVOICE_FROM,
    counted: 'invoice',
    select: INVOICE_COLUMNS,
    at: 'invoice.date',
    id: 'invoice.id',
    where,
    total: totalIfKept(where, { vendorId, list: 'invoice', parts: statesShownAs(filter.status) }),
  };
}

/** The count in a printed number, by which an index finds it: a prefix never ends with a digit. None is 0. */
const countIn = (printed: string): string => /\d{1,18}$/.exec(printed)?.[0] ?? '0';
