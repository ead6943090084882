import { NativeConnection, Worker } from '@temporalio/worker';
import type { Config } from '../config/config.ts';
import type { Tracing } from '../config/tracing.ts';

/** Workflows in memory; each takes about 0.2 MB, the others are replayed when they wake. */
const CACHED = 2_000;
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

/** A worker that polls until it is shut down. */
export async function createWorker(
  config: Config,
  activities: object,
  bundle: { codePath: string },
  tracing: Tracing | null = null,
): Promise<Worker> {
  const connection = await NativeConnection.connect({ address: config.temporalAddress });
  return Worker.create({
    connection,
    namespace: config.temporalNamespace,
    taskQueue: config.temporalTaskQueue,
    workflowBundle: bundle,
    activities,
    interceptors: { activity: tracing === null ? [] : [tracing.activity] },
    maxCachedWorkflows: CACHED,
    stickyQueueScheduleToStartTimeout: STICKY,
    shutdownGraceTime: GRACE,
    maxHeartbeatThrottleInterval: HEARTBEAT_INTERVAL,
    defaultHeartbeatThrottleInterval: HEARTBEAT_INTERVAL,
    maxConcurrentActivityTaskExecutions: ACTIVITIES,
    // each uses a database connection: more of them would only queue for one
    maxConcurrentLocalActivityExecutions: Math.max(2, config.databasePool - 2),
    maxConcurrentWorkflowTaskExecutions: 40,
    showStackTraceSources: false,
  });
}
