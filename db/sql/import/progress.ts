import type { Queryable } from '../../connect.ts';
import type { ImportLineType, ImportOutcome } from '../../entities/import.ts';

/** How many lines of a type have an outcome; null: they wait. */
export interface LineCount {
  type: ImportLineType;
  outcome: ImportOutcome | null;
  n: number;
}

const SQL = 'select type, outcome, count(*)::int as n from import_line where import_id = $1 group by type, outcome';

/** What has become of an import's lines. SQL, because it groups what may be hundreds of thousands of rows. */
export const countLines = (db: Queryable, importId: string): Promise<LineCount[]> => db.query<LineCount>(SQL, [importId]);
