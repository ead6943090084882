import type { Instant } from '../../billing/calendar/instant.ts';
import { CatchingUp } from '../../billing/contract/advance/catching-up.ts';
import type { ContractSnapshot, Outcome } from '../../billing/contract/types.ts';
import { mayPass, reasonOf } from '../../db/fault.ts';
import type { Lock } from '../../db/sql/contract/lock-contracts.ts';
import { inSavepoint } from '../../db/sql/transaction/savepoint.ts';
import type { Tx } from '../../db/transaction.ts';
import { loadSnapshots } from './load.ts';
import { parkContracts } from './park.ts';
import { type Decided, writeEffects } from './write.ts';

/** What a rule makes of one contract. */
export type BatchRule = (snapshot: ContractSnapshot) => Outcome;

export interface BatchResult {
  decided: Decided[];
  /** contracts set aside because their rule or their rows failed */
  parked: { contractId: string; error: unknown }[];
}

export interface BatchOptions {
  lock?: Exclude<Lock, 'none'>;
  /** `ending`: read only the running lines that bringing a contract up to date can give back */
  running?: 'all' | 'ending';
  /** the rule looks at the invoice threshold, so that no planned look is left to do */
  looks?: boolean;
}

interface Batch extends BatchOptions {
  at: Instant;
  rule: BatchRule;
}

/**
 * Applies a rule to many contracts in one transaction and writes what it decides. All are locked and every rule runs
 * before the first write, so that every transaction locks wallets and counters in the same order. A contract whose rule
 * fails is parked with the reason. Where reading or writing fails, all are read once more, and what was decided is
 * written for each half of them on its own until the contracts at fault are found: these are parked, the others go on.
 * Contracts that were parked before are left out.
 *
 * @throws for causes that pass, such as a database that is away or a contract that has to catch up first: nothing is
 * written and nothing is parked
 */
export async function applyToBatch(
  tx: Tx,
  ids: readonly string[],
  at: Instant,
  rule: BatchRule,
  options: BatchOptions = {},
): Promise<BatchResult> {
  if (ids.length === 0) return { decided: [], parked: [] };
  const batch = { at, rule, ...options };
  const tried = await attempt(tx, () => readAndWrite(tx, ids, batch));
  const result = await resultOf(tx, ids, batch, tried);
  const failed = result.parked.map(({ contractId, error }) => ({ contractId, reason: reasonOf(error) }));
  if (failed.length > 0) await parkContracts(tx, failed, at);
  return result;
}

async function resultOf(tx: Tx, ids: readonly string[], batch: Batch, tried: Attempt<BatchResult>): Promise<BatchResult> {
  if ('done' in tried) return tried.done;
  const [only] = ids;
  if (ids.length === 1 && only !== undefined) return { decided: [], parked: [{ contractId: only, error: tried.error }] };
  return withoutFailing(tx, ids, batch);
}

async function readAndWrite(tx: Tx, ids: readonly string[], batch: Batch): Promise<BatchResult> {
  const result = decideOn(await read(tx, ids, batch), batch);
  await writeEffects(tx, result.decided);
  return result;
}

/** Finds the contracts that can't be read or written, and writes the others. */
async function withoutFailing(tx: Tx, ids: readonly string[], batch: Batch): Promise<BatchResult> {
  const failed: BatchResult['parked'] = [];
  const fails = (contractId: string, error: unknown) => failed.push({ contractId, error });
  // again, because the attempt that was taken back has let go of their locks
  const snapshots = await inHalves(tx, ids, (some) => read(tx, some, batch), fails);
  const { decided, parked } = decideOn(snapshots, batch);
  const written = await inHalves(
    tx,
    decided,
    async (some) => {
      await writeEffects(tx, some);
      return [...some];
    },
    ({ before }, error) => fails(before.contract.id, error),
  );
  return { decided: written, parked: [...parked, ...failed] };
}

type Attempt<T> = { done: T } | { error: unknown };

/** Does a part that a contract may make fail: it has written nothing then. */
async function attempt<T>(tx: Tx, part: () => Promise<T>): Promise<Attempt<T>> {
  try {
    return { done: await inSavepoint(tx, part) };
  } catch (error) {
    if (mayPass(error) || error instanceof CatchingUp) throw error;
    return { error };
  }
}

/** Does a part for all items, and where that fails for each half of them, down to those that fail alone. */
async function inHalves<I, R>(
  tx: Tx,
  items: readonly I[],
  part: (some: readonly I[]) => Promise<R[]>,
  fails: (item: I, error: unknown) => void,
): Promise<R[]> {
  const [only] = items;
  if (only === undefined) return [];
  const tried = await attempt(tx, () => part(items));
  if ('done' in tried) return tried.done;
  if (items.length === 1) {
    fails(only, tried.error);
    return [];
  }
  const middle = Math.ceil(items.length / 2);
  const first = await inHalves(tx, items.slice(0, middle), part, fails);
  return [...first, ...(await inHalves(tx, items.slice(middle), part, fails))];
}

const read = (tx: Tx, ids: readonly string[], { at, lock = 'wait', running = 'all' }: Batch): Promise<ContractSnapshot[]> =>
  loadSnapshots(tx, ids, at, { lock, running });

function decideOn(snapshots: readonly ContractSnapshot[], { at, rule, looks = false }: Batch): BatchResult {
  const result: BatchResult = { decided: [], parked: [] };
  for (const before of snapshots) {
    if (before.contract.parkedReason !== null) continue;
    try {
      result.decided.push({ before, outcome: rule(before), at, looks });
    } catch (error) {
      if (error instanceof CatchingUp) throw error;
      result.parked.push({ contractId: before.contract.id, error });
    }
  }
  return result;
}
