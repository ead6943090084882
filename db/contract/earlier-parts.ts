import type { Instant } from '../../billing/calendar/instant.ts';
import type { Contract, EarlierPart, UsagePeriod } from '../../billing/contract/types.ts';
import type { Queryable } from '../connect.ts';
import { type ContractRecordRow, toContract } from '../mapping/contract.ts';
import { periodsBefore } from '../sql/usage/periods-before.ts';
import { usageOfPeriods } from './usage-totals.ts';

/**
 * The parts of a billing period on predecessors, oldest first, with the sums of their events, by the contract whose
 * period goes on from them.
 */
export async function earlierParts(tx: Queryable, periods: readonly UsagePeriod[], now: Instant): Promise<Map<string, EarlierPart[]>> {
  const before = await periodsBefore(
    tx,
    periods.filter(({ follows }) => follows !== null),
  );
  const all = [...new Map([...before.values()].flat().map((period) => [`${period.contractId} ${period.idx}`, period])).values()];
  if (all.length === 0) return new Map();
  const contracts = await contractsOf(tx, all);
  const totals = Map.groupBy(await usageOfPeriods(tx, all, now), ({ contractId, periodIdx }) => `${contractId} ${periodIdx}`);
  const partOf = (period: UsagePeriod): EarlierPart => ({
    contract: contracts.get(period.contractId) ?? missing(period.contractId),
    period,
    usage: totals.get(`${period.contractId} ${period.idx}`) ?? [],
  });
  return new Map([...before].map(([id, some]) => [id, some.map(partOf)]));
}

/** The contracts of some periods. */
export async function contractsOf(tx: Queryable, periods: readonly UsagePeriod[]): Promise<Map<string, Contract>> {
  const ids = [...new Set(periods.map(({ contractId }) => contractId))];
  const rows = await tx.query<ContractRecordRow>('select * from contract where id = any($1::text[])', [ids]);
  return new Map(rows.map((row) => [row.id, toContract(row)]));
}

function missing(id: string): never {
  throw new Error(`the contract ${id} of a usage period does not exist`);
}
