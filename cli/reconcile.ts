import { reconcile } from '../temporal/reconcile.ts';
import { type Command, print } from './command.ts';
import { withDatabase } from './with-database.ts';
import { withTemporal } from './with-temporal.ts';

export const reconcileCommand: Command = {
  usage: 'reconcile',
  does: 'tells every workflow that Postgres says is needed and starts those that do not run, after a lost namespace or a restore',
  run: () =>
    withDatabase((db, config) =>
      withTemporal(config, async (client, connection) => {
        const { attributes, sent } = await reconcile(db, client, connection, config.temporalTaskQueue);
        if (attributes.length > 0) print(`Registered ${attributes.join(', ')}`);
        for (const { kind, count } of sent) print(`${count} workflows of kind ${kind} were told, and started where they did not run`);
        return 0;
      }),
    ),
};
