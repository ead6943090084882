import type { Logger } from 'pino';
import type { Instant } from '../../billing/calendar/instant.ts';
import { CONTRACT_KINDS } from '../../db/agenda/contract-kinds.ts';
import type { Database } from '../../db/connect.ts';
import { parkedContract } from '../../db/sql/clock/parked-contract.ts';
import type { Lane } from '../../db/sql/contract/due-of-vendor.ts';
import { dueOnClock } from '../../db/sql/contract/due-on-clock.ts';
import type { WorkflowMessage } from '../../db/transaction.ts';
import { advanceBatch } from '../contract/advance.ts';
import { parkContract } from '../contract/park.ts';

const AT_ONCE = 200;
/** Lanes of a herd: while Postgres writes the batch of one, the batch of the other is computed. */
const LANES = 2;
/** A very late contract takes several transactions at one instant; one that never comes to an end is parked. */
const MOST_TIMES = 100;

interface Parts {
  db: Database;
  log: Logger;
}

/**
 * Advances every contract of the clock with something due at an instant; ties by contract id. A herd is shared out to
 * two lanes by customer, so that the contracts of one customer stay in order.
 *
 * @param messages for workflows; the caller sends them
 */
export async function advanceDueContracts(parts: Parts, clockId: string, at: Instant, messages: WorkflowMessage[]): Promise<void> {
  const dueIn = (lane: Lane) => dueOnClock(parts.db, clockId, at, lane, AT_ONCE / lane.lanes);
  const all = { lane: 0, lanes: 1 };
  const first = await dueIn(all);
  if (first.length < AT_ONCE) return advanceLane(parts, { at, first, next: () => dueIn(all) }, messages);
  const lanes = Array.from({ length: LANES }, (_, lane) => () => dueIn({ lane, lanes: LANES }));
  const ended = await Promise.allSettled(lanes.map(async (next) => advanceLane(parts, { at, first: await next(), next }, messages)));
  const errors = ended.flatMap((lane) => (lane.status === 'rejected' ? [lane.reason as unknown] : []));
  if (errors.length > 1) throw new AggregateError(errors, 'both lanes failed');
  if (errors.length > 0) throw errors[0];
}

async function advanceLane(
  { db, log }: Parts,
  { at, first, next }: { at: Instant; first: string[]; next: () => Promise<string[]> },
  messages: WorkflowMessage[],
): Promise<void> {
  const times = new Map<string, number>();
  for (let ids = first; ids.length > 0; ids = await next()) {
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
