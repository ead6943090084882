import { DefaultLogger, NativeConnection, Runtime, Worker, type WorkerOptions } from '@temporalio/worker';
import pino from 'pino';
import type { ActivityDependencies } from '../../activities/dependencies.ts';
import { activitiesOf } from '../../activities/index.ts';
import { openPayments } from '../../services/payment/open-payments.ts';
import { workflowBundle } from '../../worker/bundle.ts';
import type { Servers } from '../support/servers.ts';
import type { Kit } from './kit.ts';

export type Activities = ReturnType<typeof activitiesOf>;

Runtime.install({ logger: new DefaultLogger('ERROR') });

/** The activities as the worker program has them, on the kit's database. */
export async function activitiesFor(kit: Kit, { databaseUrl }: Pick<Servers, 'databaseUrl'>, bundle = 'of-the-test'): Promise<Activities> {
  const config = { payments: { cardproc: null, authorize: null, retryDays: [] }, mode: 'embedded' as const, databaseUrl };
  const payments = await openPayments({ config, db: kit.db });
  const dependencies: ActivityDependencies = { db: kit.db, payments, email: null, webhooks: null, log: pino({ level: 'silent' }), bundle };
  return activitiesOf(dependencies);
}

export interface OwnWorker {
  worker: Worker;
  stop(): Promise<void>;
}

/**
 * A worker of the test's own, in its process: on a task queue that no other worker polls, or in place of the worker
 * program.
 */
export async function startWorker(
  { temporalAddress }: Pick<Servers, 'temporalAddress'>,
  taskQueue: string,
  activities: object,
  options: Partial<WorkerOptions> = {},
): Promise<OwnWorker> {
  const connection = await NativeConnection.connect({ address: temporalAddress });
  const worker = await Worker.create({ connection, taskQueue, workflowBundle: await workflowBundle(), activities, ...options });
  const running = worker.run().finally(() => connection.close());
  return {
    worker,
    stop: async () => {
      if (worker.getState() === 'RUNNING') worker.shutdown();
      await running;
    },
  };
}

/** Ends what Temporal's core keeps running in this process. */
export const endRuntime = (): Promise<void> => Runtime.instance().shutdown();
