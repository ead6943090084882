import type { ProviderName } from '../../../billing/payment/types.ts';
import type { Queryable } from '../../connect.ts';
import type { CustomerEntity } from '../../entities/customer.ts';
import type { PaymentMethodRecord } from '../../entities/payment-method.ts';

/** A customer who is to pay, and the method that was asked for, or else the default one. */
export interface Payer {
  customerStatus: CustomerEntity['status'];
  /** a method's id, `none` or `manual` */
  defaultPayment: string;
  /** null: this customer has no such method */
  method: { id: string; provider: ProviderName; status: PaymentMethodRecord['status'] } | null;
}

const SQL = `select c.status as "customerStatus", c.default_payment as "defaultPayment",
    case when m.id is not null then json_build_object('id', m.id, 'provider', m.provider, 'status', m.status) end as method
  from customer c left join payment_method m on m.id = coalesce($3, c.default_payment) and m.customer_id = c.id and m.vendor_id = c.vendor_id
  where c.id = $2 and c.vendor_id = $1`;

/**
 * Who pays an invoice on request, and by what; null where there is no such customer.
 *
 * SQL, because every payment on request reads it, and a customer's default is a word or a method's id, which no
 * relation can follow.
 */
export async function readPayer(
  tx: Queryable,
  { vendorId, customerId }: { vendorId: string; customerId: string },
  method: string | null,
): Promise<Payer | null> {
  const [row] = await tx.query<Payer>(SQL, [vendorId, customerId, method]);
  return row ?? null;
}
