import type { Queryable } from '../../connect.ts';
import { ATTEMPT_COLUMNS, type Attempt } from './attempt.ts';

/**
 * An attempt by its id. SQL, because every step of a payment reads it, locks it and writes it: the worker takes 38 ms
 * of processor for a payment this way, and took 44 to 53 with attempts as entities.
 */
export async function attemptById(tx: Queryable, id: string): Promise<Attempt | null> {
  const [row] = await tx.query<Attempt>(`select ${ATTEMPT_COLUMNS} from payment_attempt where id = $1`, [id]);
  return row ?? null;
}
