import { DAY, type Instant } from '../../billing/calendar/instant.ts';
import type { Pause } from '../../billing/calendar/pauses.ts';
import type { Ratio } from '../../billing/calendar/ratio.ts';
import { indexOf } from '../../billing/calendar/rhythm.ts';
import type { MrrAt } from '../../billing/contract/mrr/moves.ts';
import { usagePeriodAt } from '../../billing/contract/period/periods.ts';
import { isLive, rhythmOf, trialEndOf, usageCutOf } from '../../billing/contract/period/time.ts';
import type {
  AgendaRow,
  Contract,
  ContractSnapshot,
  DomainEvent,
  EarlierPart,
  Effects,
  NewId,
  Outcome,
  UsageCorrection,
  UsagePeriod,
  UsageTotal,
} from '../../billing/contract/types.ts';
import type { CreditsBack, PlanGrant } from '../../billing/credit/types.ts';
import { readDerivation } from '../../billing/explain/explain-line.ts';
import { withPart } from '../../billing/invoice/parts.ts';
import type { BilledParts, ChargedLine, Line, NewInvoice, TaxContext, WalletMove } from '../../billing/invoice/types.ts';
import { dec, text } from '../../billing/money/decimal.ts';
import { refuse } from '../../billing/refusal.ts';
import { sumUsage, type UsageSum } from '../../billing/usage/sum.ts';
import type { ClosedUsage, UsageHandover } from '../../billing/usage/types.ts';

/** A usage event as the ledger keeps it. */
export interface Used {
  contractId: string;
  periodIdx: number;
  slug: string;
  timestamp: Instant;
  units: string;
  isAbsolute: boolean;
}

/** A correction as it is noted; the closed usage it belongs to is looked up when it is settled. */
export type NotedCorrection = Omit<UsageCorrection, 'closed'>;

/**
 * Everything a database would hold, in memory: applies the effects of rules and reads lives back, as the real one does.
 */
export interface Ledger {
  contracts: Map<string, Contract>;
  periods: Map<string, UsagePeriod>;
  lines: Map<string, ChargedLine>;
  chargeKeys: Set<string>;
  invoices: NewInvoice[];
  wallet: WalletMove[];
  /** credits that plans gave, and that went back */
  grants: PlanGrant[];
  creditsBack: CreditsBack[];
  events: DomainEvent[];
  agenda: Map<string, AgendaRow[]>;
  corrections: NotedCorrection[];
  /** what the chain's MRR became, in order */
  mrr: MrrAt[];
  used: Used[];
  pauses: Pause[];
  /** the customer has a payment method; it has one unless a test takes it away */
  hasMethod: boolean;
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
    grants: [],
    creditsBack: [],
    events: [],
    agenda: new Map(),
    corrections: [],
    mrr: [],
    used: [],
    pauses: [],
    hasMethod: true,
    tax,
  };
}

/** Ids in order: `Item_1`, `Item_2` … */
export function countingIds(): NewId {
  let last = 0;
  return (prefix) => {
    last += 1;
    return `${prefix}_${last}`;
  };
}

/** Reads a snapshot as the loader does. */
export function snapshotOf(ledger: Ledger, contractId: string, now: Instant): ContractSnapshot {
  const contract = contractOf(ledger, contractId);
  const cut = usageCutOf(contract, ledger.pauses, now);
  const frozen = ledger.pauses.at(-1)?.to === null;
  const lines = [...ledger.lines.values()].filter((line) => [...contract.carried.waiting, contractId].some((id) => id === line.contractId));
  return {
    contract,
    successor: contract.pendingChange ? contractOf(ledger, contract.pendingChange.successorId) : null,
    customer: { id: contract.customerId, status: frozen ? 'inactive' : 'active', pauses: ledger.pauses, hasMethod: ledger.hasMethod },
    tax: ledger.tax,
    periods: openPeriods(ledger, contractId),
    usage: totals(ledger, contractId, cut),
    earlier: earlierParts(ledger, contractId, cut),
    running: chainLines(ledger, now),
    waiting: lines.filter(({ invoiceId, idle, elsewhere }) => invoiceId === null && !idle && !elsewhere),
    corrections: ledger.corrections
      .filter((one) => payerOf(ledger, one.contractId) === contractId)
      .map((one) => ({ ...one, closed: closedUsage(ledger, one) })),
    billed: billedBefore(ledger, contractId),
    now: cut,
  };
}

/** What was charged of usage whose period hasn't closed. */
function billedBefore(ledger: Ledger, contractId: string): BilledParts[] {
  const open = openPeriods(ledger, contractId);
  const places = [...open, ...earlierParts(ledger, contractId, 0).map(({ period }) => period)];
  return [...ledger.lines.values()]
    .filter(
      ({ contractId: id, periodIdx, derivation }) =>
        derivation.soFar === true && places.some((one) => one.contractId === id && one.idx === periodIdx),
    )
    .reduce(withPart, []);
}

/**
 * Whose next invoice takes up corrections of a contract's closed usage: the live contract's of its chain, in one
 * currency.
 */
function payerOf(ledger: Ledger, id: string): string {
  const { currency } = contractOf(ledger, id).terms;
  const payer = [...ledger.contracts.values()].find((one) => isLive(one) && !one.isSuccessor && one.terms.currency === currency);
  return payer?.id ?? id;
}

export function contractOf(ledger: Ledger, id: string): Contract {
  const contract = ledger.contracts.get(id);
  if (!contract) throw new Error(`no contract ${id}`);
  return contract;
}

/** A ledger holds one chain of contracts: what a predecessor charged may run on. */
function chainLines({ lines, invoices }: Ledger, now: Instant): ChargedLine[] {
  const places = new Map([...invoices.values()].flatMap(({ lineIds }) => lineIds.map((id, place) => [id, place])));
  const placeOf = ({ id }: Line): number => places.get(id) ?? 0;
  // as the database gives them
  const byPlace = (a: Line, b: Line): number => (a.span?.start ?? 0) - (b.span?.start ?? 0) || placeOf(a) - placeOf(b);
  const all = [...lines.values()].filter(({ idle }) => idle === undefined);
  const isWhole = ({ creditOf, derivation }: Line): boolean => creditOf !== null && derivation.until === undefined;
  const givenBack = new Set(all.filter(isWhole).map(({ creditOf }) => creditOf));
  const runs = ({ id, kind, span }: Line): boolean => (kind === 'recurring' || kind === 'custom') && span !== null && !givenBack.has(id);
  // Frozen time moves the ends of spans by less than this.
  const reaches = ({ span }: Line): boolean => span?.end == null || span.end > now - 400 * DAY;
  const credits = (id: string): number => [...lines.values()].filter(({ creditOf }) => creditOf === id).length;
  return all
    .filter((line) => runs(line) && reaches(line))
    .sort(byPlace)
    .map((line) => lessParts(credits(line.id) === 0 ? line : { ...line, credits: credits(line.id) }, all));
}

/** A line of which parts were given back, up to ends of the contract that were known then. */
function lessParts(line: ChargedLine, all: readonly ChargedLine[]): ChargedLine {
  const parts = all.filter(({ creditOf }) => creditOf === line.id);
  if (parts.length === 0) return line;
  const untils = parts.map(({ derivation }) => derivation.until as { at: Instant; setAt: Instant });
  const latest = untils.reduce((a, b) => (b.setAt > a.setAt || (b.setAt === a.setAt && b.at > a.at) ? b : a));
  const off = (field: 'totalExcludingTax' | 'taxAmount' | 'subtotal', before = '0'): string =>
    text(parts.reduce((left, one) => left.minus(one[field]), dec(before)));
  return {
    ...line,
    creditedExcludingTax: off('totalExcludingTax', line.creditedExcludingTax),
    creditedTax: off('taxAmount', line.creditedTax),
    rest: { ...latest, subtotal: off('subtotal'), part: parts.reduce((all, { derivation }) => all + (derivation.ratio as Ratio).part, 0) },
  };
}

function openPeriods(ledger: Ledger, contractId: string): UsagePeriod[] {
  return [...ledger.periods.values()]
    .filter((one) => one.contractId === contractId && one.status !== 'closed')
    .sort((a, b) => a.idx - b.idx);
}

/** Parts of the running billing period on predecessors. */
function earlierParts(ledger: Ledger, contractId: string, now: Instant): EarlierPart[] {
  const parts: EarlierPart[] = [];
  let follows = openPeriods(ledger, contractId).find((one) => one.follows !== null)?.follows ?? null;
  while (follows !== null) {
    const period = ledger.periods.get(`${follows.contractId}/${follows.idx}`);
    if (!period) throw new Error(`no period ${follows.idx} of ${follows.contractId}`);
    parts.unshift({ contract: contractOf(ledger, follows.contractId), period, usage: totals(ledger, follows.contractId, now) });
    follows = period.follows;
  }
  return parts;
}

function closedUsage({ lines }: Ledger, { contractId, periodIdx, slug }: NotedCorrection): ClosedUsage | null {
  const line = [...lines.values()].find((one) => one.contractId === contractId && one.chargeKey === `usage:${periodIdx}:feature:${slug}`);
  if (line?.span == null) return null;
  const derivation = readDerivation(line.derivation);
  if (derivation.type !== 'charge') throw new Error(`${line.id} is no charge`);
  const { price, ratio, free, freePart, began, tax: taxed } = derivation;
  const part = freePart ? { freePart } : {};
  return { lineId: line.id, name: line.name, price: price.price, ratio, span: line.span, free, ...part, began, taxed };
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
        isAbsolute: one.isAbsolute,
        discarded: false,
      }));
    const markerOf = ({ marker }: UsageSum): string | null => events.find(({ id }) => id === marker)?.units ?? null;
    const all = sumUsage(events, { from: Number.MIN_SAFE_INTEGER, to: null });
    const until = sumUsage(events, { from: Number.MIN_SAFE_INTEGER, to: now, endIncluded: true });
    return {
      contractId,
      periodIdx,
      slug,
      units: all.units,
      events: all.counted,
      marker: markerOf(all),
      unitsUntilNow: until.units,
      eventsUntilNow: until.counted,
      markerUntilNow: markerOf(until),
    };
  });
}

/** Writes effects as the database does: a charge key that is there already is an error, nothing is written twice. */
export function write(ledger: Ledger, { effects }: Pick<Outcome, 'effects'>): void {
  for (const contract of effects.contracts) ledger.contracts.set(contract.id, contract);
  for (const period of effects.periods) ledger.periods.set(`${period.contractId}/${period.idx}`, period);
  for (const { contractId, idx, end } of effects.movedEnds) {
    const key = `${contractId}/${idx}`;
    const closed = ledger.periods.get(key);
    if (closed !== undefined) ledger.periods.set(key, { ...closed, end, until: end });
  }
  for (const line of effects.lines) writeLine(ledger, line, effects);
  for (const invoice of effects.invoices) ledger.invoices.push(invoice);
  takeUpWaiting(ledger, effects);
  ledger.wallet.push(...effects.wallet);
  ledger.grants.push(...effects.grants);
  ledger.creditsBack.push(...effects.creditsBack);
  ledger.events.push(...effects.events);
  for (const { contractId, rows } of effects.agenda) ledger.agenda.set(contractId, rows);
  ledger.corrections = ledger.corrections.filter((one) => !effects.chargedCorrections.some(({ occasion }) => occasion === one.occasion));
  for (const handover of effects.handovers) handOver(ledger, handover);
}

/** Each event gets the period it lies in, and this a row if it has none. */
function handOver(ledger: Ledger, { fromContractId, toContractId, after, afterIdx, except }: UsageHandover): void {
  for (const used of ledger.used) {
    if (except.includes(used.slug)) continue;
    if (used.contractId !== fromContractId || ((after === null || used.timestamp <= after) && used.periodIdx <= afterIdx)) continue;
    const contract = contractOf(ledger, toContractId);
    used.contractId = toContractId;
    used.periodIdx = periodIdxOf(ledger, contract, used.timestamp);
    const period = usagePeriodAt(contract, ledger.pauses, Math.max(used.timestamp, contract.began ?? 0));
    const key = `${toContractId}/${period.idx}`;
    if (!ledger.periods.has(key)) ledger.periods.set(key, period);
  }
}

/** Lines that waited get their invoice, or are taken back. */
function takeUpWaiting({ lines }: Ledger, { invoices, undone }: Effects): void {
  for (const invoice of invoices) {
    for (const id of invoice.lineIds) {
      const line = lines.get(id);
      if (line === undefined) throw new Error(`no line ${id}`);
      if (line.invoiceId !== null && line.invoiceId !== invoice.id) throw new Error(`${id} stands on two invoices`);
      lines.set(id, { ...line, invoiceId: invoice.id });
    }
  }
  for (const id of undone) {
    const line = lines.get(id);
    if (line === undefined || line.invoiceId !== null) throw new Error(`${id} doesn't wait`);
    lines.set(id, { ...line, idle: true });
  }
}

function writeLine(ledger: Ledger, line: Line, effects: Effects): void {
  const key = `${line.contractId}/${line.chargeKey}`;
  if (ledger.chargeKeys.has(key)) throw new Error(`${key} charged twice`);
  ledger.chargeKeys.add(key);
  const invoice = effects.invoices.find(({ lineIds }) => lineIds.includes(line.id));
  ledger.lines.set(line.id, { ...line, invoiceId: invoice?.id ?? null });
}

/**
 * Records usage where the calendar says it belongs; as by the intake it is refused in a period that is closed for it.
 */
export function use(ledger: Ledger, contractId: string, slug: string, timestamp: Instant, units: string, isAbsolute = false): void {
  const periodIdx = periodIdxOf(ledger, contractOf(ledger, contractId), timestamp);
  const charging = periodThatCharges(ledger, contractId, periodIdx, slug);
  if (charging?.status === 'closed') refuse('usage_period_closed', `usage period ${charging.idx} of ${charging.contractId} is closed`);
  ledger.used.push({ contractId, periodIdx, slug, timestamp, units, isAbsolute });
}

/** The period whose closing charges a feature's usage: a later contract's, where it goes on there. */
export function periodThatCharges(ledger: Ledger, contractId: string, idx: number, slug: string): UsagePeriod | null {
  let period = ledger.periods.get(`${contractId}/${idx}`) ?? null;
  while (period?.goesOn.includes(`feature:${slug}`)) {
    const { contractId: id, idx: n }: UsagePeriod = period;
    period = [...ledger.periods.values()].find(({ follows }) => follows?.contractId === id && follows.idx === n) ?? null;
  }
  return period;
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

/** Notes what a rule says of the chain's MRR, as it is booked. */
export function keepMrr(ledger: Ledger, { effects }: Outcome, now: Instant): void {
  ledger.mrr.push(...effects.mrr.map((one) => ({ ...one, at: one.at ?? now })));
}
