import type { Instant } from '../../billing/calendar/instant.ts';
import type { Currency } from '../../billing/money/currency.ts';
import type { Database, Queryable } from '../../db/connect.ts';
import { contractsOfCustomers, type ListedContract } from '../../db/contract/list.ts';
import type { CustomerRecord } from '../../db/customer/customer.ts';
import { readCustomer } from '../../db/customer/read.ts';
import { type CreditNote, notesOf } from '../credit-note/read.ts';
import { listMethods, type Method } from '../payment/method.ts';
import type { PortalVisitor } from './token.ts';

interface PortalInvoice {
  id: string;
  number: string;
  date: Instant;
  dueDate: Instant;
  currency: Currency;
  total: string;
  amountDue: string;
}

/** What a customer sees of itself. `used` holds the units of the running period by contract and feature slug. */
export interface PortalOverview {
  vendorName: string;
  customer: CustomerRecord;
  contracts: ListedContract[];
  used: Map<string, Map<string, string>>;
  openInvoices: PortalInvoice[];
  /** newest first */
  paidInvoices: PortalInvoice[];
  /** what was taken back of these invoices, newest first */
  creditNotes: CreditNote[];
  /** what pays by itself, if anything does */
  method: Method | null;
  wallets: { currency: Currency; balance: string }[];
}

const LIVE = new Set(['active', 'pending', 'scheduled', 'not_ready']);

export async function portalOverview(db: Database, { vendorId, customerId }: PortalVisitor): Promise<PortalOverview | null> {
  const customer = await readCustomer(db.em(), vendorId, customerId);
  const [vendor] = await db.query<{ name: string }>('select name from vendor where id = $1', [vendorId]);
  if (customer === null || vendor === undefined) return null;
  const signed = (await contractsOfCustomers(db, [customerId])).get(customerId) ?? [];
  const contracts = signed.filter(({ contract }) => LIVE.has(contract.status) && !contract.isSuccessor);
  const [open, paid] = [await openInvoices(db, customerId), await paidInvoices(db, customerId)];
  const methods = await listMethods(db.em(), vendorId, customerId);
  return {
    vendorName: vendor.name,
    customer,
    contracts,
    used: await usedUnits(db, contracts),
    openInvoices: open,
    paidInvoices: paid,
    creditNotes: (
      await notesOf(
        db,
        [...open, ...paid].map(({ id }) => id),
      )
    ).reverse(),
    method: methods.find(({ isDefault, status }) => isDefault && status === 'active') ?? null,
    wallets: await db.query(`select currency, balance from wallet where customer_id = $1 and balance > 0 order by currency`, [customerId]),
  };
}

async function usedUnits(db: Queryable, contracts: readonly ListedContract[]): Promise<Map<string, Map<string, string>>> {
  const rows = await db.query<{ contractId: string; slug: string; units: string }>(
    `select c.contract_id as "contractId", c.feature_slug as slug, c.units from usage_counter c
     join contract on contract.id = c.contract_id and coalesce(contract.current_idx, 0) = c.period_idx
     where c.contract_id = any($1::text[])`,
    [contracts.map(({ contract }) => contract.id)],
  );
  const used = new Map<string, Map<string, string>>();
  for (const { contractId, slug, units } of rows) {
    const own = used.get(contractId) ?? new Map<string, string>();
    used.set(contractId, own.set(slug, units));
  }
  return used;
}

const INVOICE = `select id, number::text as number, date, due_date as "dueDate", currency, total, amount_due as "amountDue" from invoice`;
/** Ten years of monthly invoices. */
const MOST_PAID = 120;

function openInvoices(db: Queryable, customerId: string): Promise<PortalInvoice[]> {
  return db.query<PortalInvoice>(
    `${INVOICE} where customer_id = $1 and status = 'ready_for_payment' and amount_due > 0 order by due_date, id`,
    [customerId],
  );
}

function paidInvoices(db: Queryable, customerId: string): Promise<PortalInvoice[]> {
  return db.query<PortalInvoice>(`${INVOICE} where customer_id = $1 and status = 'paid' order by date desc, id desc limit $2`, [
    customerId,
    MOST_PAID,
  ]);
}

/** Whether the visitor may have this invoice: its own, and no draft. */
export async function maySeeInvoice(db: Queryable, { vendorId, customerId }: PortalVisitor, invoiceId: string): Promise<boolean> {
  const sql = `select 1 from invoice where id = $1 and vendor_id = $2 and customer_id = $3 and status not in ('pending_validation', 'voided')`;
  return (await db.query(sql, [invoiceId, vendorId, customerId])).length > 0;
}
