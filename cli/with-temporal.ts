import type { Client, Connection } from '@temporalio/client';
import type { Config } from '../config/config.ts';
import { clientOn, connectWithin } from '../temporal/client.ts';
import { CommandError } from './run.ts';

/** Opens the configured Temporal server for one command. */
export async function withConfiguredTemporal<T>(config: Config, work: (client: Client, connection: Connection) => Promise<T>): Promise<T> {
  const address = config.temporalAddress;
  const connection = await connectWithin(address, '10s').catch((cause: unknown) => {
    throw new CommandError(`the Temporal server at ${address} does not answer: is npm start running on this home?`, { cause });
  });
  try {
    return await work(clientOn(connection, config.temporalNamespace), connection);
  } finally {
    await connection.close();
  }
}
