import { contractToWire } from '../api/wire/contract-detail.ts';
import { grantToWire } from '../api/wire/credit.ts';
import { creditNoteToWire } from '../api/wire/invoice.ts';
import { methodToWire } from '../api/wire/payment.ts';
import { balanceToWire } from '../api/wire/wallet.ts';
import { endpointToWire } from '../api/wire/webhook.ts';
import type { Database } from '../db/connect.ts';
import { grantsWithNow } from '../db/credit/read.ts';
import { readCustomers } from '../db/customer/read.ts';
import { creditNotesById } from '../db/invoice/read.ts';
import { readInvoices } from '../db/sql/invoice/read.ts';
import { shownEndpoints } from '../db/sql/webhook/list.ts';
import { walletsById } from '../db/wallet/read.ts';
import { storedDetails } from '../services/contract/read.ts';
import { readMethods } from '../services/payment/method.ts';
import { customersInFull } from './customer.ts';
import { invoicesInFull } from './invoice.ts';

/** An object as the API shows it, and the customer whose personal data may be in it. */
export interface Snapshot {
  object: unknown;
  customerId: string | null;
}

type Reader = (db: Database, vendorId: string, ids: readonly string[]) => Promise<Map<string, Snapshot>>;

/** How objects are read, by the prefix of their ids: what a GET of the same object answers. */
const READERS: Readonly<Record<string, Reader>> = {
  Cont: async (db, vendorId, ids) => {
    const details = await storedDetails(db, vendorId, ids);
    return new Map(
      [...details].map(([id, detail]) => [id, { object: contractToWire(detail), customerId: detail.contract.customerId }] as const),
    );
  },
  Inv: async (db, _vendorId, ids) => {
    const invoices = await readInvoices(db, ids);
    const shown = await invoicesInFull(db.preparing, db.em(), invoices);
    return new Map(invoices.map(({ id, customerId }, at) => [id, { object: shown[at], customerId }] as const));
  },
  Cust: async (db, vendorId, ids) => {
    const customers = await readCustomers(db.em(), vendorId, ids);
    const shown = await customersInFull(db, customers);
    return new Map(customers.map(({ id }, at) => [id, { object: shown[at], customerId: id }] as const));
  },
  CNote: async (db, vendorId, ids) => {
    const notes = await creditNotesById(db.em(), vendorId, ids);
    return new Map(notes.map((note) => [note.id, { object: creditNoteToWire(note, note.currency), customerId: note.customerId }] as const));
  },
  CPMet: async (db, vendorId, ids) => {
    const methods = await readMethods(db.em(), vendorId, ids);
    return new Map(methods.map((method) => [method.id, { object: methodToWire(method), customerId: method.customerId }] as const));
  },
  Wall: async (db, vendorId, ids) => {
    const wallets = await walletsById(db.em(), vendorId, ids);
    return new Map(wallets.map((wallet) => [wallet.id, { object: balanceToWire(wallet), customerId: wallet.customerId }] as const));
  },
  Grant: async (db, vendorId, ids) => {
    const grants = await grantsWithNow(db, vendorId, ids);
    return new Map(
      [...grants].map(([id, { grant, now }]) => [id, { object: grantToWire(grant, now), customerId: grant.customerId }] as const),
    );
  },
  Hook: async (db, vendorId, ids) => {
    const endpoints = await shownEndpoints(db, vendorId, ids);
    return new Map(endpoints.map((endpoint) => [endpoint.id, { object: endpointToWire(endpoint), customerId: null }] as const));
  },
};

/** Objects of one vendor by id; what no reader knows, or is gone, is left out. */
export async function snapshotsOf(db: Database, vendorId: string, ids: Iterable<string>): Promise<Map<string, Snapshot>> {
  const found = new Map<string, Snapshot>();
  for (const [prefix, some] of Map.groupBy(ids, (id) => id.slice(0, id.indexOf('_')))) {
    const read = READERS[prefix];
    if (read === undefined) continue;
    for (const [id, snapshot] of await read(db, vendorId, some)) found.set(id, snapshot);
  }
  return found;
}
