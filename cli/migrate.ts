import { migrate, pendingMigrations } from '../db/migrate.ts';
import { withProgress } from '../local-stack/log.ts';
import { missingSearchAttributes, registerSearchAttributes } from '../temporal/search-attributes.ts';
import type { Run } from './run.ts';
import { withDatabase } from './with-database.ts';
import { withTemporal } from './with-temporal.ts';

export const runMigrate: Run = ({ options, say, answer, progress }) =>
  withDatabase(async (db, config) => {
    const isDry = options.dryRun === true;
    const would = isDry ? 'Would have applied' : 'Applied';
    const migrations = await withProgress(progress, 'Bringing the tables up to date', isDry ? pendingMigrations(db) : migrate(db));
    say(migrations.length > 0 ? `${would} ${migrations.join(', ')}` : 'All migrations were applied already');
    const ask = isDry ? missingSearchAttributes : registerSearchAttributes;
    const attributes = await withTemporal(config, (_, connection) => ask(connection, config.temporalNamespace));
    const registered = isDry ? 'Would have registered' : 'Registered';
    say(attributes.length > 0 ? `${registered} ${attributes.join(', ')}` : 'All search attributes were registered already');
    answer({ dry_run: isDry, migrations, search_attributes: attributes });
    return 0;
  });
