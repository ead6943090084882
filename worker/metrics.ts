import { createServer, type Server } from 'node:http';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { Database } from '../db/connect.ts';
import { parkedContracts, unsentMessages } from '../db/health/contracts.ts';
import { countOverdue } from '../db/sql/agenda/count-overdue.ts';

const OLD_MESSAGE = 10_000;

/** Serves `/metrics` of the worker: the process, and what would mean that contracts stop billing; and `/healthz`. */
export function serveWorkerMetrics(db: Database, port: number, host: string): Server {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  gauge(registry, 'perennial_agenda_overdue', 'Agenda rows overdue by a minute', () => countOverdue(db));
  gauge(registry, 'perennial_contracts_parked', 'Contracts that cannot go on', async () => (await parkedContracts(db)).length);
  gauge(registry, 'perennial_outbox_unsent', 'Messages to workflows that nobody has sent', async () => {
    return (await unsentMessages(db, OLD_MESSAGE)).length;
  });
  const server = createServer((request, response) => {
    // alive without Postgres too: a restart of the worker would not bring it back
    if (request.url === '/healthz') {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"status":"alive"}');
      return;
    }
    if (request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    registry.metrics().then(
      (text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text),
      () => response.writeHead(503).end(),
    );
  });
  return server.listen(port, host);
}

function gauge(registry: Registry, name: string, help: string, read: () => Promise<number>): void {
  registry.registerMetric(
    new Gauge({
      name,
      help,
      async collect() {
        this.set(await read());
      },
    }),
  );
}
