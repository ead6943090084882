import type { Instant } from '../../billing/calendar/instant.ts';
import { CatchingUp } from '../../billing/contract/advance/catching-up.ts';
import type { ContractSnapshot, Outcome } from '../../billing/contract/types.ts';
import { mayPass, reasonOf } from '../../db/fault.ts';
import type { Lock } from '../../db/sql/contract/lock-contracts.ts';
import { inSavepoint } from '../../db/sql/transaction/savepoint.ts';
import type { Tx } from '../../db/transaction.ts';
import { loadSnapshots } from './load.ts';
import { parkContract } from './park.ts';
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

/**
 * Applies a rule to many contracts in one transaction and writes what it decides. All are locked and every rule runs
 * before the first write, so that every transaction locks wallets and counters in the same order. A contract whose rule
 * fails is parked with the reason; where reading or writing fails, each half of the batch is tried on its own until the
 * contract at fault is found, and the others go on. Parked contracts are left out.
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
  const failed: BatchResult['parked'] = [];
  try {
    const decided = await inSavepoint(tx, () => decideAndWrite(tx, ids, at, rule, { ...options, failed }));
    for (const { contractId, error } of failed) await parkContract(tx, contractId, reasonOf(error), at);
    return { decided, parked: failed };
  } catch (error) {
    if (mayPass(error) || error instanceof CatchingUp) throw error;
    const [only] = ids;
    if (ids.length === 1 && only !== undefined) {
      await parkContract(tx, only, reasonOf(error), at);
      return { decided: [], parked: [{ contractId: only, error }] };
    }
  }
  const middle = Math.ceil(ids.length / 2);
  const first = await applyToBatch(tx, ids.slice(0, middle), at, rule, options);
  const second = await applyToBatch(tx, ids.slice(middle), at, rule, options);
  return { decided: [...first.decided, ...second.decided], parked: [...first.parked, ...second.parked] };
}

async function decideAndWrite(
  tx: Tx,
  ids: readonly string[],
  at: Instant,
  rule: BatchRule,
  { lock = 'wait', running = 'all', looks = false, failed }: BatchOptions & { failed: BatchResult['parked'] },
): Promise<Decided[]> {
  const decided: Decided[] = [];
  for (const before of await loadSnapshots(tx, ids, at, { lock, running })) {
    if (before.contract.parkedReason !== null) continue;
    try {
      decided.push({ before, outcome: rule(before), at, looks });
    } catch (error) {
      if (error instanceof CatchingUp) throw error;
      failed.push({ contractId: before.contract.id, error });
    }
  }
  await writeEffects(tx, decided);
  return decided;
}
