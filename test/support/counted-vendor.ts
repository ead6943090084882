import type { Database } from '../../db/connect.ts';
import { createVendor } from '../../services/vendor-account/create.ts';
import { type OwnDatabase, ownDatabase } from './own-database.ts';
import { countStatements, type StatementCount } from './statements.ts';

/** A vendor in a database of its own, and a count of what this process asks of Postgres. */
export interface CountedVendor extends Pick<StatementCount, 'during'> {
  db: Database;
  vendorId: string;
}

/** That of all tests of a file; it is there once the first of them runs. */
export function countedVendor(name: string): CountedVendor {
  const made = {} as CountedVendor;
  let count: StatementCount | undefined;
  let own: OwnDatabase | undefined;
  beforeAll(async () => {
    count = countStatements();
    own = await ownDatabase();
    const { vendorId } = await createVendor(own.db, name);
    Object.assign(made, { db: own.db, vendorId, during: count.during });
  });
  afterAll(async () => {
    count?.restore();
    await own?.drop();
  });
  return made;
}
