import type { GrantKind } from '../../billing/credit/types.ts';
import { type Decimal, dec, ZERO } from '../../billing/money/decimal.ts';
import type { CreditMovementKind } from '../../db/entities/credit.ts';
import type { Entry, Posting } from '../../db/sql/ledger/write-transactions.ts';

/** Who and when; the rest of an entry follows from what happened. */
type Occurrence = Omit<Entry, 'kind' | 'postings'>;

const negative = (amount: string): string => dec(amount).neg().toFixed();
const receivable = (customerId: string, amount: string): Posting => ({ kind: 'receivable', owner: customerId, amount });
const clearing = (provider: string, amount: string): Posting => ({ kind: 'clearing', owner: provider, amount });

/**
 * A movement in a wallet; `amount` positive = the customer gained. What the vendor grants is its own cost, an opening
 * balance comes from another system's books, everything else moves what the customer owes.
 */
export function walletEntry(at: Occurrence, kind: string, amount: string): Entry {
  const own = OWN_SOURCES[kind];
  const source: Posting = own === undefined ? receivable(at.customerId, amount) : { kind: own, owner: '', amount };
  return { ...at, kind: `wallet_${kind}`, postings: [source, { kind: 'wallet', owner: at.customerId, amount: negative(amount) }] };
}

/** A movement of prepaid credits, as the books see it. */
interface CreditBooking {
  kind: CreditMovementKind;
  grantKind: GrantKind;
  /** positive: the grant gained */
  amount: string;
  /** the part of it that an invoice or a credit note has booked: the price, with the same sign */
  booked: string;
}

/**
 * A movement of prepaid credits, which are owed to the customer. Gifts cost the vendor, who gets back what nobody has
 * used; a use pays what the customer owes. Bought credits are owed since their invoice; what nobody has used of them is
 * the vendor's, until a credit note gives its price back.
 *
 * @returns none where everything is booked
 */
export function creditEntry(at: Occurrence, { kind, grantKind, amount, booked }: CreditBooking): Entry[] {
  const rest = dec(amount).minus(dec(booked));
  if (rest.isZero()) return [];
  const isUse = kind === 'used' || kind === 'returned';
  const isGift = grantKind === 'purchased' ? rest.times(dec(amount)).gt(0) && BY_PRICE.has(kind) : true;
  const source: Posting = isUse
    ? receivable(at.customerId, rest.toFixed())
    : { kind: isGift ? 'promotions' : 'breakage', owner: '', amount: rest.toFixed() };
  return [
    { ...at, kind: `credit_${kind}`, postings: [source, { kind: 'credits', owner: at.customerId, amount: negative(rest.toFixed()) }] },
  ];
}

/**
 * Movements whose price was booked before: only the difference is booked here, and credits beyond the price are a gift.
 */
const BY_PRICE: ReadonlySet<CreditMovementKind> = new Set(['granted', 'refunded']);

const OWN_SOURCES: Readonly<Record<string, Posting['kind']>> = { grant: 'grants', opening: 'openings' };

/** Money that came in through a provider (or was recorded by the vendor). */
export function paymentEntry(at: Occurrence, provider: string, amount: string): Entry {
  return { ...at, kind: 'payment', postings: [clearing(provider, amount), receivable(at.customerId, negative(amount))] };
}

/** Money that went back through a provider because of a credit note. */
export function refundEntry(at: Occurrence, provider: string, amount: string): Entry {
  return { ...at, kind: 'refund', postings: [receivable(at.customerId, amount), clearing(provider, negative(amount))] };
}

/**
 * A refund that could not be made after all: what was to go back is in the clearing account again and owed through the
 * wallet instead.
 */
export function refundFailedEntry(at: Occurrence, provider: string, amount: string): Entry {
  return { ...at, kind: 'refund_failed', postings: [clearing(provider, amount), receivable(at.customerId, negative(amount))] };
}

/** Money given back at the provider without a credit note of ours: a loss until somebody writes one. */
export function outsideRefundEntry(at: Occurrence, provider: string, amount: string): Entry {
  return { ...at, kind: 'outside_refund', postings: [{ kind: 'losses', owner: '', amount }, clearing(provider, negative(amount))] };
}

/** Money given back without a credit note that has come back to the provider: it is no loss any more. */
export function outsideRefundFailedEntry(at: Occurrence, provider: string, amount: string): Entry {
  return {
    ...at,
    kind: 'outside_refund_failed',
    postings: [clearing(provider, amount), { kind: 'losses', owner: '', amount: negative(amount) }],
  };
}

/** A credit note about bought credits: so much of their price isn't owed to the customer any more. */
export function purchaseNoteEntry(at: Occurrence, total: string): Entry {
  const postings: Posting[] = [{ kind: 'credits', owner: at.customerId, amount: total }, receivable(at.customerId, negative(total))];
  return { ...at, kind: 'credit_note', postings };
}

/** A credit note takes back what was earned and its tax; where the money goes is posted beside it. */
export function creditNoteEntry(at: Occurrence, total: string, tax: string): Entry {
  const earned = dec(total).minus(dec(tax)).toFixed();
  return {
    ...at,
    kind: 'credit_note',
    postings: [
      { kind: 'revenue', owner: '', amount: earned },
      { kind: 'tax', owner: '', amount: tax },
      receivable(at.customerId, negative(total)),
    ],
  };
}

/** How a dispute stands, and about how much. */
export interface DisputeStanding {
  state: 'open' | 'won' | 'lost';
  amount: string;
}

/**
 * What a dispute moves from how it stood to how it stands: the provider holds disputed money back, and later gives it
 * back or keeps it. Null: it isn't booked yet.
 *
 * @returns none where nothing moves: what was won is about another amount
 */
export function disputeEntry(at: Occurrence, provider: string, before: DisputeStanding | null, after: DisputeStanding): Entry[] {
  const moved = (state: DisputeStanding['state']): Decimal => amountIn(after, state).minus(amountIn(before, state));
  const [disputed, losses] = [moved('open'), moved('lost')];
  if (disputed.isZero() && losses.isZero()) return [];
  const postings: Posting[] = [
    { kind: 'disputed', owner: provider, amount: disputed.toFixed() },
    { kind: 'losses', owner: '', amount: losses.toFixed() },
    clearing(provider, disputed.plus(losses).neg().toFixed()),
  ];
  return [{ ...at, kind: `dispute_${after.state}`, postings }];
}

const amountIn = (standing: DisputeStanding | null, state: DisputeStanding['state']): Decimal =>
  standing?.state === state ? dec(standing.amount) : ZERO;
