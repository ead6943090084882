import type { Instant } from '../../billing/calendar/instant.ts';
import { advance } from '../../billing/contract/advance.ts';
import { agendaOf } from '../../billing/contract/schedule.ts';
import type { Life } from '../../billing/contract/types.ts';
import { replaceAgenda } from '../agenda/contract-rows.ts';
import type { Queryable } from '../connect.ts';
import { newId } from '../id.ts';
import { loadLives } from './load.ts';
import type { Lock } from './lock.ts';
import { type Decided, writeEffects } from './write.ts';

/** So many instants of one contract in one transaction; the agenda holds the rest. */
const INSTANTS = 200;

export interface Advanced {
  /** ids of the contracts brought up */
  done: string[];
  /** those whose rules threw: nothing of them was written */
  failed: { contractId: string; error: unknown }[];
  /** wishes to deliver after the commit */
  wishes: string[];
}

/** Contracts to bring up, and how to take hold of them. */
interface Group {
  ids: readonly string[];
  lock: Exclude<Lock, 'none'>;
}

/**
 * Does everything that is due for these contracts up to an instant. All are held and all rules run before the first write, so that one
 * whose rule throws leaves the others untouched, and wallets and counters are taken in one order by everybody. Parked contracts are left to
 * whoever resumes them.
 *
 * @param groups taken in this order: the own contract waits for its row while nothing else is held, others only if they are free
 */
export async function advanceContracts(tx: Queryable, groups: readonly Group[], upTo: Instant): Promise<Advanced> {
  const decided: Decided[] = [];
  const failed: Advanced['failed'] = [];
  for (const { ids, lock } of groups) {
    if (ids.length === 0) continue;
    for (const before of await loadLives(tx, ids, upTo, { lock, running: 'ending' })) {
      if (before.contract.parkedReason !== null) continue;
      try {
        decided.push({ before, outcome: advance(before, upTo, newId, { instants: INSTANTS }), at: upTo });
      } catch (error) {
        failed.push({ contractId: before.contract.id, error });
      }
    }
  }
  const wishes = await writeEffects(tx, decided);
  await correctAgendas(tx, decided);
  return { done: decided.map(({ before }) => before.contract.id), failed, wishes };
}

/** A contract that was taken for due and had nothing to do has a stale row: the agenda is made true, else it would be found due for ever. */
async function correctAgendas(tx: Queryable, decided: readonly Decided[]): Promise<void> {
  const idle = decided.filter(({ outcome }) => outcome.effects.agenda.length === 0);
  await replaceAgenda(
    tx,
    idle.map(({ outcome: { life } }) => ({
      contract: life.contract,
      rows: agendaOf(life.contract, life.periods, life.customer.pauses),
    })),
  );
}

/** A life brought to an instant in memory: what estimates and reads look at. Nothing is written. */
export function advancedLife(life: Life, upTo: Instant): Life {
  return advance(life, upTo, newId).life;
}
