import type { Instant } from '../../billing/calendar/instant.ts';
import type { Contract } from '../../billing/contract/types.ts';
import { dec, text } from '../../billing/money/decimal.ts';
import { calendarWindow, passes, type UsageLimit } from '../../billing/usage/limit.ts';
import type { Tx } from '../../db/connect.ts';
import { countInWindows } from '../../db/sql/usage/count-in-windows.ts';
import { counterUnits } from '../../db/sql/usage/counter-units.ts';
import { limitsOf } from '../../db/sql/usage/list-limits.ts';
import { keyOf } from '../../db/sql/usage/part.ts';
import { periodsAfter } from '../../db/sql/usage/periods-after.ts';
import { reservedUnits } from '../../db/sql/usage/reserved-units.ts';
import { windowUnits } from '../../db/sql/usage/window-units.ts';
import type { LockedCustomer } from '../customer/lock.ts';
import { pricedOpenUsage } from './priced.ts';
import { appliesTo, limitReached } from './room.ts';

/** Where a change of usage counts. */
export interface CountedPlace {
  contract: Contract;
  idx: number;
  slug: string;
  at: Instant;
}

/** A change of usage that was made. */
export interface UsageMade {
  /** that were added; negative where usage has become less */
  units: string;
  /** an event reports open usage, and it is no marker, correction or repeat */
  isReport: boolean;
}

/**
 * The limits that a change of a feature's usage may pass. The caller has locked the customer to count: where it is
 * watched, against other changes of its usage.
 */
export async function limitsOn(tx: Tx, customer: LockedCustomer, slug: string): Promise<UsageLimit[]> {
  if (!customer.watched) return [];
  const limits = await limitsOf(tx, [customer.id]);
  return limits.filter((limit) => limit.action === 'refuse' && appliesTo(limit, { customerId: customer.id, slug }));
}

/**
 * Makes a change of usage, unless it passes a limit: what is taken is read before and after, whatever kind of change it
 * is.
 *
 * @throws Refusal `limit_reached`
 */
export async function withinLimits(
  tx: Tx,
  { customer, place, limits }: { customer: LockedCustomer; place: CountedPlace; limits: readonly UsageLimit[] },
  change: () => Promise<UsageMade>,
): Promise<void> {
  const before = await takenOf(tx, customer, place, limits);
  const { units, isReport } = await change();
  if (!customer.watched) return;
  const { contract, idx, slug, at } = place;
  const [{ from: day }, { from: hour }] = [calendarWindow('day', at), calendarWindow('hour', at)];
  await countInWindows(tx, { contractId: contract.id, idx, customerId: customer.id, slug, day, hour, units });
  const after = await takenOf(tx, customer, place, limits);
  for (const [at, limit] of limits.entries()) {
    const taken = { before: before[at] ?? '0', after: after[at] ?? '0', isReport };
    if (passes(limit.units ?? limit.amount ?? '0', taken)) throw limitReached(limit);
  }
}

/** What is taken of each limit, in their order: what is counted, and what reservations keep. */
async function takenOf(tx: Tx, customer: LockedCustomer, place: CountedPlace, limits: readonly UsageLimit[]): Promise<string[]> {
  // however many limits there are, they count in few ways, and each is read once
  const taken = new Map<string, string>();
  const nameOf = ({ amount, slug, window }: UsageLimit): string => (amount === null ? window : `money ${slug}`);
  for (const limit of limits) {
    if (taken.has(nameOf(limit))) continue;
    const isMoney = limit.amount !== null;
    const found = isMoney ? await pricedOpenUsage(tx, customer, place, { of: limit.slug }) : await takenUnits(tx, customer, place, limit);
    taken.set(nameOf(limit), found);
  }
  return limits.map((limit) => taken.get(nameOf(limit)) ?? '0');
}

async function takenUnits(tx: Tx, customer: LockedCustomer, place: CountedPlace, { window }: UsageLimit): Promise<string> {
  const { contract, idx, slug, at } = place;
  const [customerId, contractId] = [customer.id, contract.id];
  if (window === 'period') {
    const [reserved] = await reservedUnits(tx, [{ customerId, slug, from: null, to: null, contractId, idx }]);
    return text(dec(await countedInPeriod(tx, place)).plus(reserved ?? '0'));
  }
  const span = calendarWindow(window, at);
  const [units] = await windowUnits(tx, [{ customerId, slug, window, ...span }]);
  const [reserved] = await reservedUnits(tx, [{ customerId, slug, ...span, contractId: null, idx: null }]);
  return text(dec(units ?? '0').plus(reserved ?? '0'));
}

/**
 * A change within the billing period goes on counting in the successor's period, whose marker may have set the count
 * below that of the part before.
 */
async function countedInPeriod(tx: Tx, { contract, idx, slug }: CountedPlace): Promise<string> {
  const parts = [{ contractId: contract.id, idx }, ...(await periodsAfter(tx, { contractId: contract.id, idx }))];
  const counters = await counterUnits(
    tx,
    parts.map((part) => ({ ...part, slug })),
  );
  const units = new Map(counters.map((counter) => [keyOf(counter), counter.units]));
  return parts.flatMap((part) => units.get(keyOf(part)) ?? []).at(-1) ?? '0';
}
