import { summaryToWire } from '../../api/wire/contract.ts';
import { customerToWire } from '../../api/wire/customer.ts';
import { amountDueToWire, invoiceToWire, itemToWire, shownStatus } from '../../api/wire/invoice.ts';
import { postingToWire } from '../../api/wire/posting.ts';
import { usageToWire } from '../../api/wire/usage.ts';
import type { InvoiceState } from '../../billing/lifecycle/invoice.ts';
import type { Database } from '../../db/connect.ts';
import type { CustomerRecord } from '../../db/customer/customer.ts';
import type { ExportNoun } from '../../db/export/nouns.ts';
import { type ListedContractRow, toListed } from '../../db/sql/contract/list.ts';
import type { ListedPosting } from '../../db/sql/figure/list-postings.ts';
import type { InvoiceRecord } from '../../db/sql/invoice/columns.ts';
import { lineProjection } from '../../db/sql/projections.ts';
import type { ListedUsage } from '../../db/sql/usage/list.ts';
import type { LoggedEvent } from '../../db/sql/webhook/read-news.ts';
import { loggedBodies } from '../../services/webhook/logged-bodies.ts';
import { makeBodies } from '../../snapshots/event-body.ts';

interface ItemRow {
  customerId: string;
  contractId: string;
  invoiceId: string | null;
  voided: boolean;
  invoiceStatus: InvoiceState | null;
  paidBy: string | null;
}

/** What a line of the output says of each row, beside its cursor. */
type ShowRows = (db: Database, vendorId: string, rows: readonly object[]) => Promise<object[]>;

const each =
  <R extends object>(show: (row: R) => object): ShowRows =>
  async (_db, _vendorId, rows) =>
    rows.map((row) => show(row as R));

/** The object as the API shows it, without what other objects say that are exported themselves. */
export const SHOWN_ROWS: Readonly<Record<ExportNoun, ShowRows>> = {
  event: async (db, vendorId, rows) => {
    const bodies = await loggedBodies(db, makeBodies, vendorId, rows as LoggedEvent[]);
    return bodies.map((body) => ({ event: JSON.parse(body) }));
  },
  invoice: each<InvoiceRecord>((invoice) => ({ invoice: invoiceToWire(invoice), amount_due: amountDueToWire(invoice) })),
  invoice_item: each<ItemRow>(itemLine),
  usage: each<ListedUsage>((event) => ({ usage: usageToWire(event) })),
  posting: each<ListedPosting>((posting) => ({ posting: postingToWire(posting) })),
  customer: each<CustomerRecord>((customer) => {
    const { contracts: _own, ...shown } = customerToWire(customer, []);
    return { customer: shown };
  }),
  contract: each<ListedContractRow>((row) => {
    const { contract, customerName, pauses } = toListed(row);
    return { contract: summaryToWire(contract, { name: customerName, pauses }) };
  }),
};

/** A line that waits for an invoice has the status of one that isn't validated, as in an estimate. */
function itemLine(row: ItemRow): object {
  const { customerId, contractId, invoiceId, voided, invoiceStatus, paidBy } = row;
  const invoice = { id: invoiceId, status: shownStatus({ status: invoiceStatus ?? 'pending_validation' }), paidBy };
  return { invoice_item: itemToWire(lineProjection.read(row), invoice), customer_id: customerId, contract_id: contractId, voided };
}
