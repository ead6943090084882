import type { ExportNoun } from '../../export/nouns.ts';
import { LISTED_CONTRACT_COLUMNS, LISTED_CONTRACT_FROM } from '../contract/list.ts';
import { CUSTOMER_COLUMNS } from '../customer/list.ts';
import { POSTING_COLUMNS } from '../figure/list-postings.ts';
import { POSTINGS } from '../figure/sums-before.ts';
import { INVOICE_COLUMNS, INVOICE_FROM } from '../invoice/columns.ts';
import { lineProjection } from '../projections.ts';
import { USAGE_COLUMNS } from '../usage/list.ts';
import { EVENT_COLUMNS } from '../webhook/read-news.ts';
import { latestOf, writtenFirst, writtenIn } from './order.ts';

/** How the changes of a noun are found: SQL, with the parameters of `read-changed.ts` and `read-rows.ts`. */
export interface ExportedTable {
  from: string;
  /** what names a row: text, unique within the noun */
  id: string;
  vendorId: string;
  /** the transaction that changed last what the row shows */
  changed: string;
  /** the rows that were changed in the window, for which an index is asked, and perhaps others */
  candidates: string;
  columns: string;
  /** the rows that `$2` names */
  named: string;
}

const table = (from: string, alias: string, vendorId: string, columns: string): ExportedTable => ({
  from,
  id: `${alias}.id`,
  vendorId,
  changed: writtenFirst(`${alias}.xid`),
  candidates: writtenIn(`${alias}.xid`),
  columns,
  named: `${alias}.id = any($2::text[])`,
});

const POSTING_ID = `t.id || '/' || p.account_id`;

/**
 * A line shows the status of its invoice, and a contract the name and the pauses of its customer: they come again when
 * those are changed.
 */
export const EXPORTED_TABLES: Readonly<Record<ExportNoun, ExportedTable>> = {
  event: table('event e', 'e', 'e.vendor_id', EVENT_COLUMNS),
  invoice: table(INVOICE_FROM, 'invoice', 'invoice.vendor_id', INVOICE_COLUMNS),
  invoice_item: {
    ...table(
      'invoice_item i left join invoice on invoice.id = i.invoice_id',
      'i',
      'i.vendor_id',
      `${lineProjection.columns('i')}, i.customer_id as "customerId", i.voided, invoice.status as "invoiceStatus", invoice.deposit_transaction_id as "paidBy"`,
    ),
    changed: latestOf('i.xid', 'invoice.xid'),
    // what an imported contract was charged by another system is on no invoice of this one
    candidates: `not i.elsewhere and i.id in (
      select w.id from invoice_item w where w.vendor_id = $1 and ${writtenIn('w.xid')}
      union all
      select w.id from invoice v join invoice_item w on w.invoice_id = v.id where v.vendor_id = $1 and ${writtenIn('v.xid')})`,
  },
  usage: table('usage_event e', 'e', 'e.vendor_id', USAGE_COLUMNS),
  posting: {
    ...table(POSTINGS, 't', 't.vendor_id', POSTING_COLUMNS),
    id: POSTING_ID,
    named: `t.id in (select split_part(k, '/', 1) from unnest($2::text[]) k) and ${POSTING_ID} = any($2::text[])`,
  },
  customer: table('customer', 'customer', 'customer.vendor_id', CUSTOMER_COLUMNS),
  contract: {
    ...table(LISTED_CONTRACT_FROM, 'contract', 'contract.vendor_id', LISTED_CONTRACT_COLUMNS),
    changed: latestOf('contract.xid', 'customer.xid'),
    candidates: `contract.id in (
      select w.id from contract w where w.vendor_id = $1 and ${writtenIn('w.xid')}
      union all
      select w.id from customer v join contract w on w.customer_id = v.id where v.vendor_id = $1 and ${writtenIn('v.xid')})`,
  },
};
