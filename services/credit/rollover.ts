import type { Instant } from '../../billing/calendar/instant.ts';
import { lastsOn } from '../../billing/credit/expiry.ts';
import { dec } from '../../billing/money/decimal.ts';
import { newId } from '../../db/id.ts';
import type { OpenGrant } from '../../db/sql/credit/lock-grants.ts';
import type { GrantRow } from './write.ts';

/**
 * The grant into which a part of a grant rolls over as it expires, once, with a life as long.
 *
 * @param at when the grant expires
 */
export function rolledOver(grant: OpenGrant, at: Instant): GrantRow[] {
  const { vendorId, customerId, currency, kind, priority, features, plans, contractId, rolloverMaximum, rolloverUntil, expiresAt } = grant;
  if (rolloverMaximum === null || rolloverUntil === null || expiresAt === null) return [];
  const amount = lastsOn(grant.balance, rolloverMaximum, currency);
  const whose = { id: newId('Grant'), vendorId, customerId, currency, kind, priority, features, plans, description: null, contractId };
  const times = { effectiveAt: expiresAt, expiresAt: rolloverUntil, created: at };
  return [{ ...whose, ...times, amount, periodIdx: null, rolloverMaximum: null, rolloverUntil: null, rolledFrom: grant.id }];
}

/** A grant that was just made, or is to be made, with nothing used of it. */
export const unused = (row: GrantRow): OpenGrant => ({ ...row, balance: row.amount, held: '0' });

/** Grants of a customer where some have ended, of which a part rolls over. */
export interface SomeEnded {
  ended: OpenGrant[];
  others: OpenGrant[];
  /** what lies before it is all that those pay which have ended */
  until: Instant;
}

/**
 * Divides grants by whether their life has ended by an instant. Those that have ended are the first to be done with:
 * what rolls over of them pays together with the others.
 *
 * @returns null where nothing rolls over
 */
export function someEnded(grants: readonly OpenGrant[], at: Instant): SomeEnded | null {
  const hasEnded = ({ expiresAt }: OpenGrant): boolean => expiresAt !== null && expiresAt <= at;
  const ended = grants.filter(hasEnded);
  if (!ended.some(({ rolloverMaximum, balance, held }) => rolloverMaximum !== null && dec(balance).gt(0) && dec(held).isZero()))
    return null;
  const until = Math.max(...ended.map(({ expiresAt }) => expiresAt ?? 0));
  return { ended, others: grants.filter((one) => !hasEnded(one)), until };
}
