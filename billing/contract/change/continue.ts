import type { Instant } from '../../calendar/instant.ts';
import type { Charge } from '../../invoice/charge.ts';
import { type GivenBackInParts, type LineGivenBack, sameDiscount } from '../../invoice/continued.ts';
import { taxFields } from '../../invoice/line.ts';
import { isTaxedAlike } from '../../invoice/parts.ts';
import { samePrice } from '../terms/terms.ts';
import type { Contract } from '../types.ts';

/**
 * The most lines given back by earlier changes that a contract stores: many changes at one instant of a test clock
 * would otherwise make each new row longer.
 */
const MOST_EARLIER = 200;
/**
 * The most of those lines whose time begins after the instant: an end that was taken back or moved leaves one for each
 * price.
 */
const MOST_PARTS = 200;

/**
 * The lines that a new contract may continue: what earlier changes at the same instant gave back along the chain, then
 * what its own change gives back. Only the last 200 earlier lines and the last 200 later parts are kept; a line that is
 * not kept is charged by its price again. A line of the change itself is continued only by a period that ends with its
 * own period; an earlier line by any period with the same end of time, so that a change and its undo cost nothing.
 */
export function givenBackSoFar(old: Contract, at: Instant, fresh: readonly LineGivenBack[]): LineGivenBack[] {
  const earlier = old.began === at ? old.givenBack : [];
  const kept = earlier.map(({ naturalEnd: _naturalEnd, ...one }) => one).filter((one) => !fresh.some((other) => isSame(one, other)));
  const beginsNow = ({ credit }: LineGivenBack): boolean => credit.at === at;
  const parts = [...kept, ...fresh].filter((one) => !beginsNow(one));
  return [...kept.filter(beginsNow).slice(-MOST_EARLIER), ...fresh.filter(beginsNow), ...parts.slice(-MOST_PARTS)];
}

function isSame(one: LineGivenBack, other: LineGivenBack): boolean {
  return one.credit.at === other.credit.at && goesOn(one, other) && sameDiscount(one.discount, other.discount);
}

/** A line, and those charged on from its end at the same price, up to an instant; null where they don't end there. */
function upTo(until: Instant, first: LineGivenBack, all: readonly LineGivenBack[]): GivenBackInParts | null {
  const parts: [LineGivenBack, ...LineGivenBack[]] = [first];
  let last = first;
  while (last.until < until) {
    const next = nextOf(last, all);
    if (next === undefined) return null;
    parts.push(next);
    last = next;
  }
  return last.until === until ? parts : null;
}

function nextOf(one: LineGivenBack, all: readonly LineGivenBack[]): LineGivenBack | undefined {
  return all.findLast((other) => {
    const follows = other.credit.at === one.until && other.until > one.until;
    return follows && isChargedAlike(one, other) && goesOn({ ...one, until: other.until }, other);
  });
}

/** Whether two were charged under one discount and tax, as shares of one span. */
function isChargedAlike(one: LineGivenBack, other: LineGivenBack): boolean {
  const [span, otherSpan] = [one.wholeSpan, other.wholeSpan];
  const isOneSpan = span?.length === otherSpan?.length && span?.free === otherSpan?.free;
  const isOneTax = isTaxedAlike(taxFields(one.credit.tax), taxFields(other.credit.tax));
  return isOneSpan && isOneTax && sameDiscount(one.discount, other.discount);
}

type Continued = Pick<LineGivenBack, 'source' | 'currency' | 'price' | 'units'> &
  Pick<Charge, 'cycle' | 'naturalEnd'> & { until: Instant | null };

/**
 * Whether a charge continues a line: the same source, units, price, cycle and ends. The same amount for another cycle
 * is another price.
 */
function goesOn(one: LineGivenBack, other: Continued): boolean {
  const { source, currency, cycle, units, until, naturalEnd } = one;
  const isAlike = source === other.source && currency === other.currency && units === other.units && until === other.until;
  const isOnePeriod = naturalEnd === undefined || naturalEnd === (other.naturalEnd ?? other.until);
  return isAlike && isOnePeriod && cycle === other.cycle && samePrice(one.price, other.price);
}

/**
 * A charge of a contract that begins with a change, with the lines that it may continue: those given back at the same
 * instant of the same price, cycle, units and end. Lines that were charged on from the end of one are part of it.
 */
export function continued({ began, givenBack, terms: { currency } }: Contract, charge: Charge): Charge {
  const until = charge.span?.end ?? null;
  if (until === null) return { ...charge, continues: [] };
  const asCharged = { ...charge, currency, until };
  const continues = givenBack.flatMap((one) => {
    const parts = one.credit.at === began && goesOn({ ...one, until }, asCharged) ? upTo(until, one, givenBack) : null;
    return parts === null ? [] : [parts];
  });
  return { ...charge, continues };
}
