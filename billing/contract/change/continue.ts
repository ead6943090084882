import type { Instant } from '../../calendar/instant.ts';
import type { Charge } from '../../invoice/charge.ts';
import { type LineGivenBack, sameDiscount } from '../../invoice/continued.ts';
import { samePrice } from '../terms/terms.ts';
import type { Contract } from '../types.ts';

/**
 * The most lines given back that are stored: many changes at one instant of a test clock would otherwise make each new
 * row longer.
 */
const MOST_EARLIER = 200;

/**
 * What a contract that begins at an instant may continue: what its change gives back, after the last 200 lines that
 * earlier changes at the same instant gave back along the chain. A line that was given back before those is charged by
 * its price again. What the change itself gives back is continued only by a period that ends with its own; what earlier
 * ones did by whatever comes back, so that a change and its undo cost nothing.
 */
export function givenBackSoFar(old: Contract, at: Instant, fresh: readonly LineGivenBack[]): LineGivenBack[] {
  const earlier = old.began === at ? old.givenBack : [];
  const kept = earlier.map(({ naturalEnd: _naturalEnd, ...one }) => one).filter((one) => !fresh.some((other) => isSame(one, other)));
  return [...kept.slice(-MOST_EARLIER), ...fresh];
}

function isSame(one: LineGivenBack, other: LineGivenBack): boolean {
  return goesOn(one, other) && sameDiscount(one.discount, other.discount);
}

type Continued = Pick<LineGivenBack, 'source' | 'currency' | 'price' | 'units'> &
  Pick<Charge, 'cycle' | 'naturalEnd'> & { until: Instant | null };

/** The same number is another price where it is charged for another cycle. */
function goesOn(one: LineGivenBack, other: Continued): boolean {
  const { source, currency, cycle, units, until, naturalEnd } = one;
  const isAlike = source === other.source && currency === other.currency && units === other.units && until === other.until;
  const isOnePeriod = naturalEnd === undefined || naturalEnd === (other.naturalEnd ?? other.until);
  return isAlike && isOnePeriod && cycle === other.cycle && samePrice(one.price, other.price);
}

/**
 * A charge of a contract that begins with a change, with the lines that it may continue: those given back at the same
 * instant of the same price, cycle, units and end.
 */
export function continued(contract: Contract, charge: Charge): Charge {
  const until = charge.span?.end ?? null;
  const asCharged = { ...charge, currency: contract.terms.currency, until };
  return { ...charge, continues: contract.givenBack.filter((one) => goesOn(one, asCharged)) };
}
