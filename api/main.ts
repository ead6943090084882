import { createServer } from 'node:http';
import { Client, Connection } from '@temporalio/client';
import pino from 'pino';
import { loadConfig } from '../config/config.ts';
import { openTracing } from '../config/tracing.ts';
import { connect } from '../db/connect.ts';
import { openPayments } from '../payments/open.ts';
import { createPortal } from '../portal/portal.ts';
import { temporalCommands } from './contract/commands.ts';
import { invoicePdf } from './document/print.ts';
import { createApi } from './http/app.ts';
import { drain } from './http/drain.ts';
import { LogOutput } from './http/log-output.ts';
import { serveMetrics } from './http/metrics.ts';
import { createPaymentWebhooks } from './payment/webhook.ts';

/** The API process: configuration → Postgres → Temporal (connected when first needed) → listen; SIGTERM drains. */

const config = loadConfig();
const log = pino({ level: config.logLevel, base: { service: 'api' } }, new LogOutput(1));
const tracing = await openTracing(config.otelEndpoint, 'perennial-api', (error) => log.warn({ err: error }, 'traces were lost'));
const db = await connect(config, tracing);
const connection = Connection.lazy({ address: config.temporalAddress });
const interceptors = tracing === null ? {} : { workflow: [tracing.workflowClient] };
const client = new Client({ connection, namespace: config.temporalNamespace, interceptors });
const contracts = temporalCommands({ db, client, connection, taskQueue: config.temporalTaskQueue });
const deliver = (wishIds: readonly string[]): Promise<void> =>
  contracts.deliver(wishIds).catch((error: unknown) => log.warn({ err: error }, 'wishes were left to the relay'));
const payments = openPayments({ config, db, deliver });

const { app, metrics } = createApi({
  db,
  contracts,
  payments,
  health: {
    temporal: async () => {
      await connection.withDeadline(Date.now() + 3_000, () => connection.workflowService.getSystemInfo({}));
    },
  },
  settings: { secret: config.secret, baseUrl: config.baseUrl, rateLimitPerMinute: config.rateLimitPerMinute },
  log,
  tracing,
  mounts: [
    createPortal({ db, baseUrl: config.baseUrl, print: (vendorId, id) => invoicePdf({ db, log }, vendorId, id) }),
    createPaymentWebhooks({ db, payments, deliver, log }),
  ],
});

const server = createServer(app.callback());
const metricsServer = config.metricsPort === null ? null : serveMetrics(metrics, config.metricsPort, config.host);

server.on('error', (error) => {
  log.fatal({ err: error }, `cannot listen on port ${config.port}`);
  process.exit(1);
});
server.listen(config.port, config.host, () => log.info({ port: config.port }, 'listening'));

drain(async () => {
  metricsServer?.close();
  await new Promise<void>((done) => {
    server.close(() => done());
    server.closeIdleConnections();
  });
  await connection.close();
  await payments.providers.close();
  await db.close();
  await tracing?.close();
}, log);
