import type { Instant } from '../billing/calendar/instant.ts';
import type { ContractStatus } from '../billing/contract/types.ts';

/**
 * Names and plain-JSON shapes of all messages to and from workflows. Ids and dates only: nothing personal, no free
 * text, no secrets.
 */

/** The one signal: the facts in Postgres have changed. Only the wait loop acts on it. */
export const CHANGED_SIGNAL = 'changed';
/** The name of what a chain's workflow is started with beside its id: the number of the latest event known then. */
export const SEEN_MEMO = 'seen';
/** The instant at which its first task runs, where no message comes before. */
export const RUNS_AT_MEMO = 'runsAt';

export const STATE_QUERY = 'state';
export const TIMELINE_QUERY = 'timeline';

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/**
 * A chain of contracts, by the id of its first: each change gives the contract a new id, its lifecycle goes on in the
 * same workflow.
 */
export interface ChainRef {
  chainId: string;
}

export interface CustomerRef {
  customerId: string;
}

export interface ClockRef {
  clockId: string;
}

/** Something that is due: its kind says which concern of the lifecycle carries it out. */
export interface DueItem {
  at: Instant;
  kind: string;
  contractId: string | null;
  detail: Record<string, Json>;
}

/** What is due of a chain. */
export interface ChainDue extends DueItem {
  /** what it is due for: it tells apart items of one kind at one instant */
  subject: string;
}

/** Something that was done since the schedule was last read, or lately at a first look; invoices by their ids. */
export interface DoneItem {
  at: Instant;
  what: string;
  object: string;
  by: string;
}

/** An invoice that is still open because paying it has failed. */
export interface DunnedInvoice {
  invoiceId: string;
  failures: number;
  retries: number;
  givenUp: boolean;
  attemptId: string | null;
}

export interface ChainContract {
  contractId: string;
  status: ContractStatus;
  planId: string;
  planSlug: string;
  periodIdx: number | null;
  parked: string | null;
  isLive: boolean;
  /** its open usage is invoiced each time it comes to an invoice threshold; absent in answers of older workers */
  hasThreshold?: boolean;
  /** the first of its periods that have ended and whose usage only a call closes; absent in answers of older workers */
  unclosedIdx?: number | null;
  /** charges of it wait for an invoice that only a call makes; absent in answers of older workers */
  isUninvoiced?: boolean;
  /** the oldest of its invoices that wait for their validation; absent in answers of older workers */
  draftId?: string | null;
}

/** Where a chain stands and what comes next: all that its workflow knows. */
export interface Schedule {
  chainId: string;
  vendorId: string;
  customerId: string;
  clockId: string | null;
  isFrozen: boolean;
  /** when the freeze ends by itself; null: it doesn't, or there is none; absent in answers of older workers */
  resumesAt?: Instant | null;
  /** at most 20: live ones first, then those with open usage or that wait for a call, then the latest */
  contracts: ChainContract[];
  /** earliest first, in the declared order at one instant */
  due: ChainDue[];
  /** absent in answers of older workers */
  dunned?: DunnedInvoice[];
  /** when to wake for what is due first: a little later than that where many share the instant */
  wakeAt: Instant | null;
  /**
   * true: the activity has not advanced the contracts that are due. Many are due together, so it has left them for the
   * bill run to do; the workflow looks again at `wakeAt`. Recorded histories have this name, so it stays as it is.
   */
  isLeft: boolean;
  /** nothing of the chain is live, open or due any more */
  hasEnded: boolean;
  done: DoneItem[];
  /** to be passed to the next activity, so that `done` lists only what is new */
  seen: string;
  /** the name of the worker's code that answered */
  bundle: string;
  /** as in the activity's input */
  signals: number;
}

/** What an activity of a chain is given. */
export interface ChainActivityInput {
  chainId: string;
  /** how many signals the run had received when it asked: the answer knows all that they tell of */
  signals: number;
  /** the instant the workflow woke for; null: it only reads */
  dueAt: Instant | null;
  /** `seen` of the schedule read before; null: there is none, so the latest events are listed */
  seen: string | null;
  /**
   * true: when the workflow woke for `dueAt` before, what is due was left for the bill run to do (`isLeft`). Now the
   * activity does itself what is still due. Recorded histories have this name, so it stays as it is.
   */
  wasLeft: boolean;
}

export interface StateResponse extends Schedule {
  waitingFor: string;
}

export interface TimelineEntry {
  at: string;
  what: string;
}

/** What is due of a customer that belongs to no contract. */
export interface CustomerSchedule {
  customerId: string;
  vendorId: string;
  clockId: string | null;
  due: CustomerDue[];
  bundle: string;
  /** as in the activity's input */
  signals: number;
}

/** What the activity that reads a customer's schedule is given. */
export interface CustomerReadInput extends CustomerRef {
  /** how many signals the run had received when it asked: the answer knows all that they tell of */
  signals: number;
  /** kinds of which a row is still due after it was carried out: the first row of another kind is read, too */
  stuck: string[];
}

/** What the activity that carries out a row of a customer is given. */
export interface CustomerStepInput extends CustomerRef {
  /** when the row was due */
  dueAt: Instant;
}

/** E-mails are sent by the wall clock, also to customers on a test clock. */
export interface CustomerDue extends DueItem {
  /** of the agenda's row */
  id: string;
  onClock: boolean;
}

/** A step of a test clock. */
export interface ClockStep {
  now: Instant;
  /** true when the clock has reached its target, or can't go on */
  done: boolean;
  /** something of this instant still happens elsewhere: step again shortly */
  waiting: boolean;
  reason: string | null;
}

export interface PlanMoveRef {
  moveId: string;
}

/** What a move's activity is given: the contract that its round has come to; null: a new round begins. */
export interface PlanMoveInput extends PlanMoveRef {
  after: string | null;
}

/** How far a move has come. */
export interface PlanMoveStep {
  planId: string;
  toPlanId: string;
  status: 'running' | 'stopped' | 'done';
  total: number;
  moved: number;
  refused: number;
  after: string | null;
  /** some contracts can't be changed just now: the next round begins a little later */
  isWaiting: boolean;
}

/** What an import's activity is given: the place up to which its round has come; null: a new round begins. */
export interface ImportInput {
  importId: string;
  after: string | null;
}

/** How far an import has come. */
export interface ImportStep {
  status: 'open' | 'running' | 'stopped' | 'done';
  total: number;
  made: number;
  repeated: number;
  refused: number;
  after: string | null;
  /** some lines can't be carried out just now: the next round begins a little later */
  isWaiting: boolean;
}

/** A part of a bill run's customers, and the vendor of its last batch: the one after it comes next. */
export interface LaneRef {
  lane: number;
  lanes: number;
  after: string | null;
}

/** What a lane has billed in one activity, in several batches. */
export interface BilledLane {
  contracts: number;
  batches: number;
  parked: string[];
  after: string | null;
  /** nothing is due in this lane, or nothing that could be billed now */
  isDone: boolean;
}

export interface EndpointRef {
  endpointId: string;
}

/** Where a webhook endpoint stands after some deliveries. */
export interface EndpointState {
  isPaused: boolean;
  /** objects whose next event wasn't taken; 1,000 stands for that many or more */
  failing: number;
  /** when the next try is due; null: nothing waits, or the endpoint is paused */
  nextTry: Instant | null;
  /** there is more to do at once */
  hasMore: boolean;
  bundle: string;
}
