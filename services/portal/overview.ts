import type { EntityManager } from '@mikro-orm/postgresql';
import type { Instant } from '../../billing/calendar/instant.ts';
import type { Currency } from '../../billing/money/currency.ts';
import type { Database } from '../../db/connect.ts';
import { Invoice } from '../../db/entities/invoice.ts';
import { Wallet } from '../../db/entities/wallet.ts';
import { type CreditsLeft, creditsLeft } from '../credit/left.ts';
import { type Method, readDefault } from '../payment/method.ts';
import { type PortalContract, portalContracts } from './contracts.ts';
import { openInvoices, type PortalDocument, portalDocuments } from './documents.ts';
import type { PortalInvoice } from './invoice-standing.ts';
import { type NextCharge, nextCharges } from './next-charges.ts';
import type { Place, PortalPage } from './place.ts';
import type { PortalVisitor } from './token.ts';

/** What the first page shows of a customer: a bounded part of each list. */
export interface PortalOverview {
  contracts: PortalPage<PortalContract>;
  /** of these contracts, by id */
  charges: ReadonlyMap<string, NextCharge>;
  /** those due first first */
  open: { invoices: PortalInvoice[]; more: boolean };
  documents: PortalDocument[];
  /** what pays by itself, if anything does */
  method: Method | null;
  wallets: { currency: Currency; balance: string }[];
  credits: CreditsLeft[];
}

const OPEN_SHOWN = 10;
const DOCUMENTS_SHOWN = 10;

/**
 * @param times the customer's time, and when its freeze ends by itself
 * @param after shows the contracts behind this one
 */
export async function portalOverview(
  db: Database,
  visitor: PortalVisitor,
  times: { now: Instant; resumeAt: Instant | null },
  after: Place | null,
): Promise<PortalOverview> {
  const em = db.em();
  const { now } = times;
  const { vendorId, customerId } = visitor;
  const contracts = await portalContracts(db, em, visitor, after);
  const method = await readDefault(em, vendorId, customerId);
  return {
    contracts,
    charges: await nextCharges(
      db,
      em,
      contracts.rows.map(({ contract }) => contract),
      times,
    ),
    open: await openInvoices(em, visitor, now, OPEN_SHOWN),
    documents: (await portalDocuments(em, visitor, now, { rows: DOCUMENTS_SHOWN })).rows,
    method: method?.status === 'active' ? method : null,
    wallets: await em.find(Wallet, { customerId, balance: { $gt: '0' } }, { orderBy: { currency: 'asc' } }),
    credits: await creditsLeft(em, customerId, now),
  };
}

/** Whether the visitor may have this invoice: its own, and no draft. */
export const maySeeInvoice = async (em: EntityManager, { vendorId, customerId }: PortalVisitor, invoiceId: string): Promise<boolean> =>
  (await em.count(Invoice, { id: invoiceId, vendorId, customerId, status: { $nin: ['pending_validation', 'voided'] } })) > 0;
