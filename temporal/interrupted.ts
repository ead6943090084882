import { setTimeout as pause } from 'node:timers/promises';
import { Connection } from '@temporalio/client';
import type { Server } from './client.ts';

/** What SQLite's driver in the server answers on a connection that was interrupted. */
const INTERRUPTED = 'interrupted (9)';
const LOOK_DEADLINE = 3_000;
const LOOKS = 3;
const BETWEEN_LOOKS = 100;

/**
 * Whether the only connection of a server for development to its database stays interrupted: a request that is given up
 * at the wrong moment may leave it so, and from then on everything is refused, although nothing is lost. A look alone
 * may have been interrupted with another request.
 */
export async function isInterrupted({ address, namespace }: Server): Promise<boolean> {
  // without those that try again: the refusal itself is of interest
  const connection = Connection.lazy({ address, interceptors: [] });
  try {
    for (let look = 0; look < LOOKS; look += 1) {
      if (look > 0) await pause(BETWEEN_LOOKS);
      const refusal = await connection
        .withDeadline(Date.now() + LOOK_DEADLINE, () => connection.workflowService.describeNamespace({ namespace }))
        .then(() => '', String);
      if (!refusal.includes(INTERRUPTED)) return false;
    }
    return true;
  } finally {
    await connection.close();
  }
}
