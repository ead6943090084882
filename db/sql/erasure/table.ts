/** A column with what it becomes, as SQL over the row `t`. */
type Replaced = Readonly<Record<string, string>>;

/** Rows of another table that go with those of a page, found by a column that names them. */
interface Following {
  table: string;
  by: string;
  becomes: Replaced | 'deleted';
}

/** A table with personal data of a customer: whose rows they are, in which order, and what becomes of them. */
export interface ErasedTable {
  table: string;
  /** a condition on the row `t`; $1 is the customer's id */
  of: string;
  /** columns that order its rows, each once, with their types; the last one names the row to those that follow it */
  order: readonly (readonly [column: string, type: 'text' | 'bigint' | 'timestamptz'])[];
  /** null: the rows themselves stay as they are */
  becomes: Replaced | 'deleted' | null;
  following?: readonly Following[];
}
