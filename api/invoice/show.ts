import type { EntityManager } from '@mikro-orm/postgresql';
import type { z } from 'zod';
import type { Queryable } from '../../db/connect.ts';
import { readInvoice } from '../../db/sql/invoice/read.ts';
import { invoicesInFull } from '../../snapshots/invoice.ts';
import { Problem } from '../http/problem.ts';
import type { InvoiceDetail } from '../schema/invoice.ts';

/** The current state of an invoice, with its items, payment attempts, credit notes and disputes. */
export async function showInvoice(db: Queryable, em: EntityManager, vendor: string, id: string): Promise<z.input<typeof InvoiceDetail>> {
  const invoice = await readInvoice(db, vendor, id);
  const [shown] = invoice === null ? [] : await invoicesInFull(db, em, [invoice]);
  if (shown === undefined) throw new Problem('invoice_not_found');
  return shown;
}
