import type { UsagePeriod } from '../../../billing/contract/types.ts';
import type { Queryable } from '../../connect.ts';
import { UsagePeriodRecord } from '../../entities/usage.ts';
import { insertNew } from '../write-many.ts';

/** Writes a usage period unless it is there. SQL, because usage ahead of time may race for it with a rollover. */
export async function insertPeriod(tx: Queryable, period: UsagePeriod): Promise<void> {
  await insertNew(tx, UsagePeriodRecord, [period]);
}
