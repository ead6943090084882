import type { Instant } from '../calendar/instant.ts';
import type { LineKind } from '../invoice/types.ts';
import type { Currency } from '../money/currency.ts';

/** What prepaid credits come from: a gift of the vendor, or the customer has bought them. */
export type GrantKind = 'promotional' | 'purchased';

/** Prepaid credits, as the rules of their use see them. */
export interface Grant {
  id: string;
  kind: GrantKind;
  currency: Currency;
  /** 0 is used first, 100 last */
  priority: number;
  /** its life is [effectiveAt, expiresAt), moved by freezes; null: it never ends */
  effectiveAt: Instant;
  expiresAt: Instant | null;
  /** slugs of the only features it pays for; null: all, and what is no feature */
  features: readonly string[] | null;
  /** the only plans it pays for; null: all */
  plans: readonly string[] | null;
  /** whether it pays for what is used alone: credits that come with a plan don't pay its price */
  usageOnly?: boolean;
  /** what may be used of it */
  left: string;
}

/**
 * A part of a line, with its share of what the line comes to, tax included. `at` = `until` for what is charged at
 * one instant; usage is divided wherever the life of a grant begins or ends in it.
 */
export interface LinePart {
  at: Instant;
  until: Instant;
  amount: string;
}

/** A line of an invoice, as grants see it. */
export interface CoverableLine {
  id: string;
  planId: string;
  kind: LineKind;
  /** `plan`, `feature:{slug}`, `group:{name}` or `wallet` */
  source: string;
  parts: readonly LinePart[];
}

/** An invoice that is `ready_for_payment`, with what of it isn't paid yet. */
export interface CoverableInvoice {
  id: string;
  remaining: string;
  lines: readonly CoverableLine[];
}

/** What a grant pays of a part of a line. */
export interface LineUse {
  lineId: string;
  at: Instant;
  amount: string;
}

/** What a grant pays of an invoice. */
export interface GrantUse {
  grantId: string;
  invoiceId: string;
  amount: string;
  /** its place among the grants that pay this invoice, from 1 */
  place: number;
  /** what is left to pay of the invoice afterwards */
  remaining: string;
  lines: LineUse[];
}

/** Credits that a plan gives with each billing cycle. */
export interface PlanCredits {
  amount: string;
  /** for how many cycles they last, that in which they are given included */
  expiresAfterCycles: number;
  /** how much of what is left at their end rolls over, once, for as long again; null: nothing */
  rolloverMaximum: string | null;
}

/** What becomes of what is left of a grant at the end of its life: up to `maximum` goes on until `until`. */
export interface Rollover {
  maximum: string;
  until: Instant;
}

/**
 * Up to where a change has given the credits of a cycle, since the contract was to end there. Freezes since `setAt`
 * move its instants.
 */
export interface CreditsCut {
  at: Instant;
  setAt: Instant;
  /** what the price gives with a whole cycle, how long that is in milliseconds, and where the running one ends */
  whole: string;
  length: number;
  end: Instant;
  /** what an earlier price has given for the time from there to an end of its own, exact */
  behind: string;
  behindEnd: Instant;
}

/**
 * Credits that lie beside those of the running cycle and belong to a time of their own, evenly from `setAt` to `end`:
 * what a change by `difference` has given, and what it has left of a cycle of another length. Freezes since `setAt`
 * move the end.
 */
export interface CreditsBeside {
  /** exact, not rounded */
  amount: string;
  setAt: Instant;
  end: Instant;
}

/** What of the credits of the running cycle isn't as the contract's plan gives it. */
export interface CarriedCredits {
  /** credits of the running cycle that a change has given up to a known end alone. Absent: up to the cycle's end */
  creditsCut?: CreditsCut;
  /**
   * credits of a whole cycle that the one in which the contract began has got, where a change by `difference` or `none`
   * has left it others than its plan gives, or an import has brought none
   */
  creditsGiven?: string;
  /** credits beside those of the running cycle, one for each end of their time. Absent: none */
  creditsBeside?: CreditsBeside[];
  /**
   * what is left of credits that another system has given with the running cycle: the first step of the contract gives
   * it. Absent: nothing
   */
  creditsElsewhere?: string;
  /**
   * the price of the imported cycle that has brought no credits, and what it gives with others; changes at one instant
   * that lead back to it bring none either. Absent: none
   */
  creditsMissed?: { pricingId: string; amount: string };
}

/** Credits that a contract's plan gives with a cycle. */
export interface PlanGrant {
  contractId: string;
  /** of the billing period that they are given with; null where they come after an end was taken back or moved */
  idx: number | null;
  currency: Currency;
  amount: string;
  effectiveAt: Instant;
  expiresAt: Instant | null;
  rollover: Rollover | null;
}

/** Credits of the running cycle that go back to the vendor, as far as they are left. */
export interface CreditsBack {
  /** the contract that the cycle ran on; predecessors have given some of them */
  contractId: string;
  /** the cycle's start: what was given before stays */
  since: Instant;
  currency: Currency;
  amount: string;
  at: Instant;
}
