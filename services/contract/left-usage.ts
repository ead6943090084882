import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Instant } from '../../billing/calendar/instant.ts';
import { hasThreshold } from '../../billing/contract/charge/threshold.ts';
import { amountToClose } from '../../billing/contract/estimate/cancel-estimate.ts';
import { closesByCall } from '../../billing/contract/period/periods.ts';
import type { ContractSnapshot } from '../../billing/contract/types.ts';
import { type Decimal, ZERO } from '../../billing/money/decimal.ts';
import type { Queryable } from '../../db/connect.ts';
import { newId } from '../../db/id.ts';
import { loadSnapshots, mostLeftShown } from './load.ts';

/** Twenty looks, of a thousand lines each. */
const MOST_LOOKS = 20;

/**
 * What usage periods will charge, tax included, that wait for a caller and that the snapshots of their contracts don't
 * have. They may be thousands, so they are read and priced some at a time, the latest first, and others get their turn
 * in between.
 *
 * @param snapshots each with at least the latest of its contract's periods that wait, if any do
 */
export async function leftUsage(tx: Queryable, snapshots: readonly ContractSnapshot[], now: Instant): Promise<Decimal> {
  let total = ZERO;
  let looks = MOST_LOOKS;
  for (const { contract, periods } of snapshots) {
    // under a threshold all are read already
    let below = hasThreshold(contract) ? undefined : periods.find(closesByCall)?.idx;
    const most = mostLeftShown(contract);
    while (below !== undefined && looks > 0) {
      looks -= 1;
      const [some] = await loadSnapshots(tx, [contract.id], now, {
        running: 'none',
        left: { below, most },
        ahead: true,
        found: [contract],
      });
      if (some === undefined) break;
      total = total.plus(amountToClose(some, newId));
      below = some.periods.length < most ? undefined : Math.min(...some.periods.map(({ idx }) => idx));
      await nextTurn();
    }
  }
  return total;
}
