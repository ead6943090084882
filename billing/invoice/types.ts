import type { Instant } from '../calendar/instant.ts';
import type { NewInvoiceState } from '../lifecycle/invoice.ts';
import type { Currency } from '../money/currency.ts';

/**
 * What a line charges for. `recurring`: every cycle; no other kind is discounted. `custom`: by the month, quarter or
 * year. `one_off`: `first_cycle`. `correction`: usage corrected after its period closed. `credit`: gives back a part of
 * another line. `wallet`: moves a surplus to the wallet. `credits`: bought credits.
 */
export type LineKind = 'recurring' | 'custom' | 'one_off' | 'on_demand' | 'usage' | 'correction' | 'credit' | 'wallet' | 'credits';
/** Whether prices include the tax, or it is added to them. */
export type TaxPolicy = 'tax_included' | 'tax_excluded';

/**
 * An invoice item. Amounts are decimal text in the currency's minor digits; a credit line is negative throughout.
 * `chargeKey` names price and occasion; (contract, chargeKey) is unique, so that a second run writes nothing.
 *
 * The forms of charge keys, where `{source}` is `plan`, `feature:{slug}` or `group:{name}`:
 *
 * - `cycle:{n}:{source}`: a recurring line; n = chain cycle
 * - `custom:{month|quarter|year}:{k}:{source}`: occurrence k of a price with its own rhythm
 * - `first:{source}`: a one-off line
 * - `on_demand:{occasion}:{source}`: a charge on demand
 * - `usage:{idx}:{source}`: usage of a closed period; `usage:{idx}:{source}:{n}`: the nth line of an open period, which
 *   an invoice threshold has caused
 * - `change:{source}`: a pro-rated line of a changed contract
 * - `credit:{lineId}`: gives back a part of a line; `credit:{lineId}:{n}`: the same after `n` earlier credits of it
 * - `rest:{lineId}:{instant}`: the time after a known end up to which a change had charged the line; the end was taken
 *   back or put off at the instant
 * - `correction:{idx}:{source}:{occasion}`: a correction of closed usage
 * - `wallet:{invoiceId}`: the closing line that moves a surplus to the wallet
 * - `credits:{grantId}`: bought credits; unique for the customer
 *
 * A line that is invoiced again, because its invoice was voided, has its first key with `:again:{n}` behind it; n
 * counts from 1.
 */
export interface Line {
  id: string;
  /** null: of bought credits, which belong to no contract */
  contractId: string | null;
  chargeKey: string;
  kind: LineKind;
  /** `plan`, `feature:{slug}`, `group:{name}` or `wallet` */
  source: string;
  name: string;
  description: string | null;
  currency: Currency;
  /** the time the line pays for, null for one-off lines */
  span: { start: Instant; end: Instant | null } | null;
  dueDate: Instant;
  schedulingPolicy: 'immediate' | 'start_of_period' | 'end_of_period';
  unitCount: string;
  unitPrice: string;
  subtotal: string;
  discountAmount: string;
  discountDescription: string | null;
  totalExcludingTax: string;
  taxAmount: string;
  totalIncludingTax: string;
  taxCode: string | null;
  /** "0.19" = 19 %; null = no rate applied */
  taxRate: string | null;
  taxPolicy: TaxPolicy;
  /** whether the recipient owes the tax */
  reverseCharge: boolean;
  /** id of the line this one gives back */
  creditOf: string | null;
  /** usage period the line belongs to */
  periodIdx: number | null;
  derivation: Derivation;
  /**
   * a usage line without units: it is on no invoice, and stored so that a correction of its period knows how it was
   * priced
   */
  idle?: true;
  /** another system has charged it: it is on no invoice here, and stored so that a change can give it back */
  elsewhere?: boolean;
}

/**
 * How a line came about: enough to work its amounts out by hand, plain JSON. Shapes in `billing/explain/derivation.ts`.
 */
export type Derivation = Record<string, unknown>;

/** A line already written, with what its invoice says of it. */
export interface ChargedLine extends Line {
  invoiceId: string | null;
  /**
   * what credit notes, and credits of a part, have given back of it, without tax; text in the same currency, positive
   */
  creditedExcludingTax?: string;
  /** the tax given back with it, positive */
  creditedTax?: string;
  /**
   * where changes gave back a part that ended with a known end of the contract: the time after `at` is still paid for.
   * `setAt` = when it was given back last, `subtotal` = what has been given back of the line's subtotal, positive,
   * `part` = for how many milliseconds of its span
   */
  rest?: { at: Instant; setAt: Instant; subtotal: string; part: number };
  /** how many credit lines of it have been written, also those taken back or voided since; absent = none */
  credits?: number;
}

/** What lines of one tax rule have charged together. */
export type ChargedSum = Pick<
  Line,
  'taxPolicy' | 'taxRate' | 'taxCode' | 'reverseCharge' | 'unitCount' | 'subtotal' | 'totalExcludingTax' | 'taxAmount' | 'totalIncludingTax'
>;

/**
 * The lines that charged usage of one price before its period closed, as sums: what a further one costs doesn't grow
 * with their number.
 */
export interface BilledParts {
  contractId: string;
  periodIdx: number;
  source: string;
  /** the number of the latest of them; they are counted from 1, voided ones too, since their charge keys are used */
  upTo: number;
  /** id of the latest */
  last: string;
  /** what all of them have charged, voided ones included, a sum for each tax rule */
  sums: ChargedSum[];
  /** those that were voided and not invoiced again: they charge nothing */
  voided: (ChargedSum & { part: number })[];
  /** what credit notes gave back of them, positive; absent: nothing */
  noted?: { totalExcludingTax: string; taxAmount: string };
}

/**
 * An invoice that a rule has decided on and that isn't written yet. When it is written, it gets its number, what a
 * wallet pays of it, and the status `paid` where nothing is left to pay.
 */
export interface NewInvoice {
  id: string;
  /** null: of bought credits, which belong to no contract */
  contractId: string | null;
  customerId: string;
  currency: Currency;
  date: Instant;
  dueDate: Instant;
  /** ids of lines, new or waiting */
  lineIds: string[];
  total: string;
  /** `immediate` goes straight to `ready_for_payment`, `manual` to `pending_validation` */
  status: NewInvoiceState;
  automatic: boolean;
}

/** Money that an invoice's closing line moves to the customer's wallet; positive. */
export interface WalletMove {
  customerId: string;
  currency: Currency;
  amount: string;
  invoiceId: string;
  at: Instant;
  description: string;
}

/**
 * A tax rate of the vendor: "0.19" = 19 %. It applies to one tax code, country and state, null = to all of them; of the
 * rates that fit, the most specific is taken.
 */
export interface TaxRate {
  taxCode: string | null;
  country: string | null;
  state: string | null;
  rate: string;
}

/** What taxation needs to know: the vendor's rates and seller data, the customer's place and VAT id. */
export interface TaxContext {
  policy: TaxPolicy;
  rates: TaxRate[];
  sellerCountry: string | null;
  country: string | null;
  state: string | null;
  vatId: string | null;
}
