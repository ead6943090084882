import type { Instant } from '../../billing/calendar/instant.ts';
import { CONTRACT_KINDS } from '../../db/agenda/contract-rows.ts';
import type { Database, Queryable } from '../../db/connect.ts';
import { type Advanced, advanceContracts } from '../../db/contract/advance.ts';
import { dueContracts } from '../../db/contract/due.ts';
import { parkContract } from '../../db/contract/park.ts';
import { mayPass, reasonOf } from '../../db/fault.ts';
import { stamp } from '../../db/rows.ts';
import { recordWishes } from '../../db/wish/record.ts';
import type { Dependencies } from '../dependencies.ts';

const AT_ONCE = 200;
/** A very late contract takes several turns at one instant; one that never comes to an end is parked. */
const MOST_TURNS = 100;

/** Brings up every contract of the clock with something due at an instant; ties by contract id. */
export async function carryContracts(dependencies: Dependencies, clockId: string, at: Instant, wishes: Set<string>): Promise<void> {
  const turns = new Map<string, number>();
  for (;;) {
    const ids = await dueContracts(dependencies.db, clockId, at, AT_ONCE);
    if (ids.length === 0) return;
    await carryBatch(dependencies, ids, at, wishes);
    for (const id of ids) {
      const taken = (turns.get(id) ?? 0) + 1;
      turns.set(id, taken);
      if (taken >= MOST_TURNS) await parkOne(dependencies, id, at, new Error('what is due does not go away by carrying it out'));
    }
  }
}

/** One transaction for the batch; when it can't be written, one for each contract, so that the faulty one is found and parked. */
async function carryBatch(dependencies: Dependencies, ids: readonly string[], at: Instant, wishes: Set<string>): Promise<void> {
  const { db } = dependencies;
  try {
    await settle(dependencies, await db.transaction((tx) => carry(tx, ids, at)), at, wishes);
  } catch (error) {
    if (mayPass(error)) throw error;
    if (ids.length === 1) return parkOne(dependencies, ids[0] as string, at, error);
    for (const id of ids) await carryBatch(dependencies, [id], at, wishes);
  }
}

async function carry(tx: Queryable, ids: readonly string[], at: Instant): Promise<Advanced> {
  const advanced = await advanceContracts(tx, [{ ids, lock: 'wait' }], at);
  const wakes = await recordWishes(
    tx,
    advanced.done.map((workflowId) => ({ kind: 'wake_contract', workflowId, payload: {} })),
  );
  return { ...advanced, wishes: [...advanced.wishes, ...wakes] };
}

async function settle(dependencies: Dependencies, advanced: Advanced, at: Instant, wishes: Set<string>): Promise<void> {
  for (const id of advanced.wishes) wishes.add(id);
  for (const { contractId, error } of advanced.failed) await parkOne(dependencies, contractId, at, error);
}

async function parkOne({ db, log }: Dependencies, contractId: string, at: Instant, error: unknown): Promise<void> {
  log.error({ err: error, contract: contractId }, 'the contract is parked');
  await db.transaction(async (tx) => {
    await parkContract(tx, contractId, reasonOf(error), at);
    await recordWishes(tx, [{ kind: 'wake_contract', workflowId: contractId, payload: {} }]);
  });
}

/** Why a contract of the clock can't go on at an instant; null when all can. */
export async function parkedAt(db: Database, clockId: string, at: Instant): Promise<string | null> {
  const [row] = await db.query<{ id: string; parked_reason: string }>(
    `select c.id, c.parked_reason from agenda a join contract c on c.id = a.contract_id
     where a.test_clock_id = $1 and a.due_at <= $2 and a.kind = any($3::text[]) and c.parked_reason is not null order by a.due_at, c.id limit 1`,
    [clockId, stamp(at), CONTRACT_KINDS],
  );
  return row === undefined ? null : `${row.id} is parked: ${row.parked_reason}`;
}
