import type { Instant } from '../../billing/calendar/instant.ts';
import type { Pause } from '../../billing/calendar/pauses.ts';
import { firstDueBy } from '../../billing/contract/period/schedule.ts';
import { usageCutOf } from '../../billing/contract/period/time.ts';
import type { Contract, ContractSnapshot, UsageCorrection, UsagePeriod, UsageTotal } from '../../billing/contract/types.ts';
import { readDerivation } from '../../billing/explain/explain-line.ts';
import type { ChargedLine, TaxContext, TaxPolicy, TaxRate } from '../../billing/invoice/types.ts';
import { unitsSince } from '../../billing/usage/count.ts';
import type { ClosedUsage } from '../../billing/usage/types.ts';
import type { Queryable } from '../../db/connect.ts';
import { earlierParts } from '../../db/contract/earlier-parts.ts';
import { runningLines, waitingLines } from '../../db/contract/lines.ts';
import { contractRows, type Lock } from '../../db/contract/lock.ts';
import {
  type CorrectedPart,
  type CorrectionRow,
  correctedKey,
  correctedParts,
  openCorrections,
} from '../../db/contract/open-corrections.ts';
import { usageOfOpenPeriods } from '../../db/contract/usage-totals.ts';
import type { Address, Seller } from '../../db/entities/vendor.ts';
import { type ContractRecordRow, toContract } from '../../db/mapping/contract.ts';
import { toPauses } from '../../db/mapping/pauses.ts';
import { toTaxContext } from '../../db/mapping/tax.ts';
import { toUsagePeriod, type UsagePeriodRecordRow } from '../../db/mapping/usage-period.ts';

/**
 * Reads everything a rule may look at, for many contracts in a fixed number of statements.
 *
 * @param now the instant the usage totals `…UntilNow` are read for; on a test clock, the clock's time. A function is
 * asked once the rows are locked: an instant read while another transaction still held them could lie before what that
 * one has done
 * @param running `ending`: lines that run only of contracts that wait for a change or an end, all that bringing them up
 * can give back
 * @returns one snapshot for each contract found (and, with `skip`, free), in the order of `contractIds`
 */
export async function loadSnapshots(
  tx: Queryable,
  contractIds: readonly string[],
  now: Instant | (() => Promise<Instant>),
  { lock = 'none', running: wanted = 'all' }: { lock?: Lock; running?: 'all' | 'ending' } = {},
): Promise<ContractSnapshot[]> {
  const rows = await contractRows(tx, contractIds, lock);
  if (rows.length === 0) return [];
  const contracts = new Map(rows.map((row) => [row.id, toContract(row)]));
  const instant = typeof now === 'number' ? now : await now();
  const ids = [...contracts.keys()];
  const around = await loadSurroundings(tx, rows);
  const periods = grouped(await openPeriods(tx, ids));
  const { cuts, since } = instantsOf([...contracts.values()], periods, around, instant);
  const usage = grouped(periods.size === 0 ? [] : await usageOfOpenPeriods(tx, cuts));
  const earlier = await earlierParts(tx, [...periods.values()].flat(), instant);
  const running = await runningLines(tx, wanted === 'all' ? since : new Map([...since].filter(([id]) => endsOf(contracts.get(id)))));
  const waiting = grouped(await waitingLines(tx, ids));
  const corrections = await correctionsOf(tx, rows, instant);
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
        waiting: of<ChargedLine>(waiting),
        corrections: of(corrections),
        now: cuts.get(id) ?? instant,
      },
    ];
  });
}

function endsOf(contract: Contract | undefined): boolean {
  return contract !== undefined && (contract.pendingChange !== null || contract.cancellation !== null);
}

/**
 * Where a late contract has to be read from: usage is cut at a change that is due mid-cycle, lines count from the first
 * thing that is due.
 */
function instantsOf(contracts: Contract[], periods: Map<string, UsagePeriod[]>, { customers }: Surroundings, now: Instant) {
  const cuts = new Map<string, Instant>();
  const since = new Map<string, Instant>();
  for (const contract of contracts) {
    const pauses = customers.get(contract.customerId)?.pauses ?? [];
    cuts.set(contract.id, usageCutOf(contract, pauses, now));
    since.set(contract.id, firstDueBy(contract, periods.get(contract.id) ?? [], pauses, now) - frozenTime(pauses, now));
  }
  return { cuts, since };
}

interface Surroundings {
  customers: Map<string, ContractSnapshot['customer']>;
  taxes: Map<string, TaxContext>;
  successors: Map<string, Contract>;
}

interface CustomerRow {
  id: string;
  vendor_id: string;
  status: ContractSnapshot['customer']['status'];
  addresses: Record<string, Address>;
  vat_id: string | null;
  pauses: { from: string; to: string | null }[] | null;
}

async function loadSurroundings(tx: Queryable, rows: readonly ContractRecordRow[]): Promise<Surroundings> {
  const customers = await tx.query<CustomerRow>(
    `select c.id, c.vendor_id, c.status, c.addresses, c.vat_id,
       (select jsonb_agg(jsonb_build_object('from', p.began, 'to', p.ended) order by p.began) from customer_pause p where p.customer_id = c.id) as pauses
     from customer c where c.id = any($1::text[])`,
    [[...new Set(rows.map((row) => row.customer_id))]],
  );
  const vendors = await loadTaxes(tx, [...new Set(rows.map((row) => row.vendor_id))]);
  const successorIds = rows.flatMap((row) => (row.pending_change === null ? [] : [row.pending_change.successorId]));
  const successors =
    successorIds.length === 0 ? [] : await tx.query<ContractRecordRow>('select * from contract where id = any($1::text[])', [successorIds]);
  return {
    customers: new Map(customers.map((row) => [row.id, { id: row.id, status: row.status, pauses: toPauses(row.pauses) }])),
    taxes: new Map(
      customers.flatMap((row) => {
        const vendor = vendors.get(row.vendor_id);
        return vendor === undefined ? [] : [[row.id, toTaxContext(vendor, vendor.rates ?? [], row)] as const];
      }),
    ),
    successors: new Map(successors.map((row) => [row.id, toContract(row)])),
  };
}

interface VendorRow {
  id: string;
  tax_policy: TaxPolicy;
  seller: Seller | null;
  rates: TaxRate[] | null;
}

async function loadTaxes(tx: Queryable, vendorIds: readonly string[]): Promise<Map<string, VendorRow>> {
  const rows = await tx.query<VendorRow>(
    `select v.id, v.tax_policy, v.seller,
       (select jsonb_agg(jsonb_build_object('taxCode', r.tax_code, 'country', r.country, 'state', r.state, 'rate', r.rate::text) order by r.position, r.id)
        from tax_rate r where r.vendor_id = v.id) as rates
     from vendor v where v.id = any($1::text[])`,
    [vendorIds],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

async function openPeriods(tx: Queryable, ids: readonly string[]): Promise<UsagePeriod[]> {
  const rows = await tx.query<UsagePeriodRecordRow>(
    `select * from usage_period where contract_id = any($1::text[]) and status <> 'closed' order by contract_id, idx`,
    [ids],
  );
  return rows.map(toUsagePeriod);
}

function frozenTime(pauses: readonly Pause[], now: Instant): number {
  return pauses.reduce((sum, { from, to }) => sum + Math.max(0, (to ?? now) - from), 0);
}

function grouped<T extends { contractId: string }>(items: readonly T[]): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(item.contractId);
    if (group === undefined) groups.set(item.contractId, [item]);
    else group.push(item);
  }
  return groups;
}

/**
 * What waits to be corrected on the next invoice of each contract, with today's units of what its usage line charged.
 */
async function correctionsOf(
  tx: Queryable,
  contracts: readonly ContractRecordRow[],
  now: Instant,
): Promise<Map<string, UsageCorrection[]>> {
  const rows = await openCorrections(tx, contracts);
  const payers = new Map<string, UsageCorrection[]>();
  if (rows.length === 0) return payers;
  const parts = await correctedParts(tx, rows, now);
  for (const row of rows) {
    const closed = closedUsage(row);
    const correction = {
      contractId: row.contract_id,
      periodIdx: row.period_idx,
      slug: row.feature_slug,
      occasion: row.occasion,
      charged: row.charged,
      ...(row.noted ? { left: { totalExcludingTax: row.left_excluding_tax ?? '0', taxAmount: row.left_tax ?? '0' } } : {}),
      closed,
      units: unitsSince(closed?.began?.units ?? '0', totalsOf(parts, row)),
    };
    payers.set(row.payer_id, [...(payers.get(row.payer_id) ?? []), correction]);
  }
  return payers;
}

function closedUsage({ line_id: lineId, line_name: name, derivation }: CorrectionRow): ClosedUsage | null {
  if (lineId === null) return null;
  const read = readDerivation(derivation);
  if (read.type !== 'charge' || read.period === null) throw new Error(`the usage line ${lineId} is no charge of a period`);
  const { price, ratio, period, free, freePart, began } = read;
  return {
    lineId,
    name,
    price: price.price,
    ratio,
    span: { start: period.start, end: period.end },
    free,
    ...(freePart ? { freePart } : {}),
    began,
  };
}

/** Sums of the parts that one usage line charged: the last one, and those before it that go on in it. */
function totalsOf(
  parts: ReadonlyMap<string, readonly CorrectedPart[]>,
  { contract_id, period_idx, feature_slug: slug }: CorrectionRow,
): UsageTotal[] {
  const all = parts.get(correctedKey(contract_id, period_idx)) ?? [];
  const last = all.findLastIndex(({ period }, index) => index < all.length - 1 && !period.goesOn.includes(`feature:${slug}`));
  return all.slice(last + 1).flatMap(({ usage }) => usage.filter((total) => total.slug === slug));
}
