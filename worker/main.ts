import type { Connection } from '@temporalio/client';
import { DefaultLogger, Runtime } from '@temporalio/worker';
import pino, { type Logger } from 'pino';
import type { ActivityDependencies } from '../activities/dependencies.ts';
import { activitiesOf } from '../activities/index.ts';
import { type Config, loadConfig } from '../config/config.ts';
import { openTracing, type Tracing } from '../config/tracing.ts';
import { connect } from '../db/connect.ts';
import { STOOD_STILL, watchEventLoop } from '../metrics/event-loop.ts';
import { createMetrics } from '../metrics/process.ts';
import { watchProviders } from '../metrics/provider-calls.ts';
import { runtimeMetrics } from '../metrics/runtime.ts';
import { serveMetrics } from '../metrics/serve.ts';
import { PdfPrinter } from '../pdf/printer.ts';
import { openPayments } from '../services/payment/open-payments.ts';
import { measuredClient } from '../temporal/client.ts';
import { OutboxDispatcher } from '../temporal/dispatcher.ts';
import { registerSearchAttributes } from '../temporal/search-attributes.ts';
import { BatchWork } from './batch-work.ts';
import { bundleName, workflowBundle } from './bundle.ts';
import { LOOPS, type LoopName, startLoops } from './relay.ts';
import { rest } from './rest.ts';
import { createWorkers } from './temporal-worker.ts';
import { openWebhooks } from './webhooks.ts';

const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 15_000;
/** Milliseconds for a server to say what it knows, and to learn the rest. */
const LONGEST_ASKING = 10_000;
/** The SDK's own series are named as Prometheus advises: seconds, and `_total` behind counters. */
const FORM = { countersTotalSuffix: true, unitSuffix: true, useSecondsForDurations: true };

/** Aborted when the process gets a signal to stop. */
function stopSignal(): AbortSignal {
  const stopping = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stopping.abort());
  return stopping.signal;
}

interface Surroundings {
  readonly batches: BatchWork;
  readonly connection: Connection;
  readonly tracing: Tracing | null;
  readonly stopping: AbortSignal;
}

/** Polls for work until the process stops. Where the connection is lost for good, it makes a new one. */
async function work(config: Config, dependencies: ActivityDependencies, surroundings: Surroundings): Promise<void> {
  const { log } = dependencies;
  const { batches, connection, tracing, stopping } = surroundings;
  const all = activitiesOf(dependencies);
  const activities = { ...all, stepClock: batches.counted(all.stepClock), billLane: batches.counted(all.billLane) };
  const bundle = (await workflowBundle()) as { codePath: string };
  for (let failures = 0; !stopping.aborted; ) {
    try {
      await connection.withAbortSignal(stopping, () =>
        connection.withDeadline(Date.now() + LONGEST_ASKING, () => registerSearchAttributes(connection, config.temporalNamespace)),
      );
      const workers = await createWorkers(config, { activities, bundle, tracing });
      stopping.addEventListener('abort', workers.shutdown, { once: true });
      const running = workers.run().finally(() => stopping.removeEventListener('abort', workers.shutdown));
      // workers that never ran would keep the process from ending
      if (stopping.aborted) workers.shutdown();
      else log.info('the worker takes work');
      await running;
      failures = 0;
    } catch (error) {
      if (stopping.aborted) break;
      failures += 1;
      log.warn({ err: error, failures }, 'the worker lost Temporal and tries again');
      await rest(Math.min(FIRST_PAUSE * 2 ** failures, LONGEST_PAUSE), stopping);
    }
  }
}

async function main(): Promise<void> {
  const config = loadConfig();
  const log: Logger = pino({ level: config.logLevel, base: { service: 'worker' } });
  const runtime = config.metricsPort === null ? null : await runtimeMetrics();
  Runtime.install({
    ...(runtime !== null && { telemetryOptions: { metrics: { prometheus: { ...FORM, bindAddress: runtime.bindAddress } } } }),
    logger: new DefaultLogger('WARN', ({ level, message, meta }) => logRuntimeMessage(log, level, message, meta)),
    shutdownSignals: [],
  });
  const stopping = stopSignal();
  const tracing = await openTracing(config.otelEndpoint, 'perennial-worker', (error) => log.warn({ err: error }, 'traces were lost'));
  const db = await connect(config, tracing);
  const metrics = createMetrics(db);
  watchEventLoop(metrics.registry, ({ ms, busy_ms }) => log.warn({ ms, busy_ms }, STOOD_STILL));
  const interceptors = tracing === null ? [] : [tracing.workflowClient];
  const { client, connection } = measuredClient(config, interceptors, metrics.temporalCall);
  const batches = new BatchWork();
  const isCrowded = (): boolean => batches.isUnderWay;
  const dispatcher = new OutboxDispatcher({ db, client, taskQueue: config.temporalTaskQueue, log, isCrowded });
  db.dispatcher = dispatcher;
  db.onFault = ({ text, about, error }) => log.error({ err: error, ...about }, text);
  const payments = await openPayments({ config, db, watch: watchProviders(metrics, tracing) });
  const { smtpUrl, baseUrl } = config;
  // loaded where e-mails are sent alone: a fault in it is found here, at the start
  const mail = smtpUrl === null ? null : (await import('../mail/smtp.ts')).smtpMailer({ smtpUrl, baseUrl });
  const email = mail === null ? null : { mailer: mail, printer: new PdfPrinter(db) };
  const { retention } = config;
  const { deleted } = metrics;
  const loops = startLoops(Object.keys(LOOPS) as LoopName[], { db, log, dispatcher, retention, deleted });
  const webhooks = openWebhooks(config, loops.notify.wake);
  const dependencies: ActivityDependencies = { db, log, payments, webhooks, email, bundle: await bundleName() };
  const { metricsPort, metricsHost } = config;
  const metricsServer = metricsPort === null ? null : serveMetrics(metrics, metricsPort, metricsHost, runtime?.text);
  metricsServer?.on('error', (error) => {
    log.fatal({ err: error }, `cannot listen on METRICS_PORT ${metricsPort}`);
    process.exit(1);
  });
  await work(config, dependencies, { batches, connection, tracing, stopping });
  await Promise.all(Object.values(loops).map((loop) => loop.stop()));
  await dispatcher.idle();
  metricsServer?.close();
  await payments.providers.close();
  webhooks.transport.close();
  email?.mailer.close();
  await email?.printer.close();
  await connection.close();
  await db.close();
  await tracing?.close();
  log.info('the worker has stopped');
}

function logRuntimeMessage(log: Logger, level: string, message: string, meta: unknown): void {
  const write = level === 'ERROR' ? log.error : log.warn;
  write.call(log, meta === undefined ? {} : { sdk: meta }, message);
}

await main();
