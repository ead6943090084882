import type { Queryable } from '../../db/connect.ts';

/** A node of a plan of Postgres that was carried out. */
interface PlanNode {
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: PlanNode[];
}

const readBy = (node: PlanNode, tables: readonly string[]): number =>
  (tables.includes(node['Relation Name'] ?? '')
    ? (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']
    : 0) + (node.Plans ?? []).reduce((sum, part) => sum + readBy(part, tables), 0);

/** Gives the answers of `db`, and counts the rows of some tables that Postgres has looked at for them. */
export function countingReads(db: Queryable, tables: readonly string[]): Queryable & { read: number } {
  const counting = {
    read: 0,
    query: async <R extends object>(sql: string, params: readonly unknown[] = []): Promise<R[]> => {
      const [plan] = await db.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(`explain (analyze, format json) ${sql}`, params);
      for (const { Plan } of plan?.['QUERY PLAN'] ?? []) counting.read += readBy(Plan, tables);
      return db.query<R>(sql, params);
    },
  };
  return counting;
}
