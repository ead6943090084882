import type { Instant } from '../../calendar/instant.ts';
import { dec } from '../../money/decimal.ts';
import { advance } from '../advance/advance.ts';
import { begunBy, periodIdxAt } from '../period/periods.ts';
import { nextDue } from '../period/schedule.ts';
import { isLive, periodBounds } from '../period/time.ts';
import type { Contract, ContractSnapshot, NewId, SnapshotCustomer } from '../types.ts';
import { justSigned, UNTAXED } from './first-step.ts';

/** What decides how a contract stands. Usage, taxes and earlier lines don't. */
export interface StandingFacts {
  contract: Contract;
  /** the scheduled successor when a change is pending */
  successor: Contract | null;
  customer: SnapshotCustomer;
}

/** How a contract stands at an instant, with all that was due by then done in memory. */
export interface ContractStanding {
  /** the contract itself, followed by the one that a change has made of it */
  contracts: Contract[];
  /** when the first of the invoices that wait to be made falls due; null without one */
  firstDue: Instant | null;
  /** up to when it stands so, if nothing more happens; null: for good */
  until: Instant | null;
}

/** Whether something is due by an instant that changes how a contract stands. */
export function isLateAt(facts: Pick<StandingFacts, 'contract' | 'customer'>, now: Instant): boolean {
  const at = upcoming(facts);
  return at !== null && at <= now;
}

/** When something is due next that changes how a contract stands; the closing of usage doesn't change it. */
function upcoming({ contract, customer }: Pick<StandingFacts, 'contract' | 'customer'>): Instant | null {
  return isLive(contract) ? (nextDue({ contract, periods: [], customer })?.at ?? null) : null;
}

/**
 * How a contract stands at an instant, for a read that comes before what is due has been carried out. The rules run on
 * the contract alone, without usage, taxes and lines: of what they charge only the due date is used.
 *
 * @param steps the most instants to carry out
 * @returns null when more is due; and the steps taken
 */
export function standingAt(
  facts: StandingFacts,
  now: Instant,
  newId: NewId,
  steps: number,
): { standing: ContractStanding | null; taken: number } {
  const { contract, successor, customer } = facts;
  const before = { ...justSigned(contract, { customer, tax: UNTAXED }, now), successor };
  const { snapshot, effects } = advance(before, now, newId, { instants: steps });
  const taken = Math.max(1, effects.periods.length);
  const due = upcoming(snapshot);
  if (due !== null && due <= now) return { standing: null, taken };
  const firstDue = earliest(
    effects.invoices
      .filter(({ status, total }) => status === 'ready_for_payment' && dec(total).greaterThan(0))
      .map(({ dueDate }) => dueDate),
  );
  const own = { contracts: [snapshot.contract], firstDue, until: due };
  const fresh = freshIn(contract, snapshot);
  if (fresh === null) return { standing: own, taken };
  const then = standingAt({ contract: fresh, successor: null, customer }, now, newId, steps);
  return { standing: then.standing && joined(own, then.standing), taken: taken + then.taken };
}

/** The contract that a change has made out of another one on the way. */
function freshIn(before: Contract, { contract, successor }: ContractSnapshot): Contract | null {
  if (before.status === 'moved' || contract.status !== 'moved' || successor === null || successor.isSuccessor) return null;
  return successor;
}

const joined = (old: ContractStanding, fresh: ContractStanding): ContractStanding => ({
  contracts: [...old.contracts, ...fresh.contracts],
  firstDue: earliest([old.firstDue, fresh.firstDue].filter((at) => at !== null)),
  until: fresh.until,
});

const earliest = (instants: readonly Instant[]): Instant | null => (instants.length === 0 ? null : Math.min(...instants));

/**
 * The period of an old contract in which the usage of its successor is counted until the change is carried out.
 *
 * @param old the contract as it is stored
 * @returns null where a new period begins with the successor, in which nothing is counted yet
 * @example
 * const story = signs('2025-01-31', plan('pro', { price: '100' }));
 * const [old, fresh] = [story.contract(), { ...story.contract(), currentIdx: 2 }];
 * countedIdx(old, fresh, [], at('2025-03-01')) // 2
 */
export function countedIdx(old: Contract, fresh: Contract, pauses: ContractSnapshot['customer']['pauses'], now: Instant): number | null {
  if (fresh.start === null || fresh.currentIdx === null) return 0;
  const idx = periodIdxAt(old, pauses, now);
  if (idx === 0) return null;
  const { start } = periodBounds(begunBy(old, pauses, now), idx, pauses);
  return start === periodBounds(fresh, fresh.currentIdx, pauses).start ? idx : null;
}
