import type { Instant } from '../../billing/calendar/instant.ts';
import type { Pause } from '../../billing/calendar/pauses.ts';
import { hasThreshold } from '../../billing/contract/charge/threshold.ts';
import { firstDueBy } from '../../billing/contract/period/schedule.ts';
import { reportedSources, usageSources } from '../../billing/contract/period/sources.ts';
import { usageCutOf } from '../../billing/contract/period/time.ts';
import type { Contract, ContractSnapshot, UsageCorrection, UsagePeriod, UsageTotal } from '../../billing/contract/types.ts';
import { readDerivation } from '../../billing/explain/explain-line.ts';
import type { BilledParts, ChargedLine, TaxContext } from '../../billing/invoice/types.ts';
import { unitsSince } from '../../billing/usage/count.ts';
import type { ClosedUsage } from '../../billing/usage/types.ts';
import type { Queryable } from '../../db/connect.ts';
import { type CorrectedPart, correctedParts, earlierParts } from '../../db/contract/earlier-parts.ts';
import { contractsByIds } from '../../db/sql/contract/by-ids.ts';
import { type Lock, lockContracts } from '../../db/sql/contract/lock-contracts.ts';
import { type OpenCorrection, openCorrections } from '../../db/sql/contract/open-corrections.ts';
import {
  type OlderPeriods,
  olderLeftPeriods,
  openPeriods,
  openPeriodsBeside,
  type PeriodsWanted,
} from '../../db/sql/contract/open-periods.ts';
import { runningLines } from '../../db/sql/contract/running-lines.ts';
import { usageOfPeriods } from '../../db/sql/contract/usage-totals.ts';
import { waitingLines } from '../../db/sql/contract/waiting-lines.ts';
import { customersOfContracts } from '../../db/sql/customer/of-contracts.ts';
import { toPauses } from '../../db/sql/customer/pauses.ts';
import { toTaxContext } from '../../db/sql/tax/context.ts';
import { taxOfVendors } from '../../db/sql/tax/of-vendors.ts';
import { keyOf } from '../../db/sql/usage/part.ts';
import { together } from '../../db/together.ts';
import { billedOf } from './billed.ts';

/** Later than anything that is reported. */
export const ALL_TIME: Instant = Date.UTC(9999, 0, 1);

/**
 * How many lines of usage periods that wait for a caller an estimate shows: each period has one for each price, and a
 * contract may have hundreds of prices.
 */
const MOST_LINES_LEFT = 1_000;

interface Loading {
  lock?: Lock;
  running?: keyof typeof LINES_OF;
  left?: 'shown' | OlderPeriods | { closes: number };
  ahead?: boolean;
  found?: readonly Contract[];
}

/**
 * Reads everything a rule may look at, for many contracts in a fixed number of statements.
 *
 * @param now the instant the usage totals `…UntilNow` are read for; on a test clock, the clock's time. A function is
 *   called once the rows are locked: an instant that was read while another transaction still had them locked could lie
 *   before what that transaction did
 * @param running `ending`: running lines only of contracts that wait for a change or an end: advancing can give back no
 *   others; and lines that wait only where an invoice of time takes them up, not thousands that wait for a call.
 *   `none`: no lines at all, where only usage is looked at
 * @param left which usage periods are read that have ended, and that only a caller closes: at most one, which says
 *   whether there are any. `shown`: those that an estimate shows. Of one contract: some older ones and no other period;
 *   or what is read for the closing of one. Under an invoice threshold, and with `none`, all are: all their usage
 *   counts
 * @param ahead the contracts will be advanced beyond `now`: totals `…UntilNow` are read for all time, or for the change
 *   that waits
 * @param found the contracts, where they were just read without a lock
 * @returns one snapshot for each contract found (and, with `skip`, free), in the order of `contractIds`
 */
export async function loadSnapshots(
  tx: Queryable,
  contractIds: readonly string[],
  now: Instant | (() => Promise<Instant>),
  { lock = 'none', running: wanted = 'all', left, ahead = false, found: read }: Loading = {},
): Promise<ContractSnapshot[]> {
  const found = read ?? (await lockContracts(tx, contractIds, lock));
  if (found.length === 0) return [];
  const contracts = new Map(found.map((contract) => [contract.id, contract]));
  const collecting = found.filter(LINES_OF[wanted].waiting);
  const [instant, around, open, lines, toCorrect] = await together(tx, [
    typeof now === 'number' ? () => Promise.resolve(now) : now,
    () => loadSurroundings(tx, found),
    () => readPeriods(tx, found, wanted, left),
    () =>
      waitingLines(
        tx,
        collecting.flatMap(({ id, carried }) => [id, ...carried.waiting]),
      ),
    () => openCorrections(tx, found),
  ]);
  const [periods, waiting] = [grouped(open), grouped(lines)];
  const { cuts, since } = instantsOf(found, periods, around, { now: instant, cut: ahead ? ALL_TIME : instant });
  const counted = open.filter(({ contractId }) => takesReports(contracts.get(contractId)));
  const asked = new Map([...since].filter(([id]) => LINES_OF[wanted].running(contracts.get(id))));
  const [totals, earlier, running, corrections] = await together(tx, [
    () => usageOfPeriods(tx, counted, (id) => cuts.get(id) ?? instant),
    () => earlierParts(tx, open, instant),
    () => runningLines(tx, asked),
    () => correctionsOf(tx, toCorrect, instant),
  ]);
  const usage = grouped(totals);
  const parts = [...earlier.values()].flat();
  const known = [...contracts.values(), ...parts.map(({ contract }) => contract)];
  const billed = known.some(hasThreshold) ? await billedOf(tx, contracts.values(), periods, earlier) : new Map<string, BilledParts[]>();
  return contractIds.flatMap((id) => {
    const contract = contracts.get(id);
    if (contract === undefined) return [];
    const of = <T>(map: Map<string, T[]>): T[] => map.get(id) ?? [];
    const customer = around.customers.get(contract.customerId);
    const tax = around.taxes.get(contract.customerId);
    if (customer === undefined || tax === undefined) throw new Error(`contract ${id} has no customer`);
    const successor = contract.pendingChange === null ? null : (around.successors.get(contract.pendingChange.successorId) ?? null);
    return [
      {
        contract,
        successor,
        customer,
        tax,
        periods: of<UsagePeriod>(periods),
        usage: of(usage),
        earlier: of(earlier),
        running: of<ChargedLine>(running),
        waiting: [...contract.carried.waiting.flatMap((earlier) => waiting.get(earlier) ?? []), ...of<ChargedLine>(waiting)],
        corrections: of(corrections),
        billed: of(billed),
        now: cuts.get(id) ?? instant,
      },
    ];
  });
}

/** Nothing is reported of a contract whose prices don't depend on it. */
const takesReports = (contract: Contract | undefined): boolean => contract !== undefined && reportedSources(contract.terms).length > 0;

/** A change that waits may lead to a contract that invoices at once. */
const mayCollect = ({ configuration, pendingChange }: Contract): boolean =>
  configuration.invoiceTrigger === 'immediate' || pendingChange !== null;

function readPeriods(
  tx: Queryable,
  contracts: readonly Contract[],
  wanted: keyof typeof LINES_OF,
  left: Loading['left'],
): Promise<UsagePeriod[]> {
  const [only] = contracts;
  if (typeof left === 'object' && only !== undefined)
    return 'closes' in left ? openPeriodsBeside(tx, only.id, left.closes) : olderLeftPeriods(tx, only.id, left);
  const countsAll = (contract: Contract): boolean => wanted === 'none' || hasThreshold(contract);
  const some = (contract: Contract): number => (wanted === 'ending' && !mayEnd(contract) ? 0 : 1);
  const most = left === 'shown' ? mostLeftShown : some;
  const periods: PeriodsWanted = new Map(contracts.map((one) => [one.id, countsAll(one) ? null : most(one)]));
  return openPeriods(tx, periods);
}

/** Of how many usage periods that wait for a caller one look makes lines, the latest. */
export const mostLeftShown = ({ terms }: Pick<Contract, 'terms'>): number =>
  Math.max(1, Math.floor(MOST_LINES_LEFT / Math.max(1, usageSources(terms).length)));

/** Whether it may matter to a step that a period waits for a caller: a contract that ends is kept for it. */
const mayEnd = (contract: Contract): boolean =>
  contract.ended !== null || contract.start === null || contract.expiration !== null || endsOf(contract);

function endsOf(contract: Contract | undefined): boolean {
  return contract !== undefined && (contract.pendingChange !== null || contract.cancellation !== null);
}

/** Of which contracts lines are read: those that wait for an invoice, and running ones. */
interface LinesRead {
  waiting(contract: Contract): boolean;
  running(contract: Contract | undefined): boolean;
}

const LINES_OF: Record<'all' | 'ending' | 'none', LinesRead> = {
  all: { waiting: () => true, running: () => true },
  ending: { waiting: mayCollect, running: endsOf },
  none: { waiting: () => false, running: () => false },
};

/**
 * From which instants a late contract has to be read: usage is divided at a change that is due in mid-cycle, and lines
 * count from the first thing that is due.
 */
function instantsOf(
  contracts: readonly Contract[],
  periods: Map<string, UsagePeriod[]>,
  { customers }: Surroundings,
  { now, cut }: { now: Instant; cut: Instant },
) {
  const cuts = new Map<string, Instant>();
  const since = new Map<string, Instant>();
  for (const contract of contracts) {
    const pauses = customers.get(contract.customerId)?.pauses ?? [];
    cuts.set(contract.id, usageCutOf(contract, pauses, cut));
    since.set(contract.id, firstDueBy(contract, periods.get(contract.id) ?? [], pauses, now) - frozenTime(pauses, now));
  }
  return { cuts, since };
}

/** What stands around contracts: of their customers, and the contracts that wait for their changes. */
interface Surroundings {
  customers: Map<string, ContractSnapshot['customer']>;
  taxes: Map<string, TaxContext>;
  successors: Map<string, Contract>;
}

/** Reads what stands around contracts; they need not be written yet. */
export async function loadSurroundings(
  tx: Queryable,
  contracts: readonly Pick<Contract, 'vendorId' | 'customerId' | 'pendingChange'>[],
): Promise<Surroundings> {
  const successorIds = contracts.flatMap(({ pendingChange }) => pendingChange?.successorId ?? []);
  const [customers, vendors, successors] = await together(tx, [
    () => customersOfContracts(tx, distinct(contracts.map(({ customerId }) => customerId))),
    () => taxOfVendors(tx, distinct(contracts.map(({ vendorId }) => vendorId))),
    async () => (successorIds.length === 0 ? [] : contractsByIds(tx, successorIds)),
  ]);
  const taxOf = new Map(vendors.map((tax) => [tax.id, tax]));
  return {
    customers: new Map(customers.map(({ id, status, pauses, hasMethod }) => [id, { id, status, pauses: toPauses(pauses), hasMethod }])),
    taxes: new Map(
      customers.flatMap((customer) => {
        const tax = taxOf.get(customer.vendorId);
        return tax === undefined ? [] : [[customer.id, toTaxContext({ ...tax, ...customer })] as const];
      }),
    ),
    successors: new Map(successors.map((contract) => [contract.id, contract])),
  };
}

const distinct = (ids: readonly string[]): string[] => [...new Set(ids)];

function frozenTime(pauses: readonly Pause[], now: Instant): number {
  return pauses.reduce((sum, { from, to }) => sum + Math.max(0, (to ?? now) - from), 0);
}

function grouped<T extends { contractId: string | null }>(items: readonly T[]): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    if (item.contractId === null) continue;
    const group = groups.get(item.contractId);
    if (group === undefined) groups.set(item.contractId, [item]);
    else group.push(item);
  }
  return groups;
}

/**
 * What waits to be corrected on the next invoice of each contract, with today's units of what its usage line charged.
 */
async function correctionsOf(tx: Queryable, open: readonly OpenCorrection[], now: Instant): Promise<Map<string, UsageCorrection[]>> {
  const payers = new Map<string, UsageCorrection[]>();
  if (open.length === 0) return payers;
  const keys = open.map(({ contractId, periodIdx: idx }) => ({ contractId, idx }));
  const parts = await correctedParts(tx, keys, now);
  for (const one of open) {
    const { contractId, periodIdx, slug, occasion, charged, leftExcludingTax, leftTax, chargedAlike, payerId } = one;
    const closed = closedUsage(one);
    const correction = {
      contractId,
      periodIdx,
      slug,
      occasion,
      charged,
      left: { totalExcludingTax: leftExcludingTax, taxAmount: leftTax },
      ...(closed?.taxed === undefined ? {} : { chargedAlike }),
      closed,
      units: unitsSince(closed?.began?.units ?? '0', totalsOf(parts, one)),
    };
    payers.set(payerId, [...(payers.get(payerId) ?? []), correction]);
  }
  return payers;
}

function closedUsage({ lineId, lineName: name, lineVoided, derivation }: OpenCorrection): ClosedUsage | null {
  if (lineId === null) return null;
  const read = readDerivation(derivation);
  if (read.type !== 'charge' || read.period === null) throw new Error(`the usage line ${lineId} is no charge of a period`);
  const { price, ratio, period, free, freePart, began, tax } = read;
  return {
    lineId,
    name,
    price: price.price,
    ratio,
    span: { start: period.start, end: period.end },
    free,
    ...(freePart ? { freePart } : {}),
    began,
    ...(lineVoided ? {} : { taxed: tax }),
  };
}

/** Sums of the parts that one usage line charged: the last one, and those before it that go on in it. */
function totalsOf(parts: ReadonlyMap<string, readonly CorrectedPart[]>, { contractId, periodIdx, slug }: OpenCorrection): UsageTotal[] {
  const all = parts.get(keyOf({ contractId, idx: periodIdx })) ?? [];
  const last = all.findLastIndex(({ period }, index) => index < all.length - 1 && !period.goesOn.includes(`feature:${slug}`));
  return all.slice(last + 1).flatMap(({ usage }) => usage.filter((total) => total.slug === slug));
}
