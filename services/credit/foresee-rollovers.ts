import type { Instant } from '../../billing/calendar/instant.ts';
import { expiresAt } from '../../billing/credit/expiry.ts';
import { dec } from '../../billing/money/decimal.ts';
import type { Database } from '../../db/connect.ts';
import { awaitedGrants } from '../../db/sql/credit/awaited.ts';
import type { OpenGrant } from '../../db/sql/credit/lock-grants.ts';
import { usageTimes } from '../../db/sql/credit/usage-times.ts';
import { keyOf } from '../../db/sql/usage/part.ts';
import { rolledOver, unused } from './rollover.ts';

/** An instant to come, and what will have happened by then. */
export interface ByThen {
  at: Instant;
  /** usage periods that will be closed */
  closed: readonly { contractId: string; idx: number }[];
  /** ids of lines that will be on an invoice */
  placed: readonly string[];
}

/**
 * The grants as which credits will go on whose life ends by an instant, by the rule that lets them expire. What other
 * contracts of the customer close until then isn't known.
 *
 * @param grants with what will be left of them
 */
export async function foreseeRollovers(db: Database, grants: readonly OpenGrant[], { at, closed, placed }: ByThen): Promise<OpenGrant[]> {
  const ending = grants.filter((one) => rollsOver(one) && one.expiresAt !== null && one.expiresAt <= at);
  if (ending.length === 0) return [];
  const ids = ending.map(({ id }) => id);
  const isClosed = new Set(closed.map(keyOf));
  const found = await usageTimes(db, ids);
  const awaited = await awaitedGrants(db, ids, placed);
  const times = Map.groupBy(found, ({ grantId }) => grantId);
  return ending.flatMap((grant) => {
    const periods = (times.get(grant.id) ?? []).map((one) => (isClosed.has(keyOf(one)) ? { ...one, closedAt: at } : one));
    const ends = awaited.has(grant.id) ? null : expiresAt(grant, periods, at);
    return ends === null ? [] : rolledOver(grant, ends).map(unused);
  });
}

const rollsOver = ({ rolloverMaximum, balance, held }: OpenGrant): boolean =>
  rolloverMaximum !== null && dec(balance).gt(0) && dec(held).isZero();
