import { Client, Connection, type WorkflowClientInterceptor } from '@temporalio/client';
import { type CallEnded, measuredConnection } from './measured-connection.ts';

/** Where a program's workflows run. */
export interface Server {
  address: string;
  namespace: string;
}

/** The client of a program that goes on: it connects when it is first needed, and reports each call. */
export function measuredClient(
  { temporalAddress, temporalNamespace: namespace }: { temporalAddress: string; temporalNamespace: string },
  interceptors: WorkflowClientInterceptor[],
  ended: CallEnded,
): { client: Client; connection: Connection } {
  const connection = measuredConnection(temporalAddress, ended);
  return { client: new Client({ connection, namespace, interceptors: { workflow: interceptors } }), connection };
}

/** A client on a connection that is open. */
export const clientOn = (connection: Connection, namespace: string): Client => new Client({ connection, namespace });

/**
 * Connects to a server.
 *
 * @throws when it doesn't answer in time
 */
export const connectWithin = (address: string, connectTimeout: '1s' | '10s'): Promise<Connection> =>
  Connection.connect({ address, connectTimeout });
