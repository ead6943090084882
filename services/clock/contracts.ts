import type { Logger } from 'pino';
import type { Instant } from '../../billing/calendar/instant.ts';
import { CONTRACT_KINDS } from '../../db/agenda/contract-rows.ts';
import type { Database } from '../../db/connect.ts';
import { parkedContract } from '../../db/sql/clock/parked-contract.ts';
import { dueOnClock } from '../../db/sql/contract/due-on-clock.ts';
import type { WorkflowMessage } from '../../db/transaction.ts';
import { advanceBatch } from '../contract/advance.ts';
import { parkContract } from '../contract/park.ts';

const AT_ONCE = 200;
/** A very late contract takes several transactions at one instant; one that never comes to an end is parked. */
const MOST_TIMES = 100;

/** Advances every contract of the clock with something due at an instant; ties by contract id. */
export async function advanceDueContracts(
  { db, log }: { db: Database; log: Logger },
  clockId: string,
  at: Instant,
  messages: WorkflowMessage[],
): Promise<void> {
  const times = new Map<string, number>();
  for (;;) {
    const ids = await dueOnClock(db, clockId, at, AT_ONCE);
    if (ids.length === 0) return;
    const endless = ids.filter((id) => (times.get(id) ?? 0) >= MOST_TIMES);
    const { parked, outbox } = await db.transaction(
      async (tx) => {
        for (const id of endless) await parkContract(tx, id, 'what is due does not go away by carrying it out', at);
        const advanced = await advanceBatch(tx, ids, at);
        return { ...advanced, outbox: tx.outbox };
      },
      { by: 'clock', dispatch: 'later', prepare: true },
    );
    for (const { contractId, error } of parked) log.error({ err: error, contract: contractId }, 'the contract is parked');
    messages.push(...outbox);
    for (const id of ids) times.set(id, (times.get(id) ?? 0) + 1);
  }
}

/** Why a contract of the clock can't go on at an instant; null when all can. */
export async function parkedAt(db: Database, clockId: string, at: Instant): Promise<string | null> {
  const parked = await parkedContract(db, clockId, at, CONTRACT_KINDS);
  return parked === null ? null : `${parked.id} is parked: ${parked.reason}`;
}
