import type { Cycle } from '../calendar/cycle.ts';
import type { Instant } from '../calendar/instant.ts';
import type { Pause } from '../calendar/pauses.ts';
import type { CarriedCredits, CreditsBack, PlanCredits, PlanGrant } from '../credit/types.ts';
import type { PlainEventType } from '../event-types.ts';
import type { LineGivenBack } from '../invoice/continued.ts';
import type { BilledParts, ChargedLine, Line, NewInvoice, TaxContext, WalletMove } from '../invoice/types.ts';
import type { Currency } from '../money/currency.ts';
import type { GateAmounts } from '../payment/gate.ts';
import type { DueDatePolicy } from '../pricing/estimate.ts';
import type { ChargeTrigger, PlanStrategy, Price } from '../pricing/price.ts';
import type { EarlierPart, UsageCorrection, UsageHandover, UsagePeriod, UsageTotal } from '../usage/types.ts';
import type { CyclesLeft } from './period/cycles-left.ts';
import type { CopiedPauseRules } from './period/pause-rules.ts';
import type { CopiedChangeRules } from './terms/change-rules.ts';
import type { FeatureValue } from './terms/offer.ts';

export type { EarlierPart, UsageCorrection, UsageHandover, UsagePeriod, UsageTotal };

/**
 * The states of a contract (in the API: `ContractStatus`). `not_ready` lasts until the first step has committed;
 * nothing leaves `moved` or `canceled`.
 */
export type ContractStatus = 'not_ready' | 'scheduled' | 'pending' | 'active' | 'moved' | 'canceled';

/**
 * When a usage period closes: at its end, by a call, or some time after its end (in the API:
 * `UsagePeriodClosingPolicy`).
 */
export type UsagePeriodClosingPolicy = 'automatic' | 'manual' | '15 minutes' | '1 hour' | '1 day';

/**
 * When lines become invoices: at once, or on a call. `every_cycle` and `periodic` are stored and behave as `manual` (in
 * the API: `InvoiceTrigger`).
 */
export type InvoiceTrigger =
  | 'immediate'
  | 'manual'
  | 'every_cycle'
  | { periodic: { cycleCount: number; cycle: Cycle; cycleStartOffset: number | null } };

/**
 * What the end of a free trial does to a customer without a payment method: nothing, or it ends the contract (in the
 * API: `OnTrialEnd`).
 */
export type OnTrialEnd = 'continue' | 'cancel_without_method';

/**
 * What follows when an invoice is still unpaid on the day of its last retry: nothing, the contract is canceled, or its
 * customer is frozen (in the API: `OnDunningEnd`).
 */
export type OnDunningEnd = 'continue' | 'cancel' | 'freeze';

/** Why a contract ended, as its event says it. */
export type EndReason = 'canceled' | 'expired' | 'trial_without_method' | 'unpaid';

/**
 * How a contract is invoiced and collected. It is copied at signing: later edits of the vendor's preferences don't
 * change it.
 */
export interface Configuration {
  automaticPayment: boolean;
  dueDatePolicy: DueDatePolicy;
  /** days from the date by the policy to the due date */
  netDays: number;
  invoiceTrigger: InvoiceTrigger;
  usagePeriodClosingPolicy: UsagePeriodClosingPolicy;
  onTrialEnd: OnTrialEnd;
  onDunningEnd: OnDunningEnd;
  /** open usage is invoiced each time it comes to this amount of the contract's currency; null: at its closing */
  invoiceThreshold: string | null;
  /** where a contract's threshold was given; absent at those places themselves */
  invoiceThresholdFrom?: ThresholdPlace | null;
}

/** Where an invoice threshold is given, in the order in which the places are looked up. */
export type ThresholdPlace = 'contract' | 'customer' | 'vendor';

/** A feature as sold: the contract's own copy. `price` null: an entitlement that costs nothing. */
export interface TermFeature {
  id: string;
  originalFeatureId: string;
  slug: string;
  name: string;
  chargeTrigger: ChargeTrigger;
  group: string | null;
  /** what it gives in the place of a price; null: nothing to tell */
  value: FeatureValue | null;
  price: Price | null;
}

/** What was sold, copied at signing or at a change: later edits of the catalogue don't change it. */
export interface Terms {
  /** id of this copy (`Plan_…`) */
  id: string;
  originalPlanId: string;
  pricingId: string;
  slug: string;
  internalName: string;
  externalName: string | null;
  description: string | null;
  strategy: PlanStrategy;
  freeTrialDays: number;
  currency: Currency;
  cycle: Cycle;
  /** plan price, strategy `plan` only */
  price: Price | null;
  features: TermFeature[];
  /** group prices, strategy `group` only */
  groups: { name: string; price: Price }[];
  /** what is given with each cycle; null or absent: nothing */
  credits?: PlanCredits | null;
}

/** `percentage`: a share of each recurring line. `flat`: an amount per cycle, divided among them. */
export type DiscountType = 'percentage' | 'flat';

/** A discount as given to a contract. It applies to chain cycles `cyclesBefore + 1 … cyclesBefore + duration`. */
export interface ContractDiscount {
  id: string;
  originalDiscountId: string | null;
  slug: string;
  name: string;
  type: DiscountType;
  /** "10" = 10 % for `percentage`, an amount in `currency` for `flat` */
  amount: string;
  currency: Currency | null;
  /** billing cycles the discount applies to */
  duration: number;
  /** chain cycles that had passed when the discount was given */
  cyclesBefore: number;
  /**
   * the instant from which it applies to no further cycle, where freezes don't move it; absent where they do, and
   * before the first cycle
   */
  endsAt?: Instant;
}

/**
 * An instant in a contract's future that freezes move. `boundary`: the start of rhythm cycle `n`, whenever that is.
 * `date`: `at`, as asked for at `setAt`; every freeze that begins at or after `setAt` and before the date moves it.
 */
export type When = { type: 'boundary'; n: number } | { type: 'date'; at: Instant; setAt: Instant };

/** A change that waits; the successor contract exists already as `scheduled`, with the new terms. */
export interface PendingChange {
  successorId: string;
  when: When;
  kind: 'new_plan' | 'change_unit_count';
  /** true when a downgrade was deferred, false when the caller chose the time */
  isDowngrade: boolean;
  requestedAt: Instant;
}

/** A cancellation that waits for its time; `credit` gives the unused part back to the wallet. */
export interface Cancellation {
  when: When;
  credit: boolean;
  requestedAt: Instant;
  notes: string | null;
}

/** What changes leave behind for the contracts after them. */
export interface Carried extends CarriedCredits {
  /** ids of lines whose unused time a change has not given back, and that nothing may give back later */
  lost: string[];
  /** ids of lines that go on to pay for what came in the place of their price, until a change gives them back */
  goesOn: string[];
  /** predecessors that have lines which wait for the chain's next invoice */
  waiting: string[];
  /**
   * sources of usage whose price the contract began with a change: another price, or one for another cycle; their
   * minimum and fee run to a known end. Absent: none
   */
  newUsage?: string[];
  /**
   * the last occurrence of month, quarter and year prices that another system has billed ahead, by source; of prices
   * that the contract sells as they were. Absent: none
   */
  chargedAhead?: Record<string, number>;
  /**
   * by how many milliseconds freezes had moved the end of `once` and `constant` when its pause rule became another one:
   * the price of the span isn't paid for these. Absent: by none
   */
  frozen?: number;
  /** times whose freezes moved no end of such a span, by pause rules that hold no more. Absent: none */
  ranOn?: { from: Instant; to: Instant }[];
}

/**
 * A contract. Rhythm: boundary n is counted from `start` (activation, trial end, or inherited along the chain), billing
 * period `idx` (1, 2, …) is rhythm cycle `firstCycle + idx - 1`, chain cycle `cyclesBefore + idx`.
 */
export interface Contract {
  id: string;
  vendorId: string;
  customerId: string;
  clockId: string | null;
  /** first contract of the chain of changes; its own id for a contract that follows none */
  rootId: string;
  predecessorId: string | null;
  successorId: string | null;
  /** true while it is the scheduled successor of a pending change: no agenda, no workflow of its own */
  isSuccessor: boolean;
  status: ContractStatus;
  terms: Terms;
  discount: ContractDiscount | null;
  configuration: Configuration;
  /** how it may be changed, and how a change is charged */
  changeRules: CopiedChangeRules;
  /** what a freeze of its customer means for it */
  pauseRules: CopiedPauseRules;
  /**
   * the contract's own free cycles, counted along the chain; after a change of the cycle's length, the whole ones that
   * were left
   */
  freeCycles: number;
  created: Instant;
  /** null while `pending` */
  activation: Instant | null;
  trialDays: number;
  /**
   * activation + trialDays, before freezes; null without a trial. The end with freezes is `trialEndOf(contract,
   * pauses)`
   */
  trialEnd: Instant | null;
  /** the event that tells of the trial's end has been sent */
  trialEndingSent: boolean;
  expiration: { at: Instant; setAt: Instant } | null;
  /** start of rhythm cycle 0; null until it is known (pending, scheduled, in trial) */
  start: Instant | null;
  /** days from the natural start (`cycle_start_offset`), null = anchored at `start` */
  offset: number | null;
  firstCycle: number;
  cyclesBefore: number;
  /** instant from which this contract is the live one (activation or the change) */
  began: Instant | null;
  /** instant at which it became `moved` or `canceled` */
  ended: Instant | null;
  /**
   * index of the current billing period, null before the first (trial, scheduled, pending); after the end, that of the
   * last one
   */
  currentIdx: number | null;
  /** last occurrence charged of each month, quarter and year trigger (0 = the one at the anchor), -1 = none yet */
  customCharged: { month: number; quarter: number; year: number };
  /** what was left of free and discount cycles when the length of the cycle changed; null while that hasn't changed */
  cyclesLeft: CyclesLeft | null;
  /**
   * what the changes at the instant this contract began gave back along the chain, oldest first, then what of it begins
   * later: a line that continues it is charged the same
   */
  givenBack: LineGivenBack[];
  /** what changes have left behind along the chain */
  carried: Carried;
  pendingChange: PendingChange | null;
  cancellation: Cancellation | null;
  /** why it can't go on, null when it can */
  parkedReason: string | null;
  /** the open gate of this contract itself, or of the change that it is to make; null without one */
  gate: ContractGate | null;
}

/** A payment gate that is open: what it waits for, and until when. */
export interface ContractGate extends GateAmounts {
  /** the contract that the payment makes */
  contractId: string;
  expires: Instant;
}

/**
 * Something that happened to an object, for the event log and webhooks.
 */
export interface DomainEvent {
  type: PlainEventType;
  objectId: string;
  at: Instant;
  data: Record<string, unknown>;
}

/** What can be due for a contract; the order at one instant is in `schedule.ts`. */
export type AgendaKind =
  | 'usage_closing'
  | 'cancellation'
  | 'expiration'
  | 'trial_cancellation'
  | 'scheduled_change'
  | 'trial_end'
  | 'activation'
  | 'boundary'
  | 'custom_charge'
  | 'trial_ending';

/** One thing that is due for a contract; `detail` is plain JSON for readers (period idx, successor id …). */
export interface AgendaRow {
  contractId: string;
  kind: AgendaKind;
  /** unique within the contract and kind: a period idx, a cycle number, an id */
  subject: string;
  dueAt: Instant;
  /** when a reminder is sent of the invoice that this row brings; null: none is sent */
  remindAt: Instant | null;
  detail: Record<string, unknown>;
}

/** What a rule knows of a contract's customer. */
export interface SnapshotCustomer {
  id: string;
  status: 'active' | 'inactive' | 'temporary';
  pauses: Pause[];
  /** the default payment method is active */
  hasMethod: boolean;
}

/**
 * Everything about a contract that is read before a rule runs. A rule is a function of a snapshot, an instant and a
 * request; it gives the new snapshot and its effects.
 */
export interface ContractSnapshot {
  contract: Contract;
  /** the scheduled successor when a change is pending */
  successor: Contract | null;
  customer: SnapshotCustomer;
  tax: TaxContext;
  /** usage periods not yet closed, of this contract, ascending by idx */
  periods: UsagePeriod[];
  /** totals of those periods, by feature */
  usage: UsageTotal[];
  /** where the open period `follows` another: the parts of its billing period on predecessors, oldest first */
  earlier: EarlierPart[];
  /**
   * recurring and custom lines whose span ends after now: what a change or cancellation may give back. Lines of
   * predecessors are among them: a change of units leaves lines that it doesn't touch where they were charged
   */
  running: ChargedLine[];
  /**
   * lines written but not on an invoice yet: of a contract whose lines wait for a call, or of the chain's changes that
   * wait for its next invoice
   */
  waiting: ChargedLine[];
  corrections: UsageCorrection[];
  /** what an invoice threshold has charged of the open periods, and of the earlier parts: an entry for each price */
  billed: BilledParts[];
  /** the instant for which the totals `…UntilNow` were read */
  now: Instant;
}

/** What a chain's MRR has become, and the contract of the chain that it comes from. */
export interface MrrChange {
  contractId: string;
  /** null: at the instant of the decision itself */
  at: Instant | null;
  currency: Currency;
  amount: string;
}

/** What is to be written: the outcome of a rule. All arrays may be empty. Written in one transaction or not at all. */
export interface Effects {
  /** every touched contract in its new state */
  contracts: Contract[];
  periods: UsagePeriod[];
  /** running usage periods that a call has closed already, with the end to which freezes have moved them */
  movedEnds: { contractId: string; idx: number; end: Instant }[];
  lines: Line[];
  invoices: NewInvoice[];
  /** lines written before that waited, and that these invoices take up */
  takenUp: Line[];
  /** ids of lines written before that are taken back: they had waited for an invoice, and another line undoes them */
  undone: string[];
  wallet: WalletMove[];
  events: DomainEvent[];
  handovers: UsageHandover[];
  /** agenda rows of each touched contract: they replace all that it had */
  agenda: { contractId: string; rows: AgendaRow[] }[];
  /** corrections that are charged by `lines`, or need no line */
  chargedCorrections: UsageCorrection[];
  /** what the chain's MRR has become, in order */
  mrr: MrrChange[];
  /** credits that the plan gives */
  grants: PlanGrant[];
  /** credits of the plan that go back, after what is given */
  creditsBack: CreditsBack[];
}

/** The result of a rule: the state after it, and what to write. */
export interface Outcome {
  snapshot: ContractSnapshot;
  effects: Effects;
}

/**
 * Gives a new id for a prefix (`Item`, `Inv`, `Cont` …). For estimates it is seeded, so that a token leads to the same
 * ids again.
 */
export type NewId = (prefix: string) => string;
