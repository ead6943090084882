import type { Queryable } from '../../connect.ts';
import type { ImportLineType, ImportOutcome, ImportRecord } from '../../entities/import.ts';

/** How many lines of a type have an outcome; null: they wait. */
export interface LineCount {
  type: ImportLineType;
  outcome: ImportOutcome | null;
  n: number;
}

const OF_ALL = 'select type, outcome, count(*)::int as n from import_line where import_id = $1 group by type, outcome';
const WITH_OUTCOME =
  'select type, outcome, count(*)::int as n from import_line where import_id = $1 and outcome is not null group by type, outcome';

/**
 * What has become of an import's lines. Of one that is done none waits: those without an outcome are to be deleted.
 * SQL, because it groups what may be hundreds of thousands of rows.
 */
export const countLines = (db: Queryable, { id, status }: Pick<ImportRecord, 'id' | 'status'>): Promise<LineCount[]> =>
  db.query<LineCount>(status === 'done' ? WITH_OUTCOME : OF_ALL, [id]);
