import { begunBy, periodIdxAt, usagePeriod } from '../../billing/contract/period/periods.ts';
import type { Contract, UsagePeriod } from '../../billing/contract/types.ts';
import type { Tx } from '../../db/connect.ts';
import { fromUsagePeriod } from '../../db/mapping/usage-period.ts';
import { insertRows, stamp } from '../../db/rows.ts';
import { chargingPeriod } from '../../db/sql/usage/charging-period.ts';
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

interface PeriodRow {
  idx: number;
  status: UsagePeriod['status'];
}

/**
 * The usage period of a contract an instant lies in, held against being closed for a feature until the transaction ends. One that hasn't begun by
 * the rows yet (usage ahead of time, a rollover that is late) gets its row from the calendar; in a trial the first begins where that ends. All
 * contracts of the customer that have the feature are held by the caller, so that the chain stays as it is.
 */
export async function lockPeriodAt(tx: Tx, contract: Contract, customer: LockedCustomer, at: number, slug: string): Promise<LockedPeriod> {
  const { idx } = (await findPeriod(tx, contract.id, at)) ?? (await makePeriod(tx, contract, customer, at));
  return { idx, ...(await lockChargingPeriod(tx, { contractId: contract.id, idx }, slug)) };
}

/** Holds the period that charges a feature's usage of a period, which may be a successor's. */
export async function lockChargingPeriod(tx: Tx, key: PartKey, slug: string): Promise<Pick<LockedPeriod, 'charging' | 'closed'>> {
  const charging = await chargingPeriod(tx, key, slug);
  const [row] = await tx.query<{ status: string }>('select status from usage_period where contract_id = $1 and idx = $2 for update', [
    charging.contractId,
    charging.idx,
  ]);
  return { charging, closed: row?.status === 'closed' };
}

async function findPeriod(tx: Tx, contractId: string, at: number): Promise<PeriodRow | null> {
  const [row] = await tx.query<PeriodRow>(
    `select idx, status from usage_period
     where contract_id = $1 and usage_from <= $2 and (usage_until is null or $2 < usage_until) order by idx limit 1 for update`,
    [contractId, stamp(at)],
  );
  return row ?? null;
}

async function makePeriod(tx: Tx, contract: Contract, { pauses }: LockedCustomer, at: number): Promise<PeriodRow> {
  const begun = begunBy(contract, pauses, at);
  const idx = periodIdxAt(begun, pauses, at);
  const { start } = usagePeriod(begun, idx, 0, pauses);
  const row = fromUsagePeriod(usagePeriod(begun, idx, start, pauses));
  await insertRows(tx, 'usage_period', [row], 'on conflict do nothing');
  const [locked] = await tx.query<PeriodRow>('select idx, status from usage_period where contract_id = $1 and idx = $2 for update', [
    contract.id,
    idx,
  ]);
  if (locked === undefined) throw new Error(`usage period ${idx} of ${contract.id} was not written`);
  return locked;
}
