import type { Instant } from '../calendar/instant.ts';
import type { NewInvoiceState } from '../lifecycle/invoice.ts';
import type { Currency } from '../money/currency.ts';

/**
 * What a line charges for. `recurring`: every cycle, alone discounted. `custom`: at the month, quarter or year rhythm. `one_off`: `first_cycle`.
 * `correction`: usage corrected after its period closed. `credit`: gives back a part of another line. `wallet`: moves a surplus to the wallet.
 */
export type LineKind = 'recurring' | 'custom' | 'one_off' | 'on_demand' | 'usage' | 'correction' | 'credit' | 'wallet';
/** Whether prices hold the tax or it comes on top of them. */
export type TaxPolicy = 'tax_included' | 'tax_excluded';

/**
 * An invoice item. Amounts are decimal text in the currency's minor digits; a credit line is negative throughout.
 * `chargeKey` names price and occasion; (contract, chargeKey) is unique for ever, so a second run writes nothing.
 *
 * Charge keys: `cycle:{n}:{source}` (n = chain cycle) · `custom:{month|quarter|year}:{k}:{source}` · `first:{source}` ·
 * `on_demand:{occasion}:{source}` · `usage:{idx}:{source}` · `change:{source}` (pro-rated line of a changed contract) ·
 * `credit:{lineId}`, and `credit:{lineId}:{n}` when `n` parts of it were given back before · `rest:{instant}:{source}` (what a change charged to an end
 * that is no longer the end, from there on) · `correction:{idx}:{source}:{occasion}` · `wallet:{invoiceId}`.
 */
export interface Line {
  id: string;
  contractId: string;
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
  /** a note that tax is owed by the recipient */
  reverseCharge: boolean;
  /** id of the line this one gives back */
  creditOf: string | null;
  /** usage period the line belongs to */
  periodIdx: number | null;
  derivation: Derivation;
  /** a usage line that says only that nothing was used: on no invoice, kept so that a correction of its period knows how it was priced */
  idle?: true;
}

/** How a line came about: enough to work its amounts out by hand, plain JSON. Shapes in `billing/explain/derivation.ts`. */
export type Derivation = Record<string, unknown>;

/** A line already written, with what its invoice says of it. */
export interface ChargedLine extends Line {
  invoiceId: string | null;
  /** part that credit notes, and credits of a part, took off already, text in the same currency, positive */
  creditedExcludingTax?: string;
  /** tax taken off with it, positive */
  creditedTax?: string;
  /** where changes gave back a part that ended with a known end of the contract: what lies behind that is still paid for. `setAt` = when it was given back last, `subtotal` = what of the line's has been given back, positive */
  rest?: { at: Instant; setAt: Instant; credits: number; subtotal: string };
}

/** An invoice to be made; number, wallet use and status `paid` come when it is written. */
export interface InvoiceDraft {
  id: string;
  contractId: string;
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
 * A rate the vendor keeps: "0.19" = 19 %. It holds for one tax code, country and state, null = for all of them; of those that fit the most
 * specific is taken.
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
