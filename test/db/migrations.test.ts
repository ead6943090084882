import { connect, type Database } from '../../db/connect.ts';
import { migrate, pendingMigrations, schemaDifference } from '../../db/migrate.ts';
import { servers } from '../support/servers.ts';
import { asAdministrator, withTestDatabase } from '../support/vendor.ts';

/** Two processes that start at once on an empty database of their own. */
async function onEmptyDatabase(work: (one: Database, other: Database) => Promise<void>): Promise<void> {
  const name = `migrations_${process.pid}`;
  const { databaseUrl } = await servers();
  await asAdministrator(`create database ${name} owner perennial`);
  const url = new URL(databaseUrl);
  url.pathname = name;
  const [one, other] = [
    await connect({ databaseUrl: url.href, databasePool: 2 }),
    await connect({ databaseUrl: url.href, databasePool: 2 }),
  ];
  try {
    await work(one, other);
  } finally {
    await Promise.all([one.close(), other.close()]);
    await asAdministrator(`drop database ${name} with (force)`);
  }
}

describe('the migrations', () => {
  it('have all been applied at start-up', async () => {
    expect(await withTestDatabase(pendingMigrations)).toEqual([]);
  });

  it('make exactly the tables that the entities describe', async () => {
    expect(await withTestDatabase(schemaDifference)).toBe('');
  });

  it('run once on an empty database, however many processes start at once', async () => {
    await onEmptyDatabase(async (one, other) => {
      expect(await pendingMigrations(one)).toEqual(['0001-initial']);
      const ran = await Promise.all([migrate(one), migrate(other)]);
      expect(ran.flat()).toEqual(['0001-initial']);
      expect(await migrate(other)).toEqual([]);
      expect(await schemaDifference(one)).toBe('');
    });
  });
});
