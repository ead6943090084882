import type { EmailKind } from '../../db/customer/email.ts';
import { type EmailRow, queueEmailRows } from '../../db/sql/email/queue.ts';
import type { Tx } from '../../db/transaction.ts';
import { enqueue } from '../../temporal/message-kinds.ts';

/** An e-mail that follows from a fact. */
export interface NewEmail {
  customerId: string;
  kind: EmailKind;
  /** what it is about: an invoice, a credit note, a method, a contract, the customer */
  objectId: string;
  /** what tells this fact from others about the object; '' where there is one */
  occasion?: string;
  /** further ids and instants that the e-mail is written from */
  detail?: Readonly<Record<string, string | number>>;
}

/** Ids alone: what an e-mail says is read when it is sent. */
const rowOf = ({ customerId, kind, objectId, occasion = '', detail = {} }: NewEmail): EmailRow => ({
  customerId,
  kind: 'email',
  subject: [kind, objectId, ...(occasion === '' ? [] : [occasion])].join(':'),
  detail: { email: kind, object: objectId, ...detail },
  dueAt: null,
});

/**
 * Queues e-mails in the transaction of their facts, once for each fact. Nothing happens where the installation or the
 * vendor sends none.
 *
 * @returns the customers that get one
 */
export async function queueEmails(tx: Tx, emails: readonly NewEmail[]): Promise<ReadonlySet<string>> {
  return queueRows(tx, emails.map(rowOf));
}

/** Plans the times at which the facts are looked at for an e-mail; a time of the same kind and subject is moved. */
export async function queueRows(tx: Tx, rows: readonly EmailRow[]): Promise<ReadonlySet<string>> {
  if (!tx.sendsMail || rows.length === 0) return new Set();
  const customers = new Set((await queueEmailRows(tx, rows)).map(({ customerId }) => customerId));
  for (const customerId of customers) enqueue(tx, 'customer', customerId);
  return customers;
}
