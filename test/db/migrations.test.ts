import { Migration } from '@mikro-orm/migrations';
import { connect, type Database } from '../../db/connect.ts';
import { migrate, pendingMigrations, schemaDifference } from '../../db/migrate.ts';
import { migrations } from '../../db/migrations/index.ts';
import { withTestDatabase } from '../support/database.ts';
import { emptyDatabase } from '../support/own-database.ts';

/** Two processes that start at once on an empty database of their own. */
async function onEmptyDatabase(work: (one: Database, other: Database) => Promise<void>): Promise<void> {
  const { databaseUrl, drop } = await emptyDatabase();
  const [one, other] = [await connect({ databaseUrl, databasePool: 2 }), await connect({ databaseUrl, databasePool: 2 })];
  try {
    await work(one, other);
  } finally {
    await Promise.all([one.close(), other.close()]);
    await drop();
  }
}

/** As a later version has them: one changes a table, and one builds an index beside its writers. */
class AddsColumn extends Migration {
  up(): void {
    this.addSql('alter table customer add column later_level int');
  }
}
class AddsIndex extends Migration {
  override isTransactional(): boolean {
    return false;
  }
  up(): void {
    this.addSql('create index concurrently customer_later_index on customer (later_level)');
  }
}
class Fails extends Migration {
  up(): void {
    this.addSql('alter table customer add column later_name text');
    this.addSql('alter table customer add column later_level int');
  }
}

function withLater(db: Database, ...later: (typeof migrations)[number]['class'][]): void {
  const migrationsList = [...migrations, ...later.map((one) => ({ name: one.name, class: one }))];
  db.orm.config.set('migrations', { ...db.orm.config.get('migrations'), migrationsList });
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

  it('of a later version build an index beside its writers, also where two processes start at once', async () => {
    await onEmptyDatabase(async (one, other) => {
      withLater(one, AddsColumn, AddsIndex);
      withLater(other, AddsColumn, AddsIndex);
      const ran = await Promise.all([migrate(one), migrate(other)]);
      expect(ran.flat()).toEqual(['0001-initial', 'AddsColumn', 'AddsIndex']);
      const [index] = await one.query(`select indisvalid as valid from pg_index where indexrelid = 'customer_later_index'::regclass`);
      expect(index).toEqual({ valid: true });
    });
  });

  it('each stand by themselves: one that fails changes nothing, and those before it are kept', async () => {
    await onEmptyDatabase(async (one, other) => {
      withLater(one, AddsColumn, Fails);
      await expect(migrate(one)).rejects.toThrow('later_level');
      withLater(other, AddsColumn, Fails);
      expect(await pendingMigrations(other)).toEqual(['Fails']);
      const columns = await one.query(
        `select attname as name from pg_attribute where attrelid = 'customer'::regclass and attname like 'later%'`,
      );
      expect(columns).toEqual([{ name: 'later_level' }]);
    });
  });
});
