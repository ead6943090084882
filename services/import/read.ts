import type { EntityManager } from '@mikro-orm/postgresql';
import type { Queryable } from '../../db/connect.ts';
import { Import, type ImportLineType, type ImportOutcome, type ImportRecord } from '../../db/entities/import.ts';
import { countLines } from '../../db/sql/import/progress.ts';
import { type ImportCall, importNotFound } from './create.ts';

/** What has become of an import's lines so far, all together and by type. */
export interface ImportProgress {
  total: number;
  made: number;
  repeated: number;
  refused: number;
  madeOf: Readonly<Record<ImportLineType, number>>;
}

export async function importProgressOf(db: Queryable, own: Pick<ImportRecord, 'id' | 'status'>): Promise<ImportProgress> {
  const counts = await countLines(db, own);
  const sumOf = (some: typeof counts): number => some.reduce((sum, { n }) => sum + n, 0);
  const withOutcome = (outcome: ImportOutcome): number => sumOf(counts.filter((one) => one.outcome === outcome));
  const made = (type: ImportLineType): number => sumOf(counts.filter((one) => one.outcome === 'made' && one.type === type));
  return {
    total: sumOf(counts),
    made: withOutcome('made'),
    repeated: withOutcome('repeated'),
    refused: withOutcome('refused'),
    madeOf: { customer: made('customer'), contract: made('contract'), wallet: made('wallet'), unreadable: 0 },
  };
}

/** An import and how far it has come. */
export type ImportState = Pick<ImportRecord, 'id' | 'status' | 'created' | 'ended'> & ImportProgress;

/** @throws Refusal `import_not_found` */
export async function readImport(db: Queryable & { em: EntityManager }, { vendorId, importId }: ImportCall): Promise<ImportState> {
  const own = (await db.em.findOne(Import, { id: importId, vendorId })) ?? importNotFound(importId);
  const { id, status, created, ended } = own;
  return { id, status, created, ended, ...(await importProgressOf(db, own)) };
}
