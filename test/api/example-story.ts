import type { Json } from '../support/api.ts';

export interface Call {
  /** Fill the path; ids are those of the examples. */
  params?: Record<string, string>;
  query?: string;
  /** In place of the example's own body, for a step that no example shows. */
  body?: Json;
}

/** Sends an operation's example and compares the answer; `aside` sends without comparing. */
export interface Teller {
  play: (operationId: string, call?: Call) => Promise<Json>;
  aside: (operationId: string, call?: Call) => Promise<Json>;
  /** Moves the clock, until everything due has happened. */
  until: (instant: string) => Promise<void>;
  /** Until all payments of the customer have their outcome. */
  paid: (number: number) => Promise<void>;
}
