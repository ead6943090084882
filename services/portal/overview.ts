import type { EntityManager } from '@mikro-orm/postgresql';
import type { Instant } from '../../billing/calendar/instant.ts';
import type { Currency } from '../../billing/money/currency.ts';
import type { Database, Queryable } from '../../db/connect.ts';
import type { CustomerRecord } from '../../db/customer/customer.ts';
import { readCustomer } from '../../db/customer/read.ts';
import { Invoice } from '../../db/entities/invoice.ts';
import { Vendor } from '../../db/entities/vendor.ts';
import { Wallet } from '../../db/entities/wallet.ts';
import { contractsOfCustomers, type ListedContract } from '../../db/sql/contract/list.ts';
import { readRunningCounters } from '../../db/sql/usage/read-running-counters.ts';
import { notesOf, type WrittenCreditNote } from '../credit-note/read.ts';
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

/** What a customer sees of itself. `used` has the units of the running period by contract and feature slug. */
export interface PortalOverview {
  vendorName: string;
  customer: CustomerRecord;
  contracts: ListedContract[];
  used: Map<string, Map<string, string>>;
  openInvoices: PortalInvoice[];
  /** newest first */
  paidInvoices: PortalInvoice[];
  /** what was taken back of these invoices, newest first */
  creditNotes: WrittenCreditNote[];
  /** what pays by itself, if anything does */
  method: Method | null;
  wallets: { currency: Currency; balance: string }[];
}

const LIVE = new Set(['active', 'pending', 'scheduled', 'not_ready']);

export async function portalOverview(db: Database, { vendorId, customerId }: PortalVisitor): Promise<PortalOverview | null> {
  const em = db.em();
  const customer = await readCustomer(em, vendorId, customerId);
  const vendor = await em.findOne(Vendor, { id: vendorId });
  if (customer === null || vendor === null) return null;
  const signed = (await contractsOfCustomers(db, [customerId])).get(customerId) ?? [];
  const contracts = signed.filter(({ contract }) => LIVE.has(contract.status) && !contract.isSuccessor);
  const [open, paid] = [await openInvoices(em, customerId), await paidInvoices(em, customerId)];
  const methods = await listMethods(em, vendorId, customerId);
  return {
    vendorName: vendor.name,
    customer,
    contracts,
    used: await usedUnits(db, contracts),
    openInvoices: open,
    paidInvoices: paid,
    creditNotes: (
      await notesOf(
        em,
        [...open, ...paid].map(({ id }) => id),
      )
    ).reverse(),
    method: methods.find(({ isDefault, status }) => isDefault && status === 'active') ?? null,
    wallets: await em.find(Wallet, { customerId, balance: { $gt: '0' } }, { orderBy: { currency: 'asc' } }),
  };
}

async function usedUnits(db: Queryable, contracts: readonly ListedContract[]): Promise<Map<string, Map<string, string>>> {
  const ids = contracts.map(({ contract }) => contract.id);
  const used = new Map<string, Map<string, string>>();
  for (const { contractId, slug, units } of await readRunningCounters(db, ids)) {
    const own = used.get(contractId) ?? new Map<string, string>();
    used.set(contractId, own.set(slug, units));
  }
  return used;
}

/** Ten years of monthly invoices. */
const MOST_PAID = 120;

const openInvoices = (em: EntityManager, customerId: string): Promise<PortalInvoice[]> =>
  em.find(Invoice, { customerId, status: 'ready_for_payment', amountDue: { $gt: '0' } }, { orderBy: { dueDate: 'asc', id: 'asc' } });

const paidInvoices = (em: EntityManager, customerId: string): Promise<PortalInvoice[]> =>
  em.find(Invoice, { customerId, status: 'paid' }, { orderBy: { date: 'desc', id: 'desc' }, limit: MOST_PAID });

/** Whether the visitor may have this invoice: its own, and no draft. */
export const maySeeInvoice = async (em: EntityManager, { vendorId, customerId }: PortalVisitor, invoiceId: string): Promise<boolean> =>
  (await em.count(Invoice, { id: invoiceId, vendorId, customerId, status: { $nin: ['pending_validation', 'voided'] } })) > 0;
