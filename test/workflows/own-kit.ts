import { ownDatabase } from '../support/own-database.ts';
import { servers } from '../support/servers.ts';
import { type Kit, openKit } from './kit.ts';
import { activitiesFor, endRuntime, startWorker } from './own-worker.ts';

export interface OwnKit {
  kit: Kit;
  queue: string;
  close(): Promise<void>;
}

/** A kit with a database and a worker of its own: nobody else signals its workflows, and it signals nobody else's. */
export async function openOwnKit(name: string): Promise<OwnKit> {
  const queue = `perennial-${name}-${process.pid}`;
  const { temporalAddress } = await servers();
  const own = await ownDatabase();
  const kit = await openKit({ databaseUrl: own.databaseUrl, temporalAddress }, queue);
  const worker = await startWorker({ temporalAddress }, queue, await activitiesFor(kit, own));
  const close = async (): Promise<void> => {
    await worker.stop();
    await kit.close();
    await endRuntime();
    await own.drop();
  };
  return { kit, queue, close };
}
