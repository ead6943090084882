import { migrate, pendingMigrations } from '../db/migrate.ts';
import { withProgress } from '../local-stack/log.ts';
import { missingSearchAttributes, registerSearchAttributes } from '../temporal/search-attributes.ts';
import type { RunCommand } from './run.ts';
import { withConfiguredDatabase } from './with-database.ts';
import { withConfiguredTemporal } from './with-temporal.ts';

export const runMigrate: RunCommand = ({ options, say, printResult, progress }) =>
  withConfiguredDatabase(async (db, config) => {
    const isDry = options.dryRun === true;
    const applied = isDry ? 'Would have applied' : 'Applied';
    const migrations = await withProgress(progress, 'Bringing the tables up to date', isDry ? pendingMigrations(db) : migrate(db));
    say(migrations.length > 0 ? `${applied} ${migrations.join(', ')}` : 'All migrations were applied already');
    const handleAttributes = isDry ? missingSearchAttributes : registerSearchAttributes;
    const attributes = await withConfiguredTemporal(config, (_, connection) => handleAttributes(connection, config.temporalNamespace));
    const registered = isDry ? 'Would have registered' : 'Registered';
    say(attributes.length > 0 ? `${registered} ${attributes.join(', ')}` : 'All search attributes were registered already');
    printResult({ dry_run: isDry, migrations, search_attributes: attributes });
    return 0;
  }, 'direct');
