import type { Contract } from '../../../billing/contract/types.ts';
import type { Queryable } from '../../connect.ts';
import { contractProjection } from '../projections.ts';

const SQL = `select ${contractProjection.columns('c')} from contract c where c.id = any($1::text[])`;

/**
 * Contracts by their ids. SQL, because every read and step of a contract passes here: an entity would cost it several
 * times as much.
 */
export const contractsByIds = async (db: Queryable, ids: readonly string[]): Promise<Contract[]> =>
  (await db.query(SQL, [ids])).map(contractProjection.read);
