import { createServer, type Server } from 'node:http';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Database } from '../../db/connect.ts';

export interface Metrics {
  readonly registry: Registry;
  observe(operation: string, status: number, milliseconds: number): void;
}

export function createMetrics(db: Database): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const duration = new Histogram({
    name: 'perennial_http_request_seconds',
    help: 'Time from request to response',
    labelNames: ['operation', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  });
  const errors = new Counter({
    name: 'perennial_http_errors_total',
    help: 'Responses with a 5xx status',
    labelNames: ['operation'],
    registers: [registry],
  });
  new Gauge({
    name: 'perennial_database_connections',
    help: 'Connections of this process by state',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      this.set({ state: 'open' }, db.pool.totalCount);
      this.set({ state: 'idle' }, db.pool.idleCount);
      this.set({ state: 'waiting' }, db.pool.waitingCount);
    },
  });
  return {
    registry,
    observe(operation, status, milliseconds) {
      duration.observe({ operation, status: String(status) }, milliseconds / 1000);
      if (status >= 500) errors.inc({ operation });
    },
  };
}

/** `/metrics` on a port of its own, so that it is never reachable where customers are. */
export function serveMetrics(metrics: Metrics, port: number, host: string): Server {
  const server = createServer((request, response) => {
    if (request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    metrics.registry.metrics().then(
      (text) => response.writeHead(200, { 'content-type': metrics.registry.contentType }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  return server.listen(port, host);
}
