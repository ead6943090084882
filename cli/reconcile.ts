import { reconcile } from '../worker/reconcile.ts';
import { type Command, print } from './command.ts';
import { withDatabase } from './with-database.ts';
import { withTemporal } from './with-temporal.ts';

export const reconcileCommand: Command = {
  usage: 'reconcile',
  does: 'starts every workflow that Postgres says is needed and that does not run, after a lost namespace or a restore',
  run: () =>
    withDatabase((db, config) =>
      withTemporal(config, async (client, connection) => {
        const { attributes, contracts, clocks, payments } = await reconcile(db, client, connection, config.temporalTaskQueue);
        if (attributes.length > 0) print(`Registered ${attributes.join(', ')}`);
        print(`Looked after ${contracts} contracts, ${clocks} test clocks, ${payments} payments; those that ran already go on undisturbed`);
        return 0;
      }),
    ),
};
