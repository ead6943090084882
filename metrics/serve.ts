import { createServer, type Server } from 'node:http';
import type { Metrics } from './process.ts';

/** What else a process shows, as text of the same format. */
export type FurtherText = () => Promise<string>;

interface Page {
  status: number;
  type: string;
  body: string;
}

/**
 * `/metrics` on a port of its own, so that it is never reachable where customers are. There `/healthz` says that the
 * process is alive, without Postgres too, since a restart would not bring it back; `/readyz` says whether Postgres
 * answers.
 */
export function serveMetrics(metrics: Metrics, port: number, host: string, further: FurtherText = async () => ''): Server {
  const { registry } = metrics;
  const json = (status: number, body: object): Page => ({ status, type: 'application/json', body: JSON.stringify(body) });
  const pages: Record<string, () => Promise<Page>> = {
    '/healthz': async () => json(200, { status: 'alive' }),
    '/readyz': async () => ((await metrics.isDatabaseUp()) ? json(200, { status: 'ready' }) : json(503, { status: 'not_ready' })),
    '/metrics': async () => {
      const [own, more] = await Promise.all([registry.metrics(), further()]);
      return { status: 200, type: registry.contentType, body: `${own}${more}` };
    },
  };
  const server = createServer((request, response) => {
    const page = pages[request.url ?? ''];
    if (page === undefined) {
      response.writeHead(404).end();
      return;
    }
    page().then(
      ({ status, type, body }) => response.writeHead(status, { 'content-type': type }).end(body),
      () => response.writeHead(500).end(),
    );
  });
  return server.listen(port, host);
}
