import type { ProviderName } from '../../../billing/payment/types.ts';
import type { Queryable } from '../../connect.ts';

/**
 * The provider of a customer's default method; null where no method pays automatically. SQL, because a customer's
 * default is a word or a method's id, which no relation can follow.
 */
export async function readDefaultProvider(db: Queryable, customerId: string): Promise<ProviderName | null> {
  const [row] = await db.query<{ provider: ProviderName }>(
    'select m.provider from customer c join payment_method m on m.id = c.default_payment where c.id = $1',
    [customerId],
  );
  return row?.provider ?? null;
}
