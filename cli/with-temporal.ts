import { Client, Connection } from '@temporalio/client';
import type { Config } from '../config/config.ts';

/** Opens the configured Temporal server for one command. */
export async function withTemporal<T>(config: Config, work: (client: Client, connection: Connection) => Promise<T>): Promise<T> {
  const connection = await Connection.connect({ address: config.temporalAddress, connectTimeout: '10s' });
  try {
    return await work(new Client({ connection, namespace: config.temporalNamespace }), connection);
  } finally {
    await connection.close();
  }
}
