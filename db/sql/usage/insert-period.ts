import type { UsagePeriod } from '../../../billing/contract/types.ts';
import type { Queryable } from '../../connect.ts';
import { fromUsagePeriod } from '../../mapping/usage-period.ts';
import { insertRows } from '../../rows.ts';

/** Writes a usage period unless it is there. SQL, because usage ahead of time may race for it with a rollover. */
export async function insertPeriod(tx: Queryable, period: UsagePeriod): Promise<void> {
  await insertRows(tx, 'usage_period', [fromUsagePeriod(period)], 'on conflict do nothing');
}
