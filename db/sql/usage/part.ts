/** A period of usage, by its contract and number. */
export interface PartKey {
  contractId: string;
  idx: number;
}

/** The counter of one feature in a period. */
export interface CounterKey extends PartKey {
  slug: string;
}

/** SQL: the entry of a period's `goes_on` for a feature. */
export const sourceOf = (slug: string): string => `to_jsonb('feature:' || ${slug})`;
