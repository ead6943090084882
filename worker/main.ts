import { setTimeout as pause } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import { DefaultLogger, Runtime } from '@temporalio/worker';
import pino, { type Logger } from 'pino';
import { clockActivities } from '../activities/clock/index.ts';
import { Carrier } from '../activities/contract/carrier.ts';
import { contractActivities } from '../activities/contract/index.ts';
import type { Dependencies } from '../activities/dependencies.ts';
import { paymentActivities } from '../activities/payment/index.ts';
import { type Config, loadConfig } from '../config/config.ts';
import { openTracing, type Tracing } from '../config/tracing.ts';
import { connect } from '../db/connect.ts';
import { openPayments } from '../payments/open.ts';
import { startAgendaWatch, startOverdueWatch } from './agenda-watch.ts';
import { workflowBundle } from './bundle.ts';
import { deliverer } from './deliver.ts';
import { startDueWatch } from './due-watch.ts';
import { startForgetting } from './forget.ts';
import { serveMetrics } from './metrics.ts';
import { startRelay } from './relay.ts';
import { registerSearchAttributes } from './search-attributes.ts';
import { createWorker } from './temporal-worker.ts';

const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 15_000;

/** Resolves when the process is told to stop. */
function toldToStop(): AbortSignal {
  const stopping = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stopping.abort());
  return stopping.signal;
}

interface Surroundings {
  readonly connection: Connection;
  readonly tracing: Tracing | null;
  readonly stopping: AbortSignal;
}

/** Polls for work until told to stop; what breaks the connection for good is met by a new one. */
async function work(config: Config, dependencies: Dependencies, { connection, tracing, stopping }: Surroundings): Promise<void> {
  const { log } = dependencies;
  const activities = { ...contractActivities(dependencies), ...clockActivities(dependencies), ...paymentActivities(dependencies) };
  const bundle = (await workflowBundle()) as { codePath: string };
  for (let failures = 0; !stopping.aborted; ) {
    try {
      await registerSearchAttributes(connection, config.temporalNamespace);
      const worker = await createWorker(config, activities, bundle, tracing);
      const shutDown = () => worker.getState() === 'RUNNING' && worker.shutdown();
      stopping.addEventListener('abort', shutDown, { once: true });
      if (stopping.aborted) return;
      log.info('the worker takes work');
      await worker.run();
      failures = 0;
    } catch (error) {
      failures += 1;
      log.warn({ err: error, failures }, 'the worker lost Temporal and tries again');
      await pause(Math.min(FIRST_PAUSE * 2 ** failures, LONGEST_PAUSE));
    }
  }
}

async function main(): Promise<void> {
  const config = loadConfig();
  const log: Logger = pino({ level: config.logLevel, base: { process: 'worker' } });
  Runtime.install({
    logger: new DefaultLogger('WARN', ({ level, message, meta }) => tell(log, level, message, meta)),
    shutdownSignals: [],
  });
  const stopping = toldToStop();
  const tracing = await openTracing(config.otelEndpoint, 'perennial-worker', (error) => log.warn({ err: error }, 'traces were lost'));
  const db = await connect(config, tracing);
  const connection = Connection.lazy({ address: config.temporalAddress });
  const interceptors = tracing === null ? {} : { workflow: [tracing.workflowClient] };
  const client = new Client({ connection, namespace: config.temporalNamespace, interceptors });
  const deliver = deliverer(db, client, config.temporalTaskQueue, log);
  const payments = openPayments({ config, db, deliver });
  const carrier = new Carrier({ db, log, deliver });
  const dependencies: Dependencies = { db, log, payments, deliver, carrier };
  const metrics = config.metricsPort === null ? null : serveMetrics(db, config.metricsPort);
  const loops = [
    startRelay(db, client, config.temporalTaskQueue, log),
    startDueWatch(db, carrier, log),
    startAgendaWatch(dependencies),
    startOverdueWatch(dependencies),
    startForgetting(db, log),
  ];
  await work(config, dependencies, { connection, tracing, stopping });
  await Promise.all(loops.map((loop) => loop.stop()));
  metrics?.close();
  await payments.providers.close();
  await connection.close();
  await db.close();
  await tracing?.close();
  log.info('the worker has stopped');
}

function tell(log: Logger, level: string, message: string, meta: unknown): void {
  const write = level === 'ERROR' ? log.error : log.warn;
  write.call(log, meta ?? {}, message);
}

await main();
