import { Gauge, type Registry } from 'prom-client';
import type { Database } from '../db/connect.ts';
import { type OperatingFigures, operatingFigures } from '../db/health/figures.ts';

/** Milliseconds for which one answer of Postgres serves all scrapes. */
const FRESH_MS = 5_000;
/** A scrape takes 10 seconds at most by default, and has to show the rest also where Postgres doesn't answer. */
const PATIENCE_MS = 3_000;

const GAUGES: Readonly<Record<keyof OperatingFigures, readonly [name: string, help: string]>> = {
  agendaLag: ['perennial_agenda_lag_seconds', 'Time since the earliest row of the agenda that is not done became due'],
  agendaOverdue: ['perennial_agenda_overdue', 'Rows of the agenda that are a minute past, up to 10000'],
  outboxLag: ['perennial_outbox_lag_seconds', 'Time since the earliest unsent message to a workflow should have been tried'],
  outboxUnsent: ['perennial_outbox_unsent', 'Messages to workflows that are not sent, up to 10000'],
  outboxFailing: ['perennial_outbox_failing', 'Unsent messages that Temporal did not take at their last try, of 10000'],
  contractsParked: ['perennial_contracts_parked', 'Contracts that cannot go on and wait to be resumed, up to 10000'],
  endpointsActive: ['perennial_webhook_endpoints_active', 'Webhook endpoints that are delivered to'],
  endpointsPaused: ['perennial_webhook_endpoints_paused', 'Webhook endpoints that are paused'],
  endpointsLag: ['perennial_webhook_lag_seconds', 'Age of the earliest event that an active endpoint has not got'],
  emailsWaiting: ['perennial_emails_waiting', 'E-mails whose time to be sent has come, up to 10000'],
  emailsLag: ['perennial_emails_lag_seconds', 'Time since the earliest of them was due'],
};

type Read = { at: number; figures: OperatingFigures | null };

/**
 * Gauges of the whole installation, read from Postgres by a scrape, and whether that worked.
 *
 * @returns what asks whether it works
 */
export function addInstallation(registry: Registry, db: Database): () => Promise<boolean> {
  const read = atMostEvery(FRESH_MS, inTime(db));
  const isUp = async (): Promise<boolean> => (await read()) !== null;
  const registers = [registry];
  new Gauge({
    name: 'perennial_database_up',
    help: 'Whether Postgres has answered what a scrape asks it: 1 or 0',
    registers,
    async collect() {
      this.set((await isUp()) ? 1 : 0);
    },
  });
  for (const [figure, [name, help]] of Object.entries(GAUGES) as [keyof OperatingFigures, readonly [string, string]][]) {
    new Gauge({
      name,
      help,
      registers,
      async collect() {
        const figures = await read();
        // no value is better than an old one: alerts look at `perennial_database_up`
        if (figures === null) this.remove();
        else this.set(figures[figure]);
      },
    });
  }
  return isUp;
}

/** Scrapes that come during a read, or soon after it, share its result. */
function atMostEvery(freshMs: number, ask: () => Promise<OperatingFigures | null>): () => Promise<OperatingFigures | null> {
  let last: Read | null = null;
  let asking: Promise<OperatingFigures | null> | null = null;
  const askNow = async (): Promise<OperatingFigures | null> => {
    const figures = await ask();
    last = { at: performance.now(), figures };
    asking = null;
    return figures;
  };
  return async () => {
    if (last !== null && performance.now() - last.at < freshMs) return last.figures;
    asking ??= askNow();
    return asking;
  };
}

/**
 * null: Postgres doesn't answer in time, or refuses. While it owes an answer it isn't asked again, or the looks of some
 * minutes would take all connections of the process.
 */
function inTime(db: Database): () => Promise<OperatingFigures | null> {
  let owed: Promise<OperatingFigures | null> | null = null;
  return async () => {
    const late = Promise.withResolvers<null>();
    const timer = setTimeout(() => late.resolve(null), PATIENCE_MS);
    owed ??= operatingFigures(db)
      .catch(() => null)
      .finally(() => {
        owed = null;
      });
    try {
      return await Promise.race([owed, late.promise]);
    } finally {
      clearTimeout(timer);
    }
  };
}
