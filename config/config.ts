import { z } from 'zod';
import * as field from './fields.ts';
import { DEFAULT_NAMESPACE, DEFAULT_PORT, DEFAULT_TASK_QUEUE, localAddress } from './launch.ts';
import type { Environment } from './parse.ts';
import { readVariables } from './parse.ts';
import { type PaymentsConfig, readPayments } from './payments.ts';
import { type RetentionConfig, readRetention } from './retention.ts';
import { readSignIn, type SignInConfig } from './sign-in.ts';
import { readWebhooks, type WebhooksConfig } from './webhooks.ts';

// Local date functions give other results on other hosts, so every process runs in UTC.
process.env.TZ = 'UTC';

/** `embedded` is the mode of `npm start` on one machine: sandbox payments and webhooks to loopback are allowed. */
type Mode = 'embedded' | 'production';

export type Config = {
  mode: Mode;
  databaseUrl: string;
  /** Highest number of connections of one process. */
  databasePool: number;
  /** What stands between a process and Postgres: see `config/README.md`. */
  preparedStatements: z.output<typeof field.preparedStatements>;
  /** Where migrations find Postgres itself; null: at `databaseUrl`. */
  directDatabaseUrl: string | null;
  temporalAddress: string;
  temporalNamespace: string;
  temporalTaskQueue: string;
  /** Web address of the Temporal UI, for links only. */
  temporalUi: string | null;
  host: string;
  port: number;
  /** URL at which callers and customers reach the API, without a slash at its end. */
  baseUrl: string;
  /** Port of `/metrics`; null: metrics are not served. */
  metricsPort: number | null;
  /** Host of `/metrics`, which can differ from the API's. */
  metricsHost: string;
  /** Signs cookies and cursors, and seals the secrets of webhook endpoints. */
  secret: string;
  /** Requests per key; null: no limit. */
  rateLimitPerMinute: number | null;
  /** Requests without a live key per address; null: no limit. */
  keylessLimitPerMinute: number | null;
  /** Own proxies: for a request through one of them the client address is the one that the proxy reports. */
  trustedProxies: readonly string[];
  logLevel: z.output<typeof field.logLevel>;
  otelEndpoint: string | null;
  payments: PaymentsConfig;
  webhooks: WebhooksConfig;
  retention: RetentionConfig;
  /** The server that e-mails are sent through, as a URL with its login; null: no e-mails are sent. */
  smtpUrl: string | null;
  /** How people sign in to the console other than by keys; null: not at all. */
  signIn: SignInConfig | null;
};

const variables = z.object({
  PERENNIAL_MODE: z.enum(['embedded', 'production'], { error: 'must be embedded or production' }).default('production'),
  DATABASE_URL: field.databaseUrl,
  DATABASE_POOL: z.coerce.number('must be a whole number').int('must be a whole number').min(2, 'must be 2 or more').default(10),
  DIRECT_DATABASE_URL: field.databaseUrl.optional(),
  PREPARED_STATEMENTS: field.preparedStatements.default('on'),
  TEMPORAL_ADDRESS: field.hostAndPort,
  TEMPORAL_NAMESPACE: z.string().default(DEFAULT_NAMESPACE),
  TEMPORAL_TASK_QUEUE: z.string().default(DEFAULT_TASK_QUEUE),
  TEMPORAL_UI: field.webAddress.optional(),
  HOST: z.string().optional(),
  PORT: field.port.default(DEFAULT_PORT),
  BASE_URL: field.webAddress.optional(),
  METRICS_PORT: field.port.optional(),
  METRICS_HOST: z.string().optional(),
  PERENNIAL_SECRET: field.secret,
  RATE_LIMIT_PER_MINUTE: field.requestsPerMinute.optional(),
  KEYLESS_LIMIT_PER_MINUTE: field.requestsPerMinute.optional(),
  TRUSTED_PROXIES: field.networkList.default([]),
  LOG_LEVEL: field.logLevel.default('info'),
  OTEL_EXPORTER_OTLP_ENDPOINT: field.webAddress.optional(),
  SMTP_URL: field.smtpUrl.optional(),
});

const LOOPBACK = new Set(['127.0.0.1', '::1', 'localhost']);
const DEFAULT_RATE_LIMIT = 6000;
const DEFAULT_KEYLESS_LIMIT = 60;

/**
 * Everything that the API, the worker and the command line read from the environment.
 *
 * @throws ConfigError that names each wrong variable and what to do about it
 */
export function loadConfig(env: Environment = process.env): Config {
  const given = readVariables(variables, env);
  const host = given.HOST ?? (given.PERENNIAL_MODE === 'embedded' ? '127.0.0.1' : '0.0.0.0');
  const limitOf = (limit: number | null | undefined, usual: number): number | null =>
    limit === undefined ? (LOOPBACK.has(host) ? null : usual) : limit;
  return {
    mode: given.PERENNIAL_MODE,
    databaseUrl: given.DATABASE_URL,
    databasePool: given.DATABASE_POOL,
    preparedStatements: given.PREPARED_STATEMENTS,
    directDatabaseUrl: given.DIRECT_DATABASE_URL ?? null,
    temporalAddress: given.TEMPORAL_ADDRESS,
    temporalNamespace: given.TEMPORAL_NAMESPACE,
    temporalTaskQueue: given.TEMPORAL_TASK_QUEUE,
    temporalUi: given.TEMPORAL_UI ?? null,
    host,
    port: given.PORT,
    baseUrl: given.BASE_URL ?? localAddress(host, given.PORT),
    metricsPort: given.METRICS_PORT ?? null,
    metricsHost: given.METRICS_HOST ?? host,
    secret: given.PERENNIAL_SECRET,
    rateLimitPerMinute: limitOf(given.RATE_LIMIT_PER_MINUTE, DEFAULT_RATE_LIMIT),
    keylessLimitPerMinute: limitOf(given.KEYLESS_LIMIT_PER_MINUTE, DEFAULT_KEYLESS_LIMIT),
    trustedProxies: given.TRUSTED_PROXIES,
    logLevel: given.LOG_LEVEL,
    otelEndpoint: given.OTEL_EXPORTER_OTLP_ENDPOINT ?? null,
    payments: readPayments(env),
    webhooks: readWebhooks(env),
    retention: readRetention(env),
    smtpUrl: given.SMTP_URL ?? null,
    signIn: readSignIn(env),
  };
}
