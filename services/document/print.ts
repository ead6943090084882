import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Database } from '../../db/connect.ts';
import { type Buyer, Document, DocumentPrint } from '../../db/entities/document.ts';
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

/** Which document was printed, and for whom. */
interface PrintedDocument {
  id: string;
  buyer: Buyer;
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
 * replaces it. One that names a buyer who was erased meanwhile is not stored.
 */
export async function storePrint(db: Database, printed: PrintedDocument, { edition, basis }: Edition, bytes: Buffer): Promise<void> {
  const { id, buyer } = printed;
  await db.transaction(async ({ em }) => {
    const document = await lockOne(em, Document, { id }, 'no key update');
    if (document === null || !isDeepStrictEqual(document.buyer, buyer)) return;
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

const hashOf = (content: string | Buffer): string => createHash('sha256').update(content).digest('hex');
