import { checkLedger } from '../../db/sql/ledger/check.ts';
import { withTestDatabase } from '../support/database.ts';

// every other test looks at its own vendor alone; what lies between vendors, or belongs to none, is seen here
it('after all tests the books of all vendors are sound', async () => {
  expect(await withTestDatabase((db) => checkLedger(db))).toEqual([]);
});

it('the audit log can be emptied by nobody', async () => {
  await withTestDatabase((db) => expect(db.query('truncate table audit')).rejects.toThrow('cannot be changed'));
});
