import { createHash } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Database } from '../../db/connect.ts';
import { CreditNote } from '../../db/entities/credit-note.ts';
import { Customer } from '../../db/entities/customer.ts';
import { Document, DocumentPrint } from '../../db/entities/document.ts';
import { Invoice } from '../../db/entities/invoice.ts';
import { lockOne } from '../../db/sql/lock.ts';
import type { Account, InvoiceHead } from './read.ts';

/**
 * `made`: a document as it was made. `since`: with what happened to it since; `basis` names the state that is printed
 * and changes with it.
 */
export interface Edition {
  edition: 'made' | 'since';
  basis: string;
}

export const MADE: Edition = { edition: 'made', basis: '' };

/** The edition of an invoice as it is now; null for one that isn't final: it is printed again for each request. */
export function editionOf({ state, account }: Pick<InvoiceHead, 'state' | 'account'>): Edition | null {
  if (state !== 'final') return null;
  return hasMoved(account) ? { edition: 'since', basis: hashOf(JSON.stringify(account)) } : MADE;
}

/** Whether anything has happened to the invoice since it was made. */
const hasMoved = ({ receipts, notes }: Account): boolean => receipts.length + notes.length > 0;

/** The stored print of an edition; null when it has never been printed. */
export async function storedPrint(em: EntityManager, id: string, { edition, basis }: Edition): Promise<Buffer | null> {
  const print = await em.findOne(DocumentPrint, { document: id, edition, basis });
  return print === null ? null : Buffer.from(print.bytes);
}

/**
 * Stores a print. The print of a document as it was made is kept for good, that of a later state until the next one
 * replaces it. None is stored of a customer that is being erased or was: it may have been read before what is personal
 * was replaced in its payments or notes.
 */
export async function storePrint(db: Database, id: string, { edition, basis }: Edition, bytes: Buffer): Promise<void> {
  await db.transaction(async ({ em }) => {
    // an erasure that begins after the look waits here, and then deletes the print
    const document = await lockOne(em, Document, { id }, 'no key update');
    if (document === null || (await isErased(em, id))) return;
    const row = { document: id, edition, basis, bytes, sha256: hashOf(bytes), printed: Date.now() };
    await em
      .createQueryBuilder(DocumentPrint)
      .insert(row)
      .onConflict(['document', 'edition'])
      .merge(['basis', 'bytes', 'sha256', 'printed'])
      .where({ basis: { $ne: basis } })
      .execute();
  });
}

/** Whether the buyer of an invoice or a credit note is being erased, or was. */
async function isErased(em: EntityManager, id: string): Promise<boolean> {
  const whose = { fields: ['customerId'] } as const;
  const found = (await em.findOne(Invoice, { id }, whose)) ?? (await em.findOneOrFail(CreditNote, { id }, whose));
  return (await em.count(Customer, { id: found.customerId, erasedAt: { $ne: null } })) > 0;
}

const hashOf = (content: string | Buffer): string => createHash('sha256').update(content).digest('hex');
