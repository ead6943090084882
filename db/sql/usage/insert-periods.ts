import type { UsagePeriod } from '../../../billing/contract/types.ts';
import type { Queryable } from '../../connect.ts';
import { UsagePeriodRecord } from '../../entities/usage.ts';
import { insertNew } from '../write-many.ts';

/** Writes usage periods unless they are there. SQL, because usage ahead of time may race for one with a rollover. */
export async function insertPeriods(tx: Queryable, periods: readonly UsagePeriod[]): Promise<void> {
  await insertNew(tx, UsagePeriodRecord, periods);
}
