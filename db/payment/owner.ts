import type { EntityManager } from '@mikro-orm/postgresql';
import { Invoice, type InvoiceEntity } from '../entities/invoice.ts';

type Owner = Pick<InvoiceEntity, 'vendorId' | 'customerId' | 'contractId' | 'clockId'>;

/** Whose invoice it is; read before anything is locked. */
export const ownerOf = (em: EntityManager, invoiceId: string): Promise<Owner | null> =>
  em.findOne(Invoice, { id: invoiceId }, { fields: ['vendorId', 'customerId', 'contractId', 'clockId'] });
