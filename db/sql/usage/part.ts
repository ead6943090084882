/** A period of usage, by its contract and number. */
export interface PartKey {
  contractId: string;
  idx: number;
}

/** Names a usage period. */
export const keyOf = ({ contractId, idx }: PartKey): string => `${contractId} ${idx}`;

/** The counter of one feature in a period. */
export interface CounterKey extends PartKey {
  slug: string;
}

/**
 * SQL: the number behind the last period `e` of a contract that had ended by an instant; 0 where none had. Periods have
 * their numbers in the order of their ends, so it is found from the latest one: none of all that ended before is read.
 */
export const firstSince = (contractId: string, at: string): string =>
  `coalesce((select e.idx + 1 from usage_period e where e.contract_id = ${contractId} and e.usage_until <= ${at} order by e.idx desc limit 1), 0)`;

/** SQL: the entry of a period's `goes_on` for a feature. */
export const sourceOf = (slug: string): string => `to_jsonb('feature:' || ${slug})`;
