import { migrate } from '../db/migrate.ts';
import { registerSearchAttributes } from '../temporal/search-attributes.ts';
import { type Command, print } from './command.ts';
import { withDatabase } from './with-database.ts';
import { withTemporal } from './with-temporal.ts';

export const migrateCommand: Command = {
  usage: 'migrate',
  does: 'brings the tables and the search attributes up to date; run before new API and worker processes start',
  run: () =>
    withDatabase(async (db, config) => {
      const applied = await migrate(db);
      print(applied.length > 0 ? `Applied ${applied.join(', ')}` : 'All migrations were applied already');
      const registered = await withTemporal(config, (_, connection) => registerSearchAttributes(connection, config.temporalNamespace));
      print(registered.length > 0 ? `Registered ${registered.join(', ')}` : 'All search attributes were registered already');
      return 0;
    }),
};
