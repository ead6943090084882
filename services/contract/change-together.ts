import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Instant } from '../../billing/calendar/instant.ts';
import { planChange } from '../../billing/contract/change/change.ts';
import { requireCallable } from '../../billing/contract/terms/require.ts';
import type { ContractSnapshot } from '../../billing/contract/types.ts';
import type { Database, Queryable, Tx } from '../../db/connect.ts';
import { OwnersGroups } from '../../db/groups.ts';
import { idsWith, LONGEST_LOCK_MS, type MadeTogether, makeInOne, takeKeys } from '../../db/made-together.ts';
import { readingOnce } from '../../db/reading-once.ts';
import { noteAuditedObjects } from '../../db/sql/audit/note-object.ts';
import { nowOf } from '../../db/sql/clock/now-of.ts';
import { clocksOfContracts } from '../../db/sql/contract/clocks-of-contracts.ts';
import { type UsageOwnership, usageOwnersOf } from '../../db/sql/contract/usage-owners.ts';
import { readPlan } from '../../db/sql/plan/read.ts';
import { limitLocks } from '../../db/sql/transaction/limit-locks.ts';
import { sqlState } from '../../db/sql-state.ts';
import { together } from '../../db/together.ts';
import { type ChangeInput, readChangeRequest, readsOwners } from './change.ts';
import type { ContractCall } from './decide.ts';
import { loadSnapshots } from './load.ts';
import { type Decided, writeEffects } from './write.ts';

/** A change of a contract to one whose id is given. */
export interface NewChange extends MadeTogether {
  call: ContractCall;
  input: ChangeInput;
}

/** The rules of a group run while its contracts are locked, so a group is smaller than one of signings. */
const LIMITS = { atOnce: 2, most: 16 };

/**
 * Changes contracts of requests that arrive together in one transaction for each caller; each is answered after its
 * commit, and no caller waits for another's. It knows no refusals: what has to be refused, waited for or caught up, and
 * contracts on test clocks or with a payment gate, are left to a transaction of their own.
 */
export class ChangeIntake {
  readonly #groups: OwnersGroups<NewChange, boolean>;

  constructor(db: Database) {
    this.#groups = new OwnersGroups((entries) => makeInOne(db, entries, changeTogether), LIMITS);
    db.crowds.push(this.#groups);
  }

  /**
   * Changes one contract.
   *
   * @returns false: nothing was written, and a transaction of its own says why, or makes the change
   * @throws CommitUnknown as a transaction of its own would
   */
  change(entry: NewChange): Promise<boolean> {
    return this.#groups.one(JSON.stringify([entry.asker.caller, entry.call.vendorId]), entry);
  }
}

interface Planned {
  entry: NewChange;
  decided: Decided;
}

/** @returns ids of the contracts that are made */
async function changeTogether(tx: Tx, entries: readonly NewChange[]): Promise<Set<string>> {
  const catalogue = readingOnce(tx);
  const { snapshots, now, owners } = await lockFree(tx, entries, catalogue);
  const planned: Planned[] = [];
  for (const [entry, before] of firstOfEach(entries, snapshots)) {
    const one = await plannedChange(catalogue, entry, { before, now, owners });
    if (one !== null) planned.push(one);
    await nextTurn();
  }
  const fresh = await takeKeys(tx, planned, ({ entry }) => entry.call.contractId);
  await writeEffects(
    tx,
    fresh.map(({ decided }) => decided),
  );
  return new Set(fresh.map(({ entry }) => entry.contractId));
}

/** What changes of a group are computed from. */
interface GroupFacts {
  snapshots: Map<string, ContractSnapshot>;
  now: Instant;
  owners: readonly UsageOwnership[];
}

/**
 * Locks the vendor's contracts that are free and on the wall clock, by customer and contract as a bill run does. What
 * their customers own and the plans they are to have are asked for right behind the customers' locks.
 */
async function lockFree(tx: Queryable, entries: readonly NewChange[], catalogue: Queryable): Promise<GroupFacts> {
  const audited = entries.flatMap(({ asker, call }) => (asker.audit === undefined ? [] : [call.contractId]));
  const calls = entries.map(({ call }) => call);
  const [, , places] = await together(tx, [
    () => limitLocks(tx, LONGEST_LOCK_MS),
    () => noteAuditedObjects(tx, audited, true),
    () => clocksOfContracts(tx, calls),
  ]);
  const free = places.filter(({ clockId }) => clockId === null);
  let now = 0;
  const readNow = async () => {
    now = await nowOf(tx, null);
    return now;
  };
  const customerIds = [...new Set(free.map(({ customerId }) => customerId))];
  const [found, owners] = await together(tx, [
    () => loadSnapshots(tx, [...new Set(free.map(({ contractId }) => contractId))], readNow, { lock: 'skip' }),
    async () => (entries.some(({ input }) => readsOwners(input)) ? usageOwnersOf(tx, customerIds) : []),
    () => together(tx, plansOf(entries, catalogue)),
  ]);
  return { snapshots: new Map(found.map((one) => [one.contract.id, one])), now, owners };
}

/** Reads of the plans that are named, so that the catalogue has them. */
const plansOf = (entries: readonly NewChange[], catalogue: Queryable): (() => Promise<unknown>)[] =>
  entries.flatMap(({ call, input: { strategy, planId } }) =>
    strategy === 'new_plan' && planId !== null ? [() => readPlan(catalogue, call.vendorId, planId)] : [],
  );

/** A customer's second change and a repeat of a key come after the first, each in a transaction of its own. */
function firstOfEach(
  entries: readonly NewChange[],
  snapshots: ReadonlyMap<string, ContractSnapshot>,
): (readonly [NewChange, ContractSnapshot])[] {
  const found = entries.flatMap((entry) => {
    const snapshot = snapshots.get(entry.call.contractId);
    return snapshot === undefined ? [] : [[entry, snapshot] as const];
  });
  const seen = new Set<string>();
  const first = found.filter(([{ answer }, { contract }]) => {
    const marks = answer === null ? [contract.customerId] : [contract.customerId, `key ${answer.ref.key}`];
    const isFirst = !marks.some((mark) => seen.has(mark));
    for (const mark of marks) seen.add(mark);
    return isFirst;
  });
  return first.toSorted(([, a], [, b]) => (a.contract.customerId < b.contract.customerId ? -1 : 1));
}

/** null: a transaction of its own finds out what is in the way. */
async function plannedChange(
  catalogue: Queryable,
  entry: NewChange,
  { before, now, owners }: { before: ContractSnapshot; now: Instant; owners: readonly UsageOwnership[] },
): Promise<Planned | null> {
  if (before.contract.gate !== null) return null;
  try {
    requireCallable(before);
    const request = await readChangeRequest(catalogue, before, entry.input, async () => owners);
    const plan = planChange(before, request, now, idsWith(entry.contractId));
    return plan.newContractId === entry.contractId ? { entry, decided: { before, outcome: plan.outcome, at: now } } : null;
  } catch (error) {
    if (sqlState(error) !== undefined) throw error;
    return null;
  }
}
