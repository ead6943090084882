import type { Queryable } from '../../connect.ts';
import { ATTEMPT_COLUMNS, type Attempt } from './attempt.ts';

/** An attempt as it is now, locked until the transaction ends. SQL, because every step of a payment does it. */
export async function lockAttempt(tx: Queryable, id: string): Promise<Attempt | null> {
  const [row] = await tx.query<Attempt>(`select ${ATTEMPT_COLUMNS} from payment_attempt where id = $1 for update`, [id]);
  return row ?? null;
}
