import { nowOf, readClock } from '../clock/now.ts';
import type { Database } from '../connect.ts';
import { advanceContracts } from './advance.ts';
import { isReady } from './detail.ts';

/**
 * Takes the first step of a signed contract in place of its workflow, when that is long in coming: signing needs Postgres alone. The workflow
 * finds the step taken and only reads what comes next. A contract whose rule throws is left to it, and so is one on a clock that moves.
 *
 * @returns ids of the wishes to deliver after the commit
 */
export function takeFirstStep(db: Database, contractId: string): Promise<string[]> {
  return db.transaction(async (tx) => {
    if (await isReady(tx, contractId)) return [];
    const [row] = await tx.query<{ clock: string | null }>('select test_clock_id as clock from contract where id = $1', [contractId]);
    const clockId = row?.clock ?? null;
    if (clockId !== null && (await readClock(tx, clockId, { lock: true }))?.status === 'advancing') return [];
    const own = { ids: [contractId], lock: 'wait' as const };
    return (await advanceContracts(tx, [own], await nowOf(tx, clockId))).wishes;
  });
}
