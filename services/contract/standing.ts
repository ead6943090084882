import type { Instant } from '../../billing/calendar/instant.ts';
import { MOST_INSTANTS } from '../../billing/contract/advance/catching-up.ts';
import { type ContractStanding, countedIdx, isLateAt, type StandingFacts, standingAt } from '../../billing/contract/estimate/standing.ts';
import type { Contract, SnapshotCustomer } from '../../billing/contract/types.ts';
import { customerMachine } from '../../billing/lifecycle/customer.ts';
import { next } from '../../billing/lifecycle/machine.ts';
import type { Database, Queryable } from '../../db/connect.ts';
import type { KnownContracts } from '../../db/contract/known.ts';
import { type CountedContract, type StoredStanding, storedStandings } from '../../db/contract/standings.ts';
import { Groups } from '../../db/groups.ts';
import { newId } from '../../db/id.ts';
import type { StandingAsk } from '../../db/sql/contract/read-standings.ts';
import { isFreezeOver } from '../customer/freeze-over.ts';

/** A contract as it is now, whether or not what is due has been carried out. */
export interface ContractNow {
  contract: Contract;
  /** units reported in the running period, by feature */
  used: Record<string, string>;
  /** the contract in which its usage counts until what is due is carried out */
  countedIn: string;
  /** when the first of the invoices falls due that wait to be made; null without one */
  firstDue: Instant | null;
  /** more is due than a read advances in memory: this is the committed state */
  catchingUp: boolean;
}

/** A customer as it is now, with its live contracts by their ids, and the one that was asked for. */
export interface CustomerNow {
  customer: SnapshotCustomer;
  contracts: ReadonlyMap<string, ContractNow>;
}

const LIMITS = { atOnce: 2, most: 200 };

/** The most instants of all contracts together that one request carries out in memory. */
const MOST_STEPS = 200;

/**
 * Customers whose timers are late, with their contracts advanced in memory up to now: everything that changes how a
 * contract stands, and nothing that is charged. Nothing is written and nothing is locked.
 */
export class StandingReads {
  readonly #known: KnownContracts;
  readonly #groups: Groups<StandingAsk, StoredStanding | null>;

  constructor(db: Database, known: KnownContracts) {
    this.#known = known;
    this.#groups = new Groups((asks) => storedStandings(db.preparing, known, asks), LIMITS);
  }

  /** The standing of one customer; null when there is no such customer. */
  async one(ask: StandingAsk): Promise<CustomerNow | null> {
    const [found] = await this.all([ask]);
    return found ?? null;
  }

  /** The same for the customers of one request, in the order of the asks. */
  async all(asks: readonly StandingAsk[]): Promise<(CustomerNow | null)[]> {
    return asOfNow(await this.#groups.all(asks));
  }

  /** The same within a transaction. */
  within(tx: Queryable, asks: readonly StandingAsk[]): Promise<(CustomerNow | null)[]> {
    return readCustomersNow(tx, this.#known, asks);
  }
}

/** The same, for callers that ask rarely: they need no group. */
export async function readCustomersNow(
  db: Queryable,
  known: KnownContracts,
  asks: readonly StandingAsk[],
): Promise<(CustomerNow | null)[]> {
  return asOfNow(await storedStandings(db, known, asks));
}

/** What is left of the steps of a request. */
interface Steps {
  left: number;
}

function asOfNow(found: readonly (StoredStanding | null)[]): (CustomerNow | null)[] {
  const steps = { left: MOST_STEPS };
  return found.map((stored) => stored && customerNow(stored, steps));
}

function customerNow({ now, customer: stored, contracts }: StoredStanding, steps: Steps): CustomerNow {
  const customer = afterFreeze(stored, now);
  const byId = new Map(contracts.map((one) => [one.contract.id, one]));
  const standing = new Map(contracts.map((one) => [one.contract.id, asStored(one)]));
  for (const one of contracts) {
    const { contract } = one;
    if (!mayBeAdvanced(contract, customer) || !isLateAt({ contract, customer }, now)) continue;
    const successorId = contract.pendingChange?.successorId ?? '';
    const found = knownStanding({ contract, successor: byId.get(successorId)?.contract ?? null, customer }, now, steps);
    if (found === null) {
      for (const id of [contract.id, successorId]) putCatchingUp(standing, id);
      continue;
    }
    for (const later of found.contracts) {
      const used = later.id === contract.id ? unitsIn(later, one.counted) : unitsOfSuccessor(one, later, customer, now);
      standing.set(later.id, { contract: later, used, countedIn: contract.id, firstDue: found.firstDue, catchingUp: false });
    }
  }
  return { customer, contracts: standing };
}

function putCatchingUp(standing: Map<string, ContractNow>, id: string): void {
  const stored = standing.get(id);
  if (stored !== undefined) standing.set(id, { ...stored, catchingUp: true });
}

/** A freeze that was to end by itself by now has ended then. */
function afterFreeze({ resumeAt, ...customer }: StoredStanding['customer'], now: Instant): SnapshotCustomer {
  if (customer.status !== 'inactive' || resumeAt === null || !isFreezeOver({ resumeAt, now })) return customer;
  const pauses = customer.pauses.map(({ from, to }) => ({ from, to: to ?? resumeAt })).filter(({ from, to }) => to > from);
  return { ...customer, status: next(customerMachine, customer.status, 'activate'), pauses };
}

/** A test clock carries out itself what is due, a parked contract waits, and a new one is shown with its first step. */
const mayBeAdvanced = ({ status, clockId, parkedReason }: Contract, customer: SnapshotCustomer): boolean =>
  customer.status !== 'inactive' && status !== 'not_ready' && clockId === null && parkedReason === null;

const asStored = ({ contract, counted }: CountedContract): ContractNow => ({
  contract,
  used: unitsIn(contract, counted),
  countedIn: contract.id,
  firstDue: null,
  catchingUp: false,
});

const unitsIn = ({ start, currentIdx }: Contract, counted: CountedContract['counted']): Record<string, string> =>
  counted[start === null ? 0 : (currentIdx ?? 0)] ?? {};

/** Until a change is carried out, usage counts in the contract before it. */
function unitsOfSuccessor(before: CountedContract, fresh: Contract, { pauses }: SnapshotCustomer, now: Instant): Record<string, string> {
  const idx = countedIdx(before.contract, fresh, pauses, now);
  return (idx === null ? undefined : before.counted[idx]) ?? {};
}

/** What was computed of a version of a contract's row, with what it was computed from. */
interface Known {
  successor: Contract | null;
  customer: string;
  from: Instant;
  standing: ContractStanding | null;
}

const known = new WeakMap<Contract, Known>();

/**
 * How a contract stands, computed once for each version of its row until the next thing is due. Null where more is due
 * than a read carries out, and where the rule fails: the contract stays as it is then, and will be parked.
 */
function knownStanding(facts: StandingFacts, now: Instant, steps: Steps): ContractStanding | null {
  const { contract, successor } = facts;
  const customer = JSON.stringify(facts.customer);
  const found = known.get(contract);
  if (found !== undefined && found.successor === successor && found.customer === customer && holdsAt(found, now)) return found.standing;
  if (steps.left <= 0) return null;
  const most = Math.min(MOST_INSTANTS, steps.left);
  const { standing, taken } = standingOrFailure(facts, now, most);
  steps.left -= taken;
  if (standing !== null || most === MOST_INSTANTS) known.set(contract, { successor, customer, from: now, standing });
  return standing;
}

const holdsAt = ({ from, standing }: Known, now: Instant): boolean =>
  now >= from && (standing === null || standing.until === null || now < standing.until);

function standingOrFailure(facts: StandingFacts, now: Instant, most: number): ReturnType<typeof standingAt> {
  try {
    return standingAt(facts, now, newId, most);
  } catch {
    return { standing: null, taken: 1 };
  }
}
