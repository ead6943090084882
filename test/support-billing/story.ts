import { at, type Instant, iso } from '../../billing/calendar/instant.ts';
import type { Pause } from '../../billing/calendar/pauses.ts';
import { advance } from '../../billing/contract/advance/advance.ts';
import { isLive } from '../../billing/contract/period/time.ts';
import type { Offer } from '../../billing/contract/terms/offer.ts';
import { DEFAULT_CONFIGURATION, planSigning, type SignRequest } from '../../billing/contract/terms/sign.ts';
import type { ImportStanding } from '../../billing/contract/terms/standing.ts';
import type { Configuration, Contract, ContractSnapshot, NewId, Outcome } from '../../billing/contract/types.ts';
import type { TaxContext } from '../../billing/invoice/types.ts';
import { contractOf, countingIds, emptyLedger, keepMrr, type Ledger, snapshotOf, use, write } from './ledger.ts';

/**
 * A customer's contract as dated events on the pure engine. Dates are ISO texts, 00:00Z unless a time is given.
 */
export interface Story {
  ledger: Ledger;
  newId: NewId;
  /** id of the contract that is live, or was last */
  id: () => string;
  contract: () => Contract;
  advance: (date: string) => void;
  uses: (date: string, slug: string, units: string, isAbsolute?: boolean) => void;
  /** usage of a time that may lie on a contract before; refused where that is closed */
  usesThen: (date: string, slug: string, units: string, isAbsolute?: boolean) => void;
  /** runs a rule on the live contract and writes its effects */
  does: <T extends Outcome>(date: string, rule: (snapshot: ContractSnapshot, now: Instant, newId: NewId) => T) => T;
}

export type SignWords = Partial<Omit<SignRequest, 'activation' | 'expiration' | 'configuration'>> & {
  activation?: string;
  expiration?: string;
  configuration?: Partial<Configuration>;
  tax?: TaxContext;
  /** earlier freezes of the customer */
  pauses?: Pause[];
};

/** A request to sign, with what the words say. */
export function signRequestOf(offer: Offer, words: SignWords = {}): SignRequest {
  const { activation, expiration, configuration, tax: _, pauses: __, ...more } = words;
  return {
    vendorId: 'Wbc_1',
    customerId: 'Cust_1',
    clockId: null,
    offer,
    overrides: {},
    discount: null,
    isPending: false,
    trialDays: null,
    freeCycles: null,
    offset: null,
    customerConfiguration: {},
    vendorConfiguration: DEFAULT_CONFIGURATION,
    changeRules: {},
    vendorChangeRules: {},
    vendorPauseRules: {},
    ...more,
    activation: activation === undefined ? null : at(activation),
    expiration: expiration === undefined ? null : at(expiration),
    configuration: configuration ?? {},
  };
}

/** Where a contract stands that another system has billed up to a date. */
export const standsAt = (anchor: string | null, billedUntil: string | null, more: Partial<ImportStanding> = {}): ImportStanding => ({
  anchor: anchor === null ? null : at(anchor),
  billedUntil: billedUntil === null ? null : at(billedUntil),
  customBilledUntil: null,
  trialEnd: null,
  discountCyclesLeft: null,
  freeCyclesLeft: null,
  creditsLeft: null,
  ...more,
});

export function signs(date: string, offer: Offer, words: SignWords = {}): Story {
  const ledger = emptyLedger(words.tax);
  const newId = countingIds();
  ledger.pauses.push(...(words.pauses ?? []));
  const signed = planSigning(signRequestOf(offer, words), at(date), { newId, pauses: ledger.pauses });
  ledger.contracts.set(signed.contract.id, signed.contract);
  ledger.agenda.set(signed.contract.id, signed.agenda);
  const story = tell(ledger, newId, signed.contract.id);
  story.advance(date);
  return story;
}

function tell(ledger: Ledger, newId: NewId, firstId: string): Story {
  const id = (): string => {
    let current = contractOf(ledger, firstId);
    while (current.status === 'moved' && current.successorId) current = contractOf(ledger, current.successorId);
    return current.id;
  };
  const story: Story = {
    ledger,
    newId,
    id,
    contract: () => contractOf(ledger, id()),
    advance: (date) => {
      const upTo = at(date);
      // until nothing moves any more: a contract may come to life through one that was made after it
      while ([...ledger.contracts.keys()].filter((contractId) => advanceOne(ledger, contractId, upTo, newId)).length > 0);
    },
    uses: (date, slug, units, isAbsolute) => use(ledger, id(), slug, at(date), units, isAbsolute),
    usesThen: (date, slug, units, isAbsolute) => use(ledger, liveAt(ledger, at(date)), slug, at(date), units, isAbsolute),
    does: (date, rule) => {
      story.advance(date);
      const outcome = rule(snapshotOf(ledger, id(), at(date)), at(date), newId);
      write(ledger, outcome);
      keepMrr(ledger, outcome, at(date));
      return outcome;
    },
  };
  return story;
}

/** The contract that was live at an instant. */
function liveAt({ contracts }: Ledger, instant: Instant): string {
  const found = [...contracts.values()].find(
    ({ began, ended }) => began !== null && began <= instant && (ended === null || instant < ended),
  );
  if (found === undefined) throw new Error(`no contract was live on ${iso(instant)}`);
  return found.id;
}

/** Steps a contract from due instant to due instant, as a clock does; tells whether there was anything to do. */
function advanceOne(ledger: Ledger, contractId: string, upTo: Instant, newId: NewId): boolean {
  for (let steps = 0; ; steps += 1) {
    const contract = contractOf(ledger, contractId);
    if (contract.isSuccessor) return steps > 0;
    const due = (ledger.agenda.get(contractId) ?? []).map(({ dueAt }) => dueAt).filter((dueAt) => dueAt <= upTo);
    const next = due.length === 0 ? null : Math.min(...due);
    const first = contract.status === 'not_ready';
    if (next === null && !first) return steps > 0;
    const outcome = advance(snapshotOf(ledger, contractId, next ?? upTo), next ?? upTo, newId);
    write(ledger, outcome);
    keepMrr(ledger, outcome, next ?? upTo);
    if (!isLive(contractOf(ledger, contractId)) && (ledger.agenda.get(contractId) ?? []).length === 0) return true;
  }
}

/** Invoices as `date total: line amount, …`, for a comparison at a glance. */
export function invoicesOf({ ledger }: Pick<Story, 'ledger'>): string[] {
  return ledger.invoices.map((invoice) => `${day(invoice.date)} ${invoice.total}: ${lineTexts(ledger, invoice.lineIds).join(', ')}`);
}

/** Lines not on an invoice yet. */
export function waitingOf({ ledger }: Pick<Story, 'ledger'>): string[] {
  return [...ledger.lines.values()].filter(({ invoiceId }) => invoiceId === null).map((line) => `${line.source} ${line.totalIncludingTax}`);
}

function lineTexts(ledger: Ledger, ids: string[]): string[] {
  return ids.map((id) => {
    const line = ledger.lines.get(id);
    if (!line) throw new Error(`no line ${id}`);
    return `${line.kind === 'recurring' ? '' : `${line.kind} `}${line.source === line.kind ? '' : `${line.source} `}${line.totalIncludingTax}`;
  });
}

/** The shortest text of an instant. */
export function day(instant: Instant): string {
  return iso(instant).replace('T00:00:00.000Z', '').replace(':00.000Z', 'Z');
}

/** Bounds of all usage periods, `contract/idx: from – until status`. */
export function periodsOf({ ledger }: Pick<Story, 'ledger'>): string[] {
  return [...ledger.periods.values()]
    .sort((a, b) => a.from - b.from || a.idx - b.idx)
    .map(({ idx, from, until, status }) => `${idx}: ${day(from)} – ${until === null ? '…' : day(until)} ${status}`);
}
