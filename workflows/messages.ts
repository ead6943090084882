import type { Instant } from '../billing/calendar/instant.ts';
import type { AgendaKind, ContractStatus } from '../billing/contract/types.ts';

/** Names and plain-JSON shapes of everything that is said to and by workflows. Ids and dates only: nothing personal, no secrets. */

export const CONTRACT_WORKFLOW = 'contractLifecycle';
export const CLOCK_WORKFLOW = 'clockAdvance';

export interface ContractRef {
  contractId: string;
}

export interface ClockRef {
  clockId: string;
}

/** Tells a workflow to look at its rows again. */
export const WAKE_SIGNAL = 'wake';
export const STATE_QUERY = 'state';
export const TIMELINE_QUERY = 'timeline';

/** What can be asked of a running contract, each an Update of this name. */
export const OPERATIONS = ['change', 'cancel', 'cancel_undo', 'change_undo', 'close_usage', 'charge', 'activate', 'resume'] as const;
export type Operation = (typeof OPERATIONS)[number];

/** Where the answer is stored with the effect, so that a repeat of the request gets it again. */
interface AnswerRef {
  vendorId: string;
  operation: string;
  key: string;
  bodyHash: string;
}

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** One request to a contract. `request` is what the operation's activity reads, see `activities/contract/commands/`. */
export interface Command<Request = Json> {
  vendorId: string;
  request: Request;
  /** epoch milliseconds of the wall clock; past it nothing is done any more, so that the caller's 503 is final */
  deadline: number;
  /** under what the answer is kept: the caller's Idempotency-Key, else a name of this one request. A step may run twice, its effect not. */
  answer: AnswerRef;
  /** whether the caller's key was claimed before; a name made up for the request is not */
  claimed: boolean;
  /** HTTP status stored with the answer */
  status: number;
  keyId: string | null;
}

/** What an operation answers; stored as the response's body. */
export interface Carried {
  answer: Json;
  schedule: Schedule;
}

export interface DueItem {
  at: Instant;
  kind: AgendaKind;
  detail: Record<string, Json>;
}

/** Where a contract stands and what comes next: all its workflow knows of it. */
export interface Schedule {
  contractId: string;
  vendorId: string;
  customerId: string;
  planId: string;
  planSlug: string;
  clockId: string | null;
  /** the contracts it was changed from and into */
  predecessorId: string | null;
  successorId: string | null;
  status: ContractStatus;
  frozen: boolean;
  periodIdx: number | null;
  parked: string | null;
  /** nothing will ever be due again */
  over: boolean;
  due: DueItem[];
  /** when to wake for what is due first: a little behind it where many contracts share the instant; schedules in histories of earlier code lack it */
  wakeAt?: Instant | null;
}

export interface StateAnswer extends Schedule {
  waitingFor: string;
}

export interface TimelineEntry {
  at: string;
  what: string;
}

/** A step of a test clock. */
export interface ClockStep {
  now: Instant;
  /** true when the clock stands at its target, or can't go on */
  done: boolean;
  /** something of this instant still happens elsewhere: look again shortly */
  waiting: boolean;
  reason: string | null;
}
