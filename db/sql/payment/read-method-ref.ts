import type { MethodRef } from '../../../billing/payment/types.ts';
import type { Queryable } from '../../connect.ts';

/** How its provider knows a method. SQL, because every charge reads it. */
export async function readMethodRef(tx: Queryable, methodId: string): Promise<MethodRef | null> {
  const [row] = await tx.query<MethodRef>('select reference, customer_reference as "customerReference" from payment_method where id = $1', [
    methodId,
  ]);
  return row ?? null;
}
