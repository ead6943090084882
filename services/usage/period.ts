import { firstPeriodAhead, isPastTrialDate } from '../../billing/contract/period/held-usage.ts';
import { usagePeriodAt } from '../../billing/contract/period/periods.ts';
import type { Contract, UsagePeriod } from '../../billing/contract/types.ts';
import type { Tx } from '../../db/connect.ts';
import { chargingPeriod } from '../../db/sql/usage/charging-period.ts';
import { insertPeriods } from '../../db/sql/usage/insert-periods.ts';
import { lockPeriod, type PeriodRow } from '../../db/sql/usage/lock-period.ts';
import { lockPeriodAt } from '../../db/sql/usage/lock-period-at.ts';
import type { PartKey } from '../../db/sql/usage/part.ts';
import type { LockedCustomer } from '../customer/lock.ts';

export interface LockedPeriod {
  /** the contract's period the instant lies in */
  idx: number;
  /** the period that charges the feature: a successor's, where its usage goes on there */
  charging: PartKey;
  /** that one is closed */
  closed: boolean;
}

/**
 * The usage period of a contract an instant lies in, locked against being closed for a feature until the transaction
 * ends. One that hasn't begun by the rows yet (usage ahead of time, a rollover that is late) gets its row from the
 * calendar; in a trial the first begins where that ends. The caller has locked the contract with its chain, which thus
 * stays as it is.
 */
export async function lockUsageAt(tx: Tx, contract: Contract, customer: LockedCustomer, at: number, slug: string): Promise<LockedPeriod> {
  const { idx } = isPastTrialDate(contract, customer.pauses, at)
    ? await writePeriod(tx, firstPeriodAhead(contract, customer.pauses))
    : ((await lockPeriodAt(tx, contract.id, at)) ?? (await writePeriod(tx, usagePeriodAt(contract, customer.pauses, at))));
  return { idx, ...(await lockChargingPeriod(tx, { contractId: contract.id, idx }, slug)) };
}

/** Locks the period that charges a feature's usage of a period, which may be a successor's. */
export async function lockChargingPeriod(tx: Tx, key: PartKey, slug: string): Promise<Pick<LockedPeriod, 'charging' | 'closed'>> {
  const charging = await chargingPeriod(tx, key, slug);
  const row = await lockPeriod(tx, charging);
  return { charging, closed: row?.status === 'closed' };
}

/** Writes a period unless it is there, and locks it. */
async function writePeriod(tx: Tx, period: UsagePeriod): Promise<PeriodRow> {
  await insertPeriods(tx, [period]);
  const locked = await lockPeriod(tx, period);
  if (locked === null) throw new Error(`usage period ${period.idx} of ${period.contractId} was not written`);
  return locked;
}
