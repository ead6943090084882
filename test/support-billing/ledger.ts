import { DAY, type Instant } from '../../billing/calendar/instant.ts';
import type { Pause } from '../../billing/calendar/pauses.ts';
import { indexOf } from '../../billing/calendar/rhythm.ts';
import { isLive, rhythmOf, trialEndOf, usageCutOf } from '../../billing/contract/time.ts';
import type {
  AgendaRow,
  Contract,
  DomainEvent,
  Effects,
  Life,
  Mint,
  Outcome,
  UsageCorrection,
  UsagePeriod,
  UsageTotal,
} from '../../billing/contract/types.ts';
import type { ChargedLine, InvoiceDraft, Line, TaxContext, WalletMove } from '../../billing/invoice/types.ts';
import { sumUsage } from '../../billing/usage/sum.ts';

/** A usage event as the ledger keeps it. */
export interface Used {
  contractId: string;
  periodIdx: number;
  slug: string;
  timestamp: Instant;
  units: string;
}

/** Everything a database would hold, in memory: applies the effects of rules and reads lives back, as the real one does. */
export interface Ledger {
  contracts: Map<string, Contract>;
  periods: Map<string, UsagePeriod>;
  lines: Map<string, ChargedLine>;
  chargeKeys: Set<string>;
  invoices: InvoiceDraft[];
  wallet: WalletMove[];
  events: DomainEvent[];
  agenda: Map<string, AgendaRow[]>;
  corrections: UsageCorrection[];
  used: Used[];
  pauses: Pause[];
  tax: TaxContext;
}

export const NO_TAX: TaxContext = { policy: 'tax_included', rates: [], sellerCountry: null, country: null, state: null, vatId: null };

export function emptyLedger(tax: TaxContext = NO_TAX): Ledger {
  return {
    contracts: new Map(),
    periods: new Map(),
    lines: new Map(),
    chargeKeys: new Set(),
    invoices: [],
    wallet: [],
    events: [],
    agenda: new Map(),
    corrections: [],
    used: [],
    pauses: [],
    tax,
  };
}

/** Ids in order: `Item_1`, `Item_2` … */
export function counterMint(): Mint {
  let last = 0;
  return (prefix) => {
    last += 1;
    return `${prefix}_${last}`;
  };
}

/** Reads a life as the loader does. */
export function lifeOf(ledger: Ledger, contractId: string, now: Instant): Life {
  const contract = contractOf(ledger, contractId);
  const cut = usageCutOf(contract, ledger.pauses, now);
  const frozen = ledger.pauses.at(-1)?.to === null;
  const lines = [...ledger.lines.values()].filter((line) => line.contractId === contractId);
  return {
    contract,
    successor: contract.pendingChange ? contractOf(ledger, contract.pendingChange.successorId) : null,
    customer: { id: contract.customerId, status: frozen ? 'inactive' : 'active', pauses: ledger.pauses },
    tax: ledger.tax,
    periods: openPeriods(ledger, contractId),
    usage: totals(ledger, contractId, cut),
    running: chainLines(ledger, now),
    waiting: lines.filter(({ invoiceId }) => invoiceId === null),
    corrections: ledger.corrections.filter((one) => one.contractId === contractId),
    now: cut,
  };
}

export function contractOf(ledger: Ledger, id: string): Contract {
  const contract = ledger.contracts.get(id);
  if (!contract) throw new Error(`no contract ${id}`);
  return contract;
}

/** A ledger holds one chain of contracts: what a predecessor charged may run on. */
function chainLines({ lines }: Ledger, now: Instant): ChargedLine[] {
  const all = [...lines.values()];
  const givenBack = new Set(all.map(({ creditOf }) => creditOf));
  const runs = ({ id, kind, span }: Line): boolean => (kind === 'recurring' || kind === 'custom') && span !== null && !givenBack.has(id);
  // Frozen time moves the ends of spans by less than this.
  const reaches = ({ span }: Line): boolean => span?.end == null || span.end > now - 400 * DAY;
  return all.filter((line) => runs(line) && reaches(line));
}

function openPeriods(ledger: Ledger, contractId: string): UsagePeriod[] {
  return [...ledger.periods.values()]
    .filter((one) => one.contractId === contractId && one.status !== 'closed')
    .sort((a, b) => a.idx - b.idx);
}

function totals(ledger: Ledger, contractId: string, now: Instant): UsageTotal[] {
  const keys = new Map(
    ledger.used.filter((one) => one.contractId === contractId).map((one) => [`${one.periodIdx}/${one.slug}`, one] as const),
  );
  return [...keys.values()].map(({ periodIdx, slug }) => {
    const events = ledger.used
      .filter((one) => one.contractId === contractId && one.periodIdx === periodIdx && one.slug === slug)
      .map((one, arrival) => ({
        id: String(arrival),
        timestamp: one.timestamp,
        arrival,
        units: one.units,
        isAbsolute: false,
        discarded: false,
      }));
    const all = sumUsage(events, { from: Number.MIN_SAFE_INTEGER, to: null });
    const until = sumUsage(events, { from: Number.MIN_SAFE_INTEGER, to: now, endIncluded: true });
    return {
      contractId,
      periodIdx,
      slug,
      units: all.units,
      events: all.counted,
      unitsUntilNow: until.units,
      eventsUntilNow: until.counted,
    };
  });
}

/** Writes effects as the database does: a charge key that is there already is an error, nothing is written twice. */
export function write(ledger: Ledger, { effects }: Pick<Outcome, 'effects'>): void {
  for (const contract of effects.contracts) ledger.contracts.set(contract.id, contract);
  for (const period of effects.periods) ledger.periods.set(`${period.contractId}/${period.idx}`, period);
  for (const line of effects.lines) writeLine(ledger, line, effects);
  for (const invoice of effects.invoices) ledger.invoices.push(invoice);
  ledger.wallet.push(...effects.wallet);
  ledger.events.push(...effects.events);
  for (const { contractId, rows } of effects.agenda) ledger.agenda.set(contractId, rows);
  ledger.corrections = ledger.corrections.filter((one) => !effects.settledCorrections.some(({ occasion }) => occasion === one.occasion));
  for (const { fromContractId, toContractId, after, afterIdx, except } of effects.handovers) {
    for (const used of ledger.used) {
      if (except.includes(used.slug)) continue;
      if (used.contractId !== fromContractId || ((after === null || used.timestamp <= after) && used.periodIdx <= afterIdx)) continue;
      used.contractId = toContractId;
      used.periodIdx = periodIdxOf(ledger, contractOf(ledger, toContractId), used.timestamp);
    }
  }
}

function writeLine(ledger: Ledger, line: Line, effects: Effects): void {
  const key = `${line.contractId}/${line.chargeKey}`;
  if (ledger.chargeKeys.has(key)) throw new Error(`${key} charged twice`);
  ledger.chargeKeys.add(key);
  const invoice = effects.invoices.find(({ lineIds }) => lineIds.includes(line.id));
  ledger.lines.set(line.id, { ...line, invoiceId: invoice?.id ?? null });
}

/** Records usage where the calendar says it belongs. */
export function use(ledger: Ledger, contractId: string, slug: string, timestamp: Instant, units: string): void {
  const periodIdx = periodIdxOf(ledger, contractOf(ledger, contractId), timestamp);
  ledger.used.push({ contractId, periodIdx, slug, timestamp, units });
}

function periodIdxOf(ledger: Ledger, contract: Contract, timestamp: Instant): number {
  const trialEnd = trialEndOf(contract, ledger.pauses);
  const start = contract.start ?? trialEnd;
  if (start === null || timestamp < start) return trialEnd === null ? 1 : 0;
  return Math.max(1, indexOf(rhythmOf({ ...contract, start }, ledger.pauses), timestamp) - contract.firstCycle + 1);
}

/** The contracts of the chain that live. */
export function liveContracts(ledger: Ledger): Contract[] {
  return [...ledger.contracts.values()].filter((one) => isLive(one) && !one.isSuccessor);
}
