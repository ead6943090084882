import type { Queryable } from '../../connect.ts';
import { contractProjection } from '../projections.ts';
import { rowVersion } from './row-version.ts';

/** The columns of a contract, as `contractProjection` reads them, with the version of its row. */
export interface ContractVersionRow {
  contractVersion: string;
}

const SQL = `select ${contractProjection.columns('c')}, ${rowVersion('c')} as "contractVersion" from contract c where c.id = any($1::text[])`;

/** Contracts with the versions of their rows. SQL, because the version of a row is Postgres's own. */
export const contractVersions = (db: Queryable, ids: readonly string[]): Promise<ContractVersionRow[]> =>
  db.query<ContractVersionRow>(SQL, [ids]);
