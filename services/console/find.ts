import type { Database } from '../../db/connect.ts';
import type { CustomerRecord } from '../../db/customer/customer.ts';
import { Plan } from '../../db/entities/catalogue.ts';
import { ContractRecord } from '../../db/entities/contract.ts';
import { CreditNote } from '../../db/entities/credit-note.ts';
import { Customer } from '../../db/entities/customer.ts';
import { Invoice } from '../../db/entities/invoice.ts';
import type { NamedInvoice } from '../../db/sql/invoice/named-list.ts';
import { newestCustomers, newestInvoices } from './lists.ts';

/** A page of one object. */
export interface FoundPage {
  type: 'customer' | 'contract' | 'invoice' | 'plan';
  id: string;
}

/** What a text leads to: one object by its id, else what has the text in it. */
export interface Found {
  page: FoundPage | null;
  customers: CustomerRecord[];
  /** there are more customers than were read */
  hasMore: boolean;
  invoices: NamedInvoice[];
}

/** Shorter texts are in so many names that no index finds them. */
export const SHORTEST_PART = 3;
const MOST_FOUND = 20;
const ENDS_AS_NUMBER = /\d$/;

/**
 * Looks for a text among a vendor's customers and invoices: an id of any kind, a part of name, e-mail or reference (the
 * whole reference where the text is short), an invoice's printed number.
 */
export async function find(db: Database, vendorId: string, text: string): Promise<Found> {
  const page = await pageById(db, vendorId, text);
  if (page !== null || text === '') return { page, customers: [], hasMore: false, invoices: [] };
  const filter = text.length < SHORTEST_PART ? { reference: text } : { search: text };
  const { rows: customers, next } = await newestCustomers(db, vendorId, filter, { rows: MOST_FOUND });
  const numbered = ENDS_AS_NUMBER.test(text) ? await newestInvoices(db, vendorId, { number: text }, { rows: MOST_FOUND }) : null;
  return { page, customers, hasMore: next !== null, invoices: numbered?.rows ?? [] };
}

const ID = /^(Cust|Cont|Inv|CNote|Plan)_[0-9a-f-]{36}$/;

async function pageById(db: Database, vendorId: string, text: string): Promise<FoundPage | null> {
  const em = db.em();
  const owned = { id: text, vendorId };
  switch (ID.exec(text)?.[1]) {
    case 'Cust':
      return (await em.count(Customer, owned)) > 0 ? { type: 'customer', id: text } : null;
    case 'Cont':
      return (await em.count(ContractRecord, owned)) > 0 ? { type: 'contract', id: text } : null;
    case 'Inv':
      return (await em.count(Invoice, owned)) > 0 ? { type: 'invoice', id: text } : null;
    case 'Plan':
      return (await em.count(Plan, { id: text, vendor: vendorId })) > 0 ? { type: 'plan', id: text } : null;
    case 'CNote': {
      const note = await em.findOne(CreditNote, owned);
      return note === null ? null : { type: 'invoice', id: note.invoiceId };
    }
    default:
      return null;
  }
}
