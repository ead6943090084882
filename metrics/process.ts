import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Database } from '../db/connect.ts';
import type { Countable, CountedWork } from '../db/counted.ts';
import { addInstallation } from './installation.ts';

/** What a process shows of itself. */
export interface Metrics {
  readonly registry: Registry;
  /** Whether Postgres has answered what a scrape asks, now or some seconds ago. */
  isDatabaseUp(): Promise<boolean>;
  /** A call to the Temporal server has ended. */
  temporalCall(method: string, outcome: 'ok' | 'failed', milliseconds: number): void;
  /** A call to a payment provider has ended. */
  providerCall(call: ProviderCallFacts, milliseconds: number): void;
  /** Old rows were deleted. */
  deleted(what: string, rows: number): void;
}

export interface ProviderCallFacts {
  provider: string;
  operation: string;
  outcome: string;
}

const CALL_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const STATEMENT_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** The metrics of this process, and those of the installation that every process shows. */
export function createMetrics(db: Database): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  addPool(registry, db);
  addCounted(registry, db);
  const isDatabaseUp = addInstallation(registry, db);
  const temporal = new Histogram({
    name: 'perennial_temporal_client_seconds',
    help: 'Calls of this process to the Temporal server, with their repeats, without the polls of workers',
    labelNames: ['method', 'outcome'],
    buckets: CALL_SECONDS,
    registers,
  });
  const provider = new Histogram({
    name: 'perennial_provider_call_seconds',
    help: 'Calls to payment providers',
    labelNames: ['provider', 'operation', 'outcome'],
    buckets: CALL_SECONDS,
    registers,
  });
  const deleted = new Counter({
    name: 'perennial_deleted_rows_total',
    help: 'Old rows that this process has deleted, by the setting that says how long they are kept',
    labelNames: ['what'],
    registers,
  });
  return {
    registry,
    isDatabaseUp,
    temporalCall: (method, outcome, milliseconds) => temporal.observe({ method, outcome }, milliseconds / 1_000),
    providerCall: (call, milliseconds) => provider.observe({ ...call }, milliseconds / 1_000),
    deleted: (what, rows) => deleted.inc({ what }, rows),
  };
}

function addPool(registry: Registry, db: Database): void {
  const { pool } = db;
  new Gauge({
    name: 'perennial_database_connections',
    help: 'Connections of this process: in use, idle, the most there may be; waiting are callers who wait for one',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      this.set({ state: 'used' }, pool.totalCount - pool.idleCount);
      this.set({ state: 'idle' }, pool.idleCount);
      this.set({ state: 'most' }, pool.options.max);
      this.set({ state: 'waiting' }, pool.waitingCount);
    },
  });
  const statements = new Histogram({
    name: 'perennial_database_statement_seconds',
    help: 'Time from sending a statement to its answer',
    buckets: STATEMENT_SECONDS,
    registers: [registry],
  });
  db.onStatement = (milliseconds) => statements.observe(milliseconds / 1_000);
}

/** The kinds that are shown from the beginning, so that the first of a kind is seen as an increase. */
const FROM_THE_BEGINNING: { readonly [What in keyof Countable]: readonly Countable[What][] } = {
  invoices: (['caller', 'timer', 'bill_run', 'clock', 'provider'] as const).map((by) => ({ by })),
  payments: [],
  deliveries: (['delivered', 'failed', 'skipped'] as const).map((outcome) => ({ outcome })),
  emails: (['sent', 'failed', 'given_up'] as const).map((outcome) => ({ outcome })),
};

function addCounted(registry: Registry, db: Database): void {
  const counter = (name: string, help: string, labelNames: string[]) => new Counter({ name, help, labelNames, registers: [registry] });
  const counters: Record<keyof Countable, Counter> = {
    invoices: counter('perennial_invoices_issued_total', 'Invoices that became final, by what caused them', ['by']),
    payments: counter('perennial_payments_total', 'Outcomes of attempts to pay', ['provider', 'outcome']),
    deliveries: counter('perennial_webhook_deliveries_total', 'Tries to deliver an event, and skipped events', ['outcome']),
    emails: counter('perennial_emails_total', 'Tries to send an e-mail to a customer', ['outcome']),
  };
  for (const what of Object.keys(FROM_THE_BEGINNING) as (keyof Countable)[])
    for (const kind of FROM_THE_BEGINNING[what]) counters[what].inc({ ...kind }, 0);
  db.onCounted = (counted: readonly CountedWork[]) => {
    for (const { what, kind, number } of counted) counters[what].inc({ ...kind }, number);
  };
}
