import { pendingMigrations, schemaDifference } from '../../db/migrate.ts';
import { withDatabase } from '../support/vendor.ts';

describe('the migrations', () => {
  it('have all been applied at start-up', async () => {
    expect(await withDatabase(pendingMigrations)).toEqual([]);
  });

  it('make exactly the tables that the entities describe', async () => {
    expect(await withDatabase(schemaDifference)).toBe('');
  });
});
