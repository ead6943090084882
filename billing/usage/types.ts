import type { Instant } from '../calendar/instant.ts';
import type { Ratio } from '../calendar/ratio.ts';
import type { Contract } from '../contract/types.ts';
import type { LeftOfCharge } from '../invoice/left.ts';
import type { TaxRule } from '../invoice/tax.ts';
import type { FractionText } from '../money/fraction.ts';
import type { Began } from '../pricing/began.ts';
import type { Price } from '../pricing/price.ts';

/**
 * One usage period of one contract. `start`–`end` are the bounds of the billing period, `from`–`until` those of the
 * part in which this contract was the live one: they differ before and after a change, and after a cancellation. idx 0
 * is the free trial: recorded, never billed.
 */
export interface UsagePeriod {
  contractId: string;
  idx: number;
  start: Instant;
  end: Instant | null;
  from: Instant;
  until: Instant | null;
  /** when it closes automatically; null = a caller closes it, or it isn't known yet */
  closesAt: Instant | null;
  status: 'open' | 'closing' | 'closed';
  closedAt: Instant | null;
  /**
   * the predecessor's period that a change inside the billing period ended: its counters go on here; null for a billing
   * period's first part
   */
  follows: { contractId: string; idx: number } | null;
  /**
   * sources (`feature:{slug}`, `plan`, `group:{name}`) whose usage goes on in the successor's period at the same price:
   * nothing is charged here
   */
  goesOn: string[];
}

/**
 * What the events of one period and feature add up to: in all, and with timestamps at or before the snapshot's `now`.
 * With a marker `units` are those of the last one and of what follows it.
 */
export interface UsageTotal {
  contractId: string;
  periodIdx: number;
  slug: string;
  units: string;
  events: number;
  /** units of the last marker, null without one */
  marker: string | null;
  unitsUntilNow: string;
  eventsUntilNow: number;
  markerUntilNow: string | null;
}

/** One part of a billing period, with the contract that was live in it. */
export interface EarlierPart {
  contract: Contract;
  period: UsagePeriod;
  usage: UsageTotal[];
}

/** How a closed period was charged for a feature, as its usage line says; a correction is priced by it. */
export interface ClosedUsage {
  lineId: string;
  name: string;
  price: Price;
  ratio: Ratio;
  span: { start: Instant; end: Instant | null };
  free: boolean;
  freePart?: FractionText;
  began: Began | null;
  /** how its line was taxed, as its corrections are too; absent where that line is voided and charges nothing */
  taxed?: TaxRule;
}

/** A correction to closed usage that waits for the next invoice of the chain's live contract. */
export interface UsageCorrection {
  /** the contract that charged the usage */
  contractId: string;
  periodIdx: number;
  slug: string;
  /** the corrected units of the period, or of the part that the closed line charged */
  units: string;
  /** what was charged so far for that period and feature, before discount and tax as in the line's subtotal */
  charged: string;
  /** what corrections and credit notes have left of all that was charged for it; no correction gives back more */
  left?: LeftOfCharge;
  /** what of `charged` is by the tax rule of the line that closed the period; absent where that line is voided */
  chargedAlike?: string;
  /** the closed usage it belongs to; null when none was charged (a free trial) */
  closed: ClosedUsage | null;
  occasion: string;
}

/**
 * Events of `fromContractId` with a timestamp after `after`, or counted in a period after `afterIdx`, belong to
 * `toContractId` from now on: usage of a period that never begins may lie before `after`, since a freeze may have moved
 * that period. `after` null: a caller had closed the running period, so all that is counted in it has been charged.
 * Events of the slugs in `except`, of which the new contract takes no usage, stay.
 */
export interface UsageHandover {
  fromContractId: string;
  toContractId: string;
  after: Instant | null;
  afterIdx: number;
  except: string[];
  /** the billing period goes on: the new period counts on from what the old one has counted */
  counters: { fromIdx: number; toIdx: number } | null;
}
