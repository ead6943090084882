import type { Tx } from '../../db/connect.ts';
import { Customer } from '../../db/entities/customer.ts';

/** Whether a customer is frozen: money may come in then, and nothing is collected. */
export const isCustomerFrozen = async ({ em }: Tx, id: string): Promise<boolean> =>
  (await em.count(Customer, { id, status: 'inactive' })) > 0;
