import type { Instant } from '../../billing/calendar/instant.ts';
import type { UsageRoom } from '../../billing/contract/charge/most-units.ts';
import { featureOf } from '../../billing/contract/period/sources.ts';
import { roomInCredits } from '../../billing/credit/room.ts';
import type { Grant } from '../../billing/credit/types.ts';
import { type Decimal, dec, smaller, text } from '../../billing/money/decimal.ts';
import { justAbove } from '../../billing/money/round.ts';
import { levelsOf, type UsageAlert } from '../../billing/usage/alert.ts';
import type { Tx } from '../../db/connect.ts';
import { readOpenGrants } from '../../db/sql/credit/lock-grants.ts';
import { topUpsOf, type WatchingTopUp } from '../../db/sql/credit/top-ups-of.ts';
import { nameOfReached } from '../../db/sql/usage/note-reached.ts';
import { reachedSteps } from '../../db/sql/usage/reached-steps.ts';
import { balancePlace } from '../usage-alert/tell.ts';
import { countedLines, type DatedLine } from './coverable.ts';
import { type LiveBalance, liveBalances } from './live.ts';
import { openUsageLines } from './open-usage.ts';
import { usable } from './use.ts';

/** How much more usage the live credits can take before an alert or a top-up reacts. */
export interface CreditRooms {
  /** `asked`: features whose usage prepaid credits may pay for; `known`: those of them whose room is known */
  asked: Omit<UsageRoom, 'units'>[];
  known: UsageRoom[];
  /** it holds for usage dated then or later; null: for all */
  since: Instant | null;
}

/**
 * How much more can be used before the live balance of a customer's credits falls to the next level of an alert, or
 * below the level of a top-up. Levels that it has fallen to already were announced before, and those top-ups asked.
 */
export async function creditRooms(
  tx: Tx,
  { id: customerId, now }: { id: string; now: Instant },
  alerts: readonly UsageAlert[],
): Promise<CreditRooms> {
  const rooms: CreditRooms = { asked: [], known: [], since: null };
  const topUps = (await topUpsOf(tx, [{ customerId, currency: null }])).filter(({ isWaiting, isStopped }) => !isWaiting && !isStopped);
  for (const balance of await liveBalances(tx, customerId, now)) {
    const { currency } = balance;
    const left = leftOf(balance, await unannounced(tx, balance, alerts), topUps);
    const grants = left === null ? [] : (await readOpenGrants(tx, [{ customerId, currency }])).map(usable);
    if (left === null || grants.length === 0) continue;
    const found = await countedLines(
      tx,
      (await openUsageLines(tx, { customerId, currency }, now)).map((line) => ({ line, grants })),
    );
    const lines = found.flatMap(({ of, line, counted }) => placeOf(of).map((place) => ({ ...place, line, counted })));
    const since = lastBound(grants, now);
    rooms.asked.push(...lines);
    if (left.gt(0)) rooms.known.push(...roomInCredits(lines, text(left), since));
    rooms.since = Math.max(since, rooms.since ?? since);
  }
  return rooms;
}

/** Levels that were not announced yet since the last grant began. */
async function unannounced(tx: Tx, balance: LiveBalance, alerts: readonly UsageAlert[]): Promise<string[]> {
  const own = alerts.filter(({ on }) => on === 'balance');
  const place = balancePlace(balance);
  const known = await reachedSteps(
    tx,
    own.map(({ id }) => id),
    [place],
  );
  return own.flatMap((alert) =>
    levelsOf(alert, null).flatMap(({ step, level }) => (known.has(nameOfReached({ watchId: alert.id, step, place })) ? [] : [level])),
  );
}

/** The balance must fall by less than this; null: nobody watches it. */
function leftOf({ currency, live }: LiveBalance, levels: readonly string[], topUps: readonly WatchingTopUp[]): Decimal | null {
  const next = levels.map((level) => dec(live).minus(level));
  const lows = topUps.filter((topUp) => topUp.currency === currency).map(({ below }) => justAbove(text(dec(live).minus(below)), currency));
  return [...next, ...lows].reduce<Decimal | null>((least, left) => (least === null ? left : smaller(least, left)), null);
}

/** The latest instant at which the life of a grant has begun or ended: no later usage comes before it. */
function lastBound(grants: readonly Pick<Grant, 'effectiveAt' | 'expiresAt'>[], now: Instant): Instant {
  const bounds = grants.flatMap(({ effectiveAt, expiresAt }) => [effectiveAt, expiresAt ?? effectiveAt]);
  return Math.max(0, ...bounds.filter((at) => at <= now));
}

function placeOf({ contractId, periodIdx, source }: DatedLine): Omit<UsageRoom, 'units'>[] {
  const slug = featureOf(source);
  return slug === null || periodIdx === null ? [] : [{ contractId, idx: periodIdx, slug }];
}
