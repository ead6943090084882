import type { Cycle } from '../calendar/cycle.ts';
import type { Instant } from '../calendar/instant.ts';
import type { FollowedRule } from '../contract/terms/change-rules.ts';
import type { DiscountType } from '../contract/types.ts';
import type { LeftOfCharge } from '../invoice/left.ts';
import type { ChargedSum, LineKind, TaxPolicy } from '../invoice/types.ts';
import type { Currency } from '../money/currency.ts';
import type { FractionText } from '../money/fraction.ts';
import type { Began } from '../pricing/began.ts';
import type { Price } from '../pricing/price.ts';
import type { PriceStep } from '../pricing/step.ts';

/** A share as whole numbers (milliseconds), with its value to 12 places for reading. */
export interface RatioStep {
  part: number;
  whole: number;
  shown: string;
}

/** The time a line pays for, and which usage period it charges. */
export interface PeriodStep {
  start: Instant;
  end: Instant | null;
  idx: number | null;
}

/**
 * What a discount does to this line. `share` = its part of a flat discount before pro-rating, null for a percentage.
 */
export interface DiscountStep {
  id: string;
  slug: string;
  name: string;
  type: DiscountType;
  /** "10" = 10 %, or the whole flat amount */
  amount: string;
  share: string | null;
  /** the share of the cycle that a percentage applies to; absent = all of it */
  part?: FractionText;
}

/** The tax rule that was used. */
export interface TaxStep {
  policy: TaxPolicy;
  taxCode: string | null;
  rate: string | null;
  reverseCharge: boolean;
  note: string | null;
}

/** The one rounding of a line, with the amounts before it: `exactSubtotal` before, `exactNet` after the discount. */
export interface RoundingStep {
  digits: number;
  mode: 'half away from zero';
  exactSubtotal: string;
  exactNet: string;
}

/** What lines before this one have charged or given back of the same whole. */
export interface PartBefore {
  /** their share, in the unit of the line's `ratio` */
  part: number;
  /** what it comes to, rounded, before the discount and after it: this is taken off what all comes to */
  subtotal: string;
  net: string;
}

/** The price when the line was made. `version` is the id of the contract's own copy. */
export interface PriceVersion {
  version: string;
  price: Price;
}

interface Common {
  currency: Currency;
  tax: TaxStep;
  /** of a line that a change made: the rule that the change followed */
  rule?: FollowedRule;
}

/**
 * What a ratio is applied to: the whole line, or for usage prices only the minimum and the flat fees, as the steps
 * show.
 */
export type RatioUse = 'line' | 'minimum_and_fees';

/**
 * A line that charges for a price. `steps` lead to the amount before discount; they don't pro-rate where the ratio is
 * applied to the line.
 */
export interface ChargeDerivation extends Common {
  type: 'charge';
  kind: LineKind;
  period: PeriodStep | null;
  units: string;
  /** number of usage events that the units are the sum of, null where units are bought or the number is unknown */
  events: number | null;
  /** the count the part began at, when a change had divided its billing period */
  began: Began | null;
  steps: PriceStep[];
  price: PriceVersion;
  /** how often the price is charged: by the contract's cycle, or by one of its own; absent: once, or for usage */
  cycle?: Cycle;
  ratio: RatioStep;
  ratioUse: RatioUse;
  /** true in a free cycle: written, but zero */
  free: boolean;
  /** the part of the cycle that is free, where it is free in part */
  freePart?: FractionText;
  discount: DiscountStep | null;
  rounding: RoundingStep;
  /**
   * how the line that this one continues was given back at the same instant: exactly that is charged, without another
   * rounding. Several where it had been charged in parts, in the order of their time
   */
  continues?: readonly CreditDerivation[];
  /**
   * the line ends at a known end of its contract, before its natural period does; only for readers of the derivation
   */
  cut?: true;
  /** of such a line: the end of that period, which later freezes move like its own */
  naturalEnd?: Instant;
  /**
   * the line goes on from others of its price, and charges with them what one line for all of the time would:
   * `rounding` shows the amounts of all
   */
  partBefore?: PartBefore;
  /**
   * the line was charged before its time, and its start and end are as known at this instant: later freezes move both
   */
  setAt?: Instant;
  /**
   * which month, quarter or year the line pays for that was charged elsewhere: a freeze moves it like those that are
   * charged here
   */
  occurrence?: Occurrence;
  /** usage of a period that goes on: what was used so far, without the price's own fee and minimum */
  soFar?: true;
  /** of such a line: which of its period it is, from 1, and what all up to it have charged; the next begins there */
  part?: { number: number; sums: ChargedSum[] };
  /** usage that was charged in parts: the line charges the price of all units less these */
  billed?: BilledStep;
}

/** A month, quarter or year in which a price is charged. */
export interface Occurrence {
  /** of the contract */
  start: Instant;
  trigger: 'month' | 'quarter' | 'year';
  /** how many of them come before it, from the start on */
  k: number;
}

/** Lines of one usage period that had charged before: those numbered up to `upTo`, but for the voided ones. */
export interface BilledPlace {
  contractId: string;
  idx: number;
  upTo: number;
  without?: number[];
}

/** What lines of a usage period had charged before this one, because an invoice threshold was reached. */
export interface BilledStep {
  /** which lines: one entry, and one for each contract before it whose usage goes on */
  places: BilledPlace[];
  /** how many */
  lines: number;
  /** id of the latest, which names the one before it */
  last: string;
  /** the units they show */
  units: string;
  /** what they charged, as in their subtotals */
  subtotal: string;
  totalIncludingTax: string;
  /** those of them with the tax rule of this line: their tax is computed as one */
  taxed: { subtotal: string; taxAmount: string };
  /**
   * where this line gives back, and there are credit notes or other tax rules: what is left; no more is given back, and
   * of more than one tax rule a share of it
   */
  left?: LeftOfCharge;
}

/** A line that gives back part of an earlier one. Amounts are those of the earlier line. */
export interface CreditDerivation extends Common {
  type: 'credit';
  line: {
    id: string;
    name: string;
    subtotal: string;
    discountAmount: string;
    totalExcludingTax: string;
    taxAmount: string;
    totalIncludingTax: string;
  };
  /** given back by earlier credits of the same line */
  credited: { excludingTax: string; tax: string; subtotal?: string };
  at: Instant;
  /**
   * only the time up to there is given back, since the contract ends there: as known at `setAt`. Absent = to the end of
   * the earlier line's span
   */
  until?: { at: Instant; setAt: Instant };
  /** the end of the earlier line's natural period, where what is given back ends before it at a known end */
  naturalEnd?: Instant;
  ratio: RatioStep;
  /** given back before: all parts together come to as much as a single credit; `rounding` shows the amount of all */
  partBefore?: PartBefore;
  rounding: RoundingStep;
}

/** A line that corrects closed usage: the price of the corrected units of the whole period, less what was charged. */
export interface CorrectionDerivation extends Common {
  type: 'correction';
  period: PeriodStep;
  units: string;
  steps: PriceStep[];
  price: PriceVersion;
  ratio: RatioStep;
  /** true for a free period: nothing is owed for it */
  free: boolean;
  freePart?: FractionText;
  /** the count the part began at when it closed, when a change had divided its billing period */
  began: Began | null;
  /** subtotal charged for the period so far */
  charged: string;
  /** where less is left of that than the difference, by credit notes or another tax: what is given back instead */
  left?: LeftOfCharge;
  /** the line that charged the period when it closed */
  lineId: string;
  occasion: string;
  rounding: RoundingStep;
}

/** The full prices of one source before and after a change; null where one of the contracts hasn't that source. */
export interface PriceCompared {
  source: string;
  name: string;
  before: ChargeDerivation | null;
  after: ChargeDerivation | null;
}

/**
 * A line of a change that charges the difference of the full prices: what one price rises, less its share of what
 * others fall.
 */
export interface DifferenceDerivation extends Common {
  type: 'difference';
  /** the one of `compared` that the line stands for */
  source: string;
  period: PeriodStep;
  compared: PriceCompared[];
}

/** The closing line that moves a surplus to the wallet. */
export interface WalletDerivation extends Common {
  type: 'wallet';
  lines: { id: string; totalIncludingTax: string }[];
}

/** The line of bought credits: `credits` is what they will pay, `price` what they cost. */
export interface PurchaseDerivation extends Common {
  type: 'purchase';
  grantId: string;
  credits: string;
  price: string;
}

/** Everything that is needed to compute a line's amounts again, distinguished by `type`. */
export type LineDerivation =
  | ChargeDerivation
  | CreditDerivation
  | CorrectionDerivation
  | DifferenceDerivation
  | WalletDerivation
  | PurchaseDerivation;
