import { dec } from '../../billing/money/decimal.ts';
import type { Tx } from '../../db/connect.ts';
import type { WatchingTopUp } from '../../db/sql/credit/top-ups-of.ts';
import { planTopUps } from './ask-top-up.ts';
import { liveBalance } from './live.ts';

/**
 * Lets top-ups buy whose live balance has fallen below their level by usage that was just counted; it was counted under
 * the customer's lock, so none is missed. A top-up that will look anyway isn't asked, so that usage wakes no workflow
 * twice.
 */
export async function askWhereLow(tx: Tx, topUps: readonly WatchingTopUp[]): Promise<void> {
  const low: WatchingTopUp[] = [];
  for (const topUp of topUps) {
    if (!topUp.isWaiting && !topUp.isStopped && dec(await liveBalance(tx, topUp, topUp.now)).lt(dec(topUp.below))) low.push(topUp);
  }
  if (low.length > 0)
    await planTopUps(
      tx,
      low.map((topUp) => ({ topUp, at: topUp.now })),
    );
}
