import { MOST_LEFT_WITH_ROOM } from '../../billing/contract/charge/most-units.ts';
import type { OpenPart } from '../../billing/contract/charge/room-to-spend.ts';
import type { Tx } from '../../db/connect.ts';
import { contractsOf } from '../../db/contract/earlier-parts.ts';
import { activeContracts } from '../../db/sql/contract/active-of-customer.ts';
import { openPeriods } from '../../db/sql/contract/open-periods.ts';
import { periodsBefore } from '../../db/sql/usage/periods-before.ts';
import { readCounters } from '../../db/sql/usage/read-counters.ts';
import { earlierOf, totalsOf } from './list-periods.ts';

/**
 * The open usage periods of a customer's active contracts, with what is counted in them; of those that only a caller
 * closes, which may be thousands, the latest of each contract.
 */
export async function openPartsOf(tx: Tx, customerId: string): Promise<Omit<OpenPart, 'bounds'>[]> {
  const contracts = new Map((await activeContracts(tx, customerId)).map((contract) => [contract.id, contract]));
  const periods = await openPeriods(tx, new Map([...contracts.keys()].map((id) => [id, MOST_LEFT_WITH_ROOM])));
  const before = await periodsBefore(
    tx,
    periods.filter(({ follows }) => follows !== null),
  );
  const earlier = [...before.values()].flat();
  const counters = await readCounters(tx, [...periods, ...earlier]);
  const owners = await contractsOf(tx, earlier);
  return periods.flatMap((period) => {
    const contract = contracts.get(period.contractId);
    if (contract === undefined) return [];
    const parts = period.follows === null ? [] : (before.get(contract.id) ?? []);
    const usage = totalsOf(period, parts.at(-1), counters);
    return [{ contract, period, usage, earlier: earlierOf(parts, owners, counters), isRunning: period.idx === (contract.currentIdx ?? 0) }];
  });
}
