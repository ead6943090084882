import { createHash } from 'node:crypto';
import type { Queryable } from '../../db/connect.ts';
import type { Account, InvoiceHead } from './read.ts';

/** `made`: a document as it was made. `since`: with what happened to it since; `basis` tells one state of things from the next. */
export interface Edition {
  edition: 'made' | 'since';
  basis: string;
}

export const MADE: Edition = { edition: 'made', basis: '' };

/** The edition of an invoice as it stands now; null for one that isn't final and is printed whenever it is asked for. */
export function editionOf({ state, account }: Pick<InvoiceHead, 'state' | 'account'>): Edition | null {
  if (state !== 'final') return null;
  return hasMoved(account) ? { edition: 'since', basis: hashOf(JSON.stringify(account)) } : MADE;
}

/** Whether anything has happened to the invoice since it was made. */
const hasMoved = ({ receipts, notes }: Account): boolean => receipts.length + notes.length > 0;

/** The kept print of an edition; null when it has never been printed. */
export async function keptPrint(db: Queryable, id: string, { edition, basis }: Edition): Promise<Buffer | null> {
  const [row] = await db.query<{ bytes: Buffer }>(
    'select bytes from document_print where document_id = $1 and edition = $2 and basis = $3',
    [id, edition, basis],
  );
  return row?.bytes ?? null;
}

/** Keeps a print: the first one of a document as it was made for good, of a later state until the next. */
export async function keepPrint(db: Queryable, id: string, { edition, basis }: Edition, bytes: Buffer): Promise<void> {
  await db.query(
    `insert into document_print (document_id, edition, basis, bytes, sha256, printed) values ($1, $2, $3, $4, $5, clock_timestamp())
     on conflict (document_id, edition) do update set basis = excluded.basis, bytes = excluded.bytes, sha256 = excluded.sha256, printed = excluded.printed
       where document_print.basis <> excluded.basis`,
    [id, edition, basis, bytes, hashOf(bytes)],
  );
}

const hashOf = (content: string | Buffer): string => createHash('sha256').update(content).digest('hex');
