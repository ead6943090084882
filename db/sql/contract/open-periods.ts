import type { UsagePeriod } from '../../../billing/contract/types.ts';
import type { Queryable } from '../../connect.ts';
import { usagePeriodProjection } from '../projections.ts';

/** SQL: a period `p` isn't left to a caller to close. An index has just these, however many others wait. */
export const closesByItself = (p: string): string => `${p}.status <> 'closed' and (${p}.status = 'open' or ${p}.closes_at is not null)`;

/** SQL: a period `p` has ended, and only a caller closes it. */
const isLeft = (p: string): string => `${p}.status <> 'closed' and ${p}.status <> 'open' and ${p}.closes_at is null`;

const COLUMNS = usagePeriodProjection.columns('p');
const SQL = `
  select ${COLUMNS} from usage_period p where p.contract_id = any($1::text[]) and p.status <> 'closed'
  union all
  select ${COLUMNS} from usage_period p where p.contract_id = any($2::text[]) and ${closesByItself('p')}
  union all
  select ${COLUMNS} from unnest($3::text[], $4::int[]) k(contract_id, most)
  cross join lateral (
    select * from usage_period l where l.contract_id = k.contract_id and ${isLeft('l')} order by l.idx desc limit k.most
  ) p
  order by "contractId", idx`;

/**
 * Of which contracts open usage periods are read, and how many of those that have ended and that only a caller closes:
 * they may be thousands, and the latest come first. No number: all.
 */
export type PeriodsWanted = ReadonlyMap<string, number | null>;

/**
 * The usage periods of contracts that aren't closed yet. SQL: one of the statements that every step of a contract
 * needs.
 */
export async function openPeriods(tx: Queryable, wanted: PeriodsWanted): Promise<UsagePeriod[]> {
  const asked = [...wanted].map(([id, most]) => ({ id, most }));
  const [whole, some] = [asked.filter(({ most }) => most === null), asked.filter(({ most }) => most !== null)];
  const latest = some.filter(({ most }) => most !== 0);
  const params = [idsIn(whole), idsIn(some), idsIn(latest), latest.map(({ most }) => most)];
  return (await tx.query(SQL, params)).map(usagePeriodProjection.read);
}

const idsIn = (asked: readonly { id: string }[]): string[] => asked.map(({ id }) => id);

/** Periods of a contract with a smaller number, and how many of them. */
export interface OlderPeriods {
  below: number;
  most: number;
}

const OLDER = `
  select ${COLUMNS} from usage_period p where p.contract_id = $1 and p.idx < $2 and ${isLeft('p')} order by p.idx desc limit $3`;

/**
 * The latest of a contract's usage periods that wait for a caller, below a number. SQL, because they are read as by
 * `openPeriods`.
 */
export const olderLeftPeriods = async (tx: Queryable, contractId: string, { below, most }: OlderPeriods): Promise<UsagePeriod[]> =>
  (await tx.query(OLDER, [contractId, below, most])).map(usagePeriodProjection.read);

const ONE_TO_CLOSE = `
  select ${COLUMNS} from usage_period p where p.contract_id = $1 and ${closesByItself('p')}
  union
  select ${COLUMNS} from usage_period p where p.contract_id = $1 and p.idx = $2 and p.status <> 'closed'
  union
  select ${COLUMNS} from (
    select * from usage_period l where l.contract_id = $1 and ${isLeft('l')} order by l.idx limit 2
  ) p
  order by "contractId", idx`;

/**
 * The open usage periods of a contract of which a caller closes one: that one, and the first two that wait for a
 * caller, which say whether others do, and which is the first of them then. SQL for the same reason.
 */
export const openPeriodsBeside = async (tx: Queryable, contractId: string, idx: number): Promise<UsagePeriod[]> =>
  (await tx.query(ONE_TO_CLOSE, [contractId, idx])).map(usagePeriodProjection.read);
