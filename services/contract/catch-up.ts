import type { Database } from '../../db/connect.ts';
import { nowOf } from '../../db/sql/clock/now-of.ts';
import { advanceBatch } from './advance.ts';

/**
 * Carries a late contract some instants further, in a transaction of its own that gives way to others; a test clock on
 * its way does it by itself.
 */
export async function catchUp(db: Database, contractId: string): Promise<void> {
  await db.transaction(async (tx) => {
    const [contract] = await tx.query<{ clockId: string | null; status: string | null }>(
      `select c.test_clock_id as "clockId", t.status from contract c left join test_clock t on t.id = c.test_clock_id where c.id = $1`,
      [contractId],
    );
    if (contract === undefined || contract.status === 'advancing') return;
    await advanceBatch(tx, [contractId], await nowOf(tx, contract.clockId));
  });
}
