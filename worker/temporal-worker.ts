import { NativeConnection, Worker, type WorkerOptions } from '@temporalio/worker';
import type { BillRunActivities } from '../activities/bill-run/index.ts';
import type { activitiesOf } from '../activities/index.ts';
import type { WebhookActivities } from '../activities/webhook/index.ts';
import type { Config } from '../config/config.ts';
import type { Tracing } from '../config/tracing.ts';
import { billRunQueue } from '../temporal/task-queues.ts';
import { deliveryQueue } from '../workflows/webhook/queue.messages.ts';

/**
 * Workflows in memory; each takes about 0.2 MB, the others are replayed when they wake. Few: most contracts wake once a
 * cycle, long after a herd of others has taken their place.
 */
const CACHED = 500;
/**
 * How long a task waits for the worker that has its workflow in memory. Long enough that a herd waking at once isn't
 * replayed for nothing, short enough that the death of a worker delays nobody for long.
 */
const STICKY = '20 seconds';
/** Activities under way may finish when the process stops: their transactions are short. */
const GRACE = '10 seconds';
/**
 * How often heartbeats are passed on; by default the worker passes one on only when most of the time limit has passed.
 */
const HEARTBEAT_INTERVAL = '3 seconds';
/** The clock's steps, and database steps that wait for Postgres to come back. */
const ACTIVITIES = 50;
/**
 * One bill run runs at a time, with two batches under way; the other slots are for one that begins while the last one
 * ends.
 */
const BILL_RUNS_CACHED = 2;
const BILL_RUN_ACTIVITIES = 4;
/** Endpoints that are delivered to at the same time; one with a slow receiver keeps its place for most of a minute. */
const DELIVERIES = 100;

/** Workers that poll until they are shut down; then their connection is closed. */
export interface Workers {
  run(): Promise<void>;
  shutdown(): void;
}

interface WorkerParts {
  activities: ReturnType<typeof activitiesOf>;
  bundle: { codePath: string };
  tracing?: Tracing | null;
}

/**
 * One worker for the bill run, whose tasks never wait for others, one for all other workflows, and one that only
 * delivers. Each of the first two has a thread that keeps the code of all workflows: 25 to 30 MB.
 */
export async function createWorkers(config: Config, parts: WorkerParts): Promise<Workers> {
  const connection = await NativeConnection.connect({ address: config.temporalAddress });
  const made = await Promise.allSettled(workersOn(connection, config, parts));
  const workers = together(
    made.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])),
    connection,
  );
  const failed = made.find((one) => one.status === 'rejected');
  if (failed === undefined) return workers;
  // only a worker that has run gives its part of the connection back
  const ended = workers.run().catch(() => undefined);
  workers.shutdown();
  await ended;
  throw failed.reason;
}

function workersOn(connection: NativeConnection, config: Config, { activities, bundle, tracing = null }: WorkerParts): Promise<Worker>[] {
  const create = (options: Pick<WorkerOptions, 'taskQueue' | 'activities'> & Partial<WorkerOptions>): Promise<Worker> =>
    Worker.create({
      connection,
      namespace: config.temporalNamespace,
      interceptors: { activity: tracing === null ? [] : [tracing.activity] },
      stickyQueueScheduleToStartTimeout: STICKY,
      shutdownGraceTime: GRACE,
      maxHeartbeatThrottleInterval: HEARTBEAT_INTERVAL,
      defaultHeartbeatThrottleInterval: HEARTBEAT_INTERVAL,
      showStackTraceSources: false,
      ...options,
    });
  return [
    create({
      taskQueue: config.temporalTaskQueue,
      workflowBundle: bundle,
      activities,
      maxCachedWorkflows: CACHED,
      maxConcurrentActivityTaskExecutions: ACTIVITIES,
      // each uses a database connection: more of them would only queue for one
      maxConcurrentLocalActivityExecutions: Math.max(2, config.databasePool - 2),
      maxConcurrentWorkflowTaskExecutions: 40,
    }),
    create({
      taskQueue: billRunQueue(config.temporalTaskQueue),
      workflowBundle: bundle,
      activities: { billLane: activities.billLane } satisfies BillRunActivities,
      maxCachedWorkflows: BILL_RUNS_CACHED,
      workflowThreadPoolSize: 1,
      maxConcurrentActivityTaskExecutions: BILL_RUN_ACTIVITIES,
    }),
    create({
      taskQueue: deliveryQueue(config.temporalTaskQueue),
      activities: { deliverEvents: activities.deliverEvents } satisfies WebhookActivities,
      maxConcurrentActivityTaskExecutions: DELIVERIES,
    }),
  ];
}

/** They stop together: when one loses Temporal for good, the others stop too. */
function together(workers: readonly Worker[], connection: NativeConnection): Workers {
  const shutdown = (): void => {
    for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
  };
  return {
    shutdown,
    run: async () => {
      const ends = await Promise.allSettled(workers.map((worker) => worker.run().finally(shutdown)));
      const failed = ends.find((end) => end.status === 'rejected');
      // a worker that failed in the middle of its end keeps the connection; why it failed is what matters
      await connection.close().catch((error: unknown) => {
        if (failed === undefined) throw error;
      });
      if (failed !== undefined) throw failed.reason;
    },
  };
}
