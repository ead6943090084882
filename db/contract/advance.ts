import type { Instant } from '../../billing/calendar/instant.ts';
import { advance } from '../../billing/contract/advance.ts';
import type { Life } from '../../billing/contract/types.ts';
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

/**
 * Does everything that is due for these contracts up to an instant. Rules run before any write, so one that throws leaves
 * the others untouched. Parked contracts are left to whoever resumes them.
 */
export async function advanceContracts(tx: Queryable, ids: readonly string[], upTo: Instant, lock: Exclude<Lock, 'none'>): Promise<Advanced> {
  const lives = (await loadLives(tx, ids, upTo, { lock })).filter((life) => life.contract.parkedReason === null);
  const decided: Decided[] = [];
  const failed: Advanced['failed'] = [];
  for (const before of lives) {
    try {
      decided.push({ before, outcome: advance(before, upTo, newId, { instants: INSTANTS }), at: upTo });
    } catch (error) {
      failed.push({ contractId: before.contract.id, error });
    }
  }
  const wishes = await writeEffects(tx, decided);
  return { done: decided.map(({ before }) => before.contract.id), failed, wishes };
}

/** A life brought to an instant in memory: what estimates and reads look at. Nothing is written. */
export function advancedLife(life: Life, upTo: Instant): Life {
  return advance(life, upTo, newId).life;
}
