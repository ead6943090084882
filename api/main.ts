import { createServer } from 'node:http';
import pino from 'pino';
import { loadConfig } from '../config/config.ts';
import { giveBackStartMemory } from '../config/start-memory.ts';
import { openTracing } from '../config/tracing.ts';
import { createConsole } from '../console/console.ts';
import { API_LIMITS, connect } from '../db/connect.ts';
import { STOOD_STILL, watchEventLoop } from '../metrics/event-loop.ts';
import { createMetrics } from '../metrics/process.ts';
import { watchProviders } from '../metrics/provider-calls.ts';
import { observeRequests } from '../metrics/requests.ts';
import { serveMetrics } from '../metrics/serve.ts';
import { PdfPrinter } from '../pdf/printer.ts';
import { createPortal } from '../portal/portal.ts';
import { catchUp } from '../services/contract/catch-up.ts';
import { ChangeEstimates } from '../services/contract/estimate-change.ts';
import { openPayments } from '../services/payment/open-payments.ts';
import { awaitPayment } from '../temporal/await-payment.ts';
import { measuredClient } from '../temporal/client.ts';
import { OutboxDispatcher } from '../temporal/dispatcher.ts';
import { hasWorker, requireTemporal } from '../temporal/health.ts';
import { Addresses } from './http/address.ts';
import { createApi } from './http/app.ts';
import { closeInOrder, drain } from './http/drain.ts';
import { callInside } from './http/inside.ts';
import { KeylessLimit } from './http/keyless-limit.ts';
import { LogOutput } from './http/log-output.ts';
import { portalFailure } from './http/portal-failure.ts';
import { RateLimit } from './http/rate-limit.ts';
import { answerUnreadable } from './http/unreadable.ts';
import { createPaymentWebhooks } from './payment/webhook.ts';
import { draftPlan } from './plan/draft.ts';

/** Starts the API process. Temporal is connected when it is first needed, so that the API starts without it. */

const PORTAL_DOWNLOADS_PER_MINUTE = 30;
const PORTAL_ACTS_PER_MINUTE = 30;
/** Some pages compute a change, or ask a provider. */
const PORTAL_PAGES_PER_MINUTE = 240;
/** From one address: nobody types a key more often. */
const CONSOLE_SIGN_INS_PER_MINUTE = 10;
/** From one address: a provider that reports every charge of a busy vendor stays below this limit. */
const NOTICES_PER_MINUTE = 600;

const config = loadConfig();
const log = pino({ level: config.logLevel, base: { service: 'api' } }, new LogOutput(1));
const tracing = await openTracing(config.otelEndpoint, 'perennial-api', (error) => log.warn({ err: error }, 'traces were lost'));
const db = await connect({ ...config, limits: API_LIMITS }, tracing);
const metrics = createMetrics(db);
watchEventLoop(metrics.registry, ({ ms, busy_ms }) => log.warn({ ms, busy_ms }, STOOD_STILL));
const interceptors = tracing === null ? [] : [tracing.workflowClient];
const { client, connection } = measuredClient(config, interceptors, metrics.temporalCall);
const dispatcher = new OutboxDispatcher({ db, client, taskQueue: config.temporalTaskQueue, log, isCrowded: db.isCrowded });
db.dispatcher = dispatcher;
db.onFault = ({ text, about, error }) => log.error({ err: error, ...about }, text);
const payments = await openPayments({ config, db, watch: watchProviders(metrics, tracing) });
const pdfPrinter = new PdfPrinter(db);
const downloads = new RateLimit(PORTAL_DOWNLOADS_PER_MINUTE);
const acts = new RateLimit(PORTAL_ACTS_PER_MINUTE);
const pages = new RateLimit(PORTAL_PAGES_PER_MINUTE);
const estimates = new ChangeEstimates(db);
const consoleDownloads = new RateLimit(PORTAL_DOWNLOADS_PER_MINUTE);
const consoleActs = new RateLimit(PORTAL_ACTS_PER_MINUTE);
const consolePages = new RateLimit(PORTAL_PAGES_PER_MINUTE);
const addresses = new Addresses(config.trustedProxies);
const keylessLimit = new KeylessLimit(config.keylessLimitPerMinute, addresses);

// loaded where a sign-in service is set alone, and here, so that a fault in it is found at the start
const signIn =
  config.signIn === null
    ? null
    : new (await import('../console/sign-in/provider.ts')).SignInProvider(config.signIn, config.baseUrl, warnOfSignIn);

const signIns = new KeylessLimit(config.keylessLimitPerMinute === null ? null : CONSOLE_SIGN_INS_PER_MINUTE, addresses);

const waitForPayment = (attemptId: string, longestMs: number) => awaitPayment({ client, dispatcher }, attemptId, longestMs);

/** The provider's words and codes alone: what an error carries beyond them may name a person. */
function warnOfSignIn(error: unknown): void {
  const { name, message, code, error: oauth } = error as Error & { code?: unknown; error?: unknown };
  const failure = { name, message, code, oauth };
  log.warn({ failure }, 'a sign-in to the console failed');
}

const { app } = createApi({
  db,
  payments,
  pdfPrinter,
  keylessLimit,
  awaitPayment: waitForPayment,
  health: { temporal: () => requireTemporal(client), hasWorker: () => hasWorker(client, config.temporalTaskQueue) },
  settings: {
    secret: config.secret,
    baseUrl: config.baseUrl,
    reachesPrivate: config.mode === 'embedded',
    rateLimitPerMinute: config.rateLimitPerMinute,
  },
  log,
  tracing,
  observe: observeRequests(metrics.registry),
  routers: (deps) => [
    createPortal({
      db,
      payments,
      awaitPayment: waitForPayment,
      baseUrl: config.baseUrl,
      secret: config.secret,
      estimates,
      print: (vendorId, id) => pdfPrinter.invoice(vendorId, id),
      printNote: (vendorId, invoiceId, id) => pdfPrinter.creditNote(vendorId, invoiceId, id),
      countDownload: (customerId) => downloads.count(customerId),
      countAct: (customerId) => acts.count(customerId),
      countPage: (customerId) => pages.count(customerId),
      countAnonymous: (request) => keylessLimit.count(request),
      failed: (error, requestId) => portalFailure(error, requestId, log),
    }),
    createConsole({
      db,
      payments,
      awaitPayment: waitForPayment,
      secret: config.secret,
      estimates,
      catchUp: (vendorId, contractId) => deps.catchUps.run(vendorId, () => catchUp(db, contractId)),
      baseUrl: config.baseUrl,
      temporalUi: config.temporalUi,
      temporalNamespace: config.temporalNamespace,
      callApi: callInside(deps),
      provider: signIn,
      draftPlan: draftPlan(db),
      print: (vendorId, id) => pdfPrinter.invoice(vendorId, id),
      printNote: (vendorId, invoiceId, id) => pdfPrinter.creditNote(vendorId, invoiceId, id),
      countDownload: (sessionId) => consoleDownloads.count(sessionId),
      countAct: (sessionId) => consoleActs.count(sessionId),
      countPage: (sessionId) => consolePages.count(sessionId),
      countSignIn: (request) => signIns.count(request),
      countAnonymous: (request) => keylessLimit.count(request),
      failed: (error, requestId) => portalFailure(error, requestId, log),
    }),
    createPaymentWebhooks({ db, payments, log, limit: new KeylessLimit(NOTICES_PER_MINUTE, addresses) }),
  ],
});

/**
 * Longer than load balancers (60 s) and clients keep an idle connection,
 * so that none sends a request while we close it.
 */
const KEEP_ALIVE_MS = 75_000;

const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, app.callback());
answerUnreadable(server);
const metricsServer = config.metricsPort === null ? null : serveMetrics(metrics, config.metricsPort, config.metricsHost);

const failToListen = (what: string) => (error: Error) => {
  log.fatal({ err: error }, `cannot listen on ${what}`);
  process.exit(1);
};
server.on('error', failToListen(`port ${config.port}`));
metricsServer?.on('error', failToListen(`METRICS_PORT ${config.metricsPort}`));
giveBackStartMemory();
server.listen(config.port, config.host, () => log.info({ port: config.port }, 'listening'));

drain(async () => {
  metricsServer?.close();
  await closeInOrder(server);
  await dispatcher.idle();
  await payments.providers.close();
  await pdfPrinter.close();
  await db.close();
  await tracing?.close();
  // last: a call that nobody waits for any more may be tried again meanwhile, which throws on a closed connection
  await connection.close();
}, log);
