import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Instant } from '../../billing/calendar/instant.ts';
import { type ChangePlan, planChange } from '../../billing/contract/change/change.ts';
import type { ChangeRequest } from '../../billing/contract/change/change-request.ts';
import { requireUngated } from '../../billing/contract/terms/require.ts';
import type { Contract, ContractSnapshot } from '../../billing/contract/types.ts';
import { Refusal } from '../../billing/refusal.ts';
import type { Database, Queryable } from '../../db/connect.ts';
import { mayPass } from '../../db/fault.ts';
import { Groups } from '../../db/groups.ts';
import { newSeed, seededIds } from '../../db/id.ts';
import { readingOnce } from '../../db/reading-once.ts';
import { nowOf } from '../../db/sql/clock/now-of.ts';
import { contractsByIds } from '../../db/sql/contract/by-ids.ts';
import { type ContractClock, clocksOfContracts } from '../../db/sql/contract/clocks-of-contracts.ts';
import { type UsageOwnership, usageOwnersOf } from '../../db/sql/contract/usage-owners.ts';
import { readPlan } from '../../db/sql/plan/read.ts';
import { sqlState } from '../../db/sql-state.ts';
import { together } from '../../db/together.ts';
import { estimateAfterFreeze } from '../customer/after-freeze.ts';
import { refuseWhileAdvancing } from '../customer/lock.ts';
import { type ChangeInput, type EstimateBasis, factsFingerprint, linesFingerprint, readChangeRequest, readsOwners } from './change.ts';
import { loadSnapshots } from './load.ts';
import { unknownContract } from './unknown.ts';

interface Ask {
  vendorId: string;
  contractId: string;
  input: ChangeInput;
}

interface Estimate {
  plan: ChangePlan;
  basis: EstimateBasis;
}

type Estimated = { estimate: Estimate } | { error: unknown };

/**
 * Few and small groups: computing an estimate blocks the process, so larger ones would delay other requests. What comes
 * while one is computed shares the next one's statements; a group that is held up keeps nobody waiting for long.
 */
const LIMITS = { atOnce: 2, besideAfterMs: 50, most: 16 };

/**
 * Estimates changes: the whole computation of each, without writing anything of it. What many requests need is read in
 * the same statements.
 */
export class ChangeEstimates {
  readonly #db: Database;
  readonly #groups: Groups<Ask, Estimated>;

  constructor(db: Database) {
    this.#db = db;
    this.#groups = new Groups((asks) => this.#estimate(asks), LIMITS);
  }

  /** @throws Refusal `contract_not_found`, `clock_advancing`, and whatever refuses the change itself */
  async estimate(vendorId: string, contractId: string, input: ChangeInput): Promise<Estimate> {
    return estimateAfterFreeze(this.#db, { vendorId, contractId }, async () => {
      const estimated = await this.#groups.one({ vendorId, contractId, input });
      if ('estimate' in estimated) return estimated.estimate;
      throw isUnknown(estimated.error) ? await unknownContract({ em: this.#db.em() }, { vendorId, contractId }) : estimated.error;
    });
  }

  /** A contract that can't be read or advanced doesn't make the others fail. */
  async #estimate(asks: readonly Ask[]): Promise<Estimated[]> {
    try {
      return await computeAll(asks, await this.#db.reading((db) => readAll(db, asks, () => undefined)));
    } catch (error) {
      if (asks.length === 1 || mayPass(error)) return asks.map(() => ({ error }));
      const alone: Estimated[] = [];
      for (const ask of asks) alone.push(...(await this.#estimate([ask])));
      return alone;
    }
  }
}

/** What a change is computed from, or why there is none. */
type Start = { snapshot: ContractSnapshot; instant: Instant } | { error: Refusal };
type Ready = { snapshot: ContractSnapshot; instant: Instant; request: ChangeRequest } | { error: unknown };

/**
 * Estimates changes of contracts, reading in the same statements what many of them need.
 *
 * @param require refuses a contract that may not be changed in this way
 */
export const estimateAll = async (
  db: Queryable,
  asks: readonly Ask[],
  require: (snapshot: ContractSnapshot) => void,
): Promise<Estimated[]> => computeAll(asks, await readAll(db, asks, require));

async function readAll(db: Queryable, asks: readonly Ask[], require: (snapshot: ContractSnapshot) => void): Promise<Ready[]> {
  const places = await readPlaces(db, asks);
  const customers = new Set([...places.values()].map(({ customerId }) => customerId));
  const catalogue = readingOnce(db);
  const [starts, owners] = await together(db, [
    () => readStarts(db, places),
    async () => (asks.some(({ input }) => readsOwners(input)) ? usageOwnersOf(db, [...customers]) : []),
    ...plansOf(asks).map(
      ({ vendorId, planId }) =>
        () =>
          readPlan(catalogue, vendorId, planId),
    ),
  ]);
  const results: Ready[] = [];
  for (const ask of asks) {
    const ready = readOne(catalogue, ask, starts.get(keyOf(ask)), owners, require);
    results.push(await ready.catch(ofOneAsk));
  }
  return results;
}

/** After a failed statement the connection refuses what the others still have to read. */
function ofOneAsk(error: unknown): { error: unknown } {
  if (sqlState(error) !== undefined) throw error;
  return { error };
}

async function readOne(
  catalogue: Queryable,
  { contractId, input }: Ask,
  start: Start | undefined,
  owners: readonly UsageOwnership[],
  require: (snapshot: ContractSnapshot) => void,
): Promise<Ready> {
  if (start === undefined) throw new Refusal('contract_not_found', `There is no contract ${contractId}.`);
  if ('error' in start) throw start.error;
  requireUngated(start.snapshot.contract);
  require(start.snapshot);
  return { ...start, request: await readChangeRequest(catalogue, start.snapshot, input, async () => owners) };
}

/** Nothing is read any more, so the connection is free for others meanwhile. */
async function computeAll(asks: readonly Ask[], ready: readonly Ready[]): Promise<Estimated[]> {
  const results: Estimated[] = [];
  for (const [at, { contractId }] of asks.entries()) {
    results.push(computeOne(contractId, ready[at] as Ready));
    if (results.length < asks.length) await nextTurn();
  }
  return results;
}

function computeOne(contractId: string, ready: Ready): Estimated {
  if ('error' in ready) return ready;
  try {
    return { estimate: compute(contractId, ready) };
  } catch (error) {
    return { error };
  }
}

function compute(contractId: string, { snapshot, instant, request }: Exclude<Ready, { error: unknown }>): Estimate {
  const seed = newSeed();
  const plan = planChange(snapshot, request, instant, seededIds(seed, instant));
  const { newContractId } = plan;
  const basis = { contractId, instant, seed, newContractId, facts: factsFingerprint(snapshot, request), lines: linesFingerprint(plan) };
  return { plan, basis };
}

const isUnknown = (error: unknown): boolean => error instanceof Refusal && error.code === 'contract_not_found';

const keyOf = ({ vendorId, contractId }: { vendorId: string; contractId: string }): string => `${vendorId} ${contractId}`;

/** The plans that are named, each once. */
function plansOf(asks: readonly Ask[]): { vendorId: string; planId: string }[] {
  const named = asks.flatMap(({ vendorId, input: { planId } }) => (planId === null ? [] : [{ vendorId, planId }]));
  return [...new Map(named.map((one) => [`${one.vendorId} ${one.planId}`, one])).values()];
}

/** A contract that exists, read right after the wall clock's time. */
type Place = ContractClock & { contract: Contract | undefined };

/** By vendor and contract. */
async function readPlaces(db: Queryable, asks: readonly Ask[]): Promise<Map<string, Place>> {
  const wanted = [...new Map(asks.map((ask) => [keyOf(ask), ask])).values()];
  const ids = [...new Set(wanted.map(({ contractId }) => contractId))];
  const [places, contracts] = await together(db, [() => clocksOfContracts(db, wanted), () => contractsByIds(db, ids)]);
  const byId = new Map(contracts.map((contract) => [contract.id, contract]));
  return new Map(places.map((place) => [keyOf(place), { ...place, contract: byId.get(place.contractId) }]));
}

/** By vendor and contract; the contracts of one clock are read as of one instant. */
async function readStarts(db: Queryable, places: ReadonlyMap<string, Place>): Promise<Map<string, Start>> {
  const starts = new Map<string, Start>();
  for (const [clockId, here] of Map.groupBy(places.values(), (place) => place.clockId)) {
    const instant = await instantOn(db, clockId, here).catch(refusalOnly);
    const ids = here.map(({ contractId }) => contractId);
    if (instant instanceof Refusal) for (const place of here) starts.set(keyOf(place), { error: instant });
    else
      for (const snapshot of await loadSnapshots(db, ids, instant, { left: 'shown', ...(clockId === null ? readBefore(here) : {}) }))
        starts.set(keyOf({ vendorId: snapshot.contract.vendorId, contractId: snapshot.contract.id }), { snapshot, instant });
  }
  return starts;
}

/** Contracts of a test clock are read after the clock's own time: it may have advanced them in between. */
const readBefore = (here: readonly Place[]) => ({ found: here.flatMap(({ contract }) => contract ?? []) });

async function instantOn(db: Queryable, clockId: string | null, here: readonly ContractClock[]): Promise<Instant> {
  await refuseWhileAdvancing(db, clockId);
  return clockId === null ? Math.floor(Math.max(...here.map(({ now }) => now))) : nowOf(db, clockId);
}

function refusalOnly(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  throw error;
}
