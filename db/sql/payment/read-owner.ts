import type { Queryable } from '../../connect.ts';
import type { InvoiceEntity } from '../../entities/invoice.ts';

type Owner = Pick<InvoiceEntity, 'vendorId' | 'customerId' | 'contractId' | 'clockId'>;

/** Whose invoice it is; read before anything is locked. SQL, because every payment begins with it. */
export async function ownerOf(tx: Queryable, invoiceId: string): Promise<Owner | null> {
  const [row] = await tx.query<Owner>(
    `select vendor_id as "vendorId", customer_id as "customerId", contract_id as "contractId", test_clock_id as "clockId"
     from invoice where id = $1`,
    [invoiceId],
  );
  return row ?? null;
}
