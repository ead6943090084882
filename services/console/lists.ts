import type { Database } from '../../db/connect.ts';
import type { CustomerRecord } from '../../db/customer/customer.ts';
import { auditList, type ListedAudit } from '../../db/sql/audit/list.ts';
import { contractList, type ListedContract, type ListedContractRow, toListed } from '../../db/sql/contract/list.ts';
import { customerList } from '../../db/sql/customer/list.ts';
import { eventList } from '../../db/sql/event/list.ts';
import { type NamedInvoice, namedInvoiceList } from '../../db/sql/invoice/named-list.ts';
import type { Position } from '../../db/sql/list/list.ts';
import { type Newest, readNewest } from '../../db/sql/list/newest.ts';
import type { LoggedEvent } from '../../db/sql/webhook/read-news.ts';

/** Rows of one page of a list. */
export const LIST_ROWS = 25;

/**
 * Pages of both logs are read up to the newest row, without waiting for transactions with smaller numbers: nobody goes
 * on from a page's newest row, and waiting would write, while a page that is shown changes nothing.
 */
const TO_THE_END = '9223372036854775807';

/** Which part of a list: rows behind a place, at most so many. */
export interface ListPart {
  after?: Position | null;
  rows?: number;
}

type Given<Filter> = { readonly [Key in keyof Filter]?: string | undefined };

/** The vendor's customers, newest first; `search` is a part of name, e-mail or reference. */
export const newestCustomers = (
  db: Database,
  vendorId: string,
  filter: Given<{ search: string; status: string; reference: string }>,
  { after = null, rows = LIST_ROWS }: ListPart = {},
): Promise<Newest<CustomerRecord>> =>
  readNewest<CustomerRecord>(db, customerList(vendorId, { ...filter, metadataKeys: [], metadataEntries: {} }), after, rows);

/** The vendor's contracts, newest first. */
export async function newestContracts(
  db: Database,
  vendorId: string,
  filter: Given<{ customer: string; status: string }>,
  { after = null, rows = LIST_ROWS }: ListPart = {},
): Promise<Newest<ListedContract>> {
  const page = await readNewest<ListedContractRow>(db, contractList(vendorId, filter), after, rows);
  return { ...page, rows: page.rows.map(toListed) };
}

/** The vendor's invoices, newest first. */
export const newestInvoices = (
  db: Database,
  vendorId: string,
  filter: Given<{ customer: string; contract: string; status: string; number: string }>,
  { after = null, rows = LIST_ROWS }: ListPart = {},
): Promise<Newest<NamedInvoice>> => readNewest<NamedInvoice>(db, namedInvoiceList(vendorId, filter), after, rows);

/** The vendor's log of events, newest first. */
export const newestEvents = (
  db: Database,
  vendorId: string,
  filter: Given<{ object: string; type: string }>,
  { after = null, rows = LIST_ROWS }: ListPart = {},
): Promise<Newest<LoggedEvent>> => readNewest<LoggedEvent>(db, eventList(vendorId, TO_THE_END, filter), after, rows);

/** The vendor's audit log, newest first. */
export const newestAudit = (
  db: Database,
  vendorId: string,
  filter: Given<{ object: string; actor: string }>,
  { after = null, rows = LIST_ROWS }: ListPart = {},
): Promise<Newest<ListedAudit>> => readNewest<ListedAudit>(db, auditList(vendorId, TO_THE_END, filter), after, rows);
