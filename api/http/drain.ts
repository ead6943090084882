import type { Server } from 'node:http';
import type { Logger } from 'pino';

/**
 * On SIGTERM or SIGINT: takes no new connections, finishes running requests, then closes everything. A second signal
 * changes nothing.
 */
export function drain(close: () => Promise<void>, log: Logger): void {
  let draining = false;
  const stop = (signal: NodeJS.Signals) => {
    if (draining) return;
    draining = true;
    log.info({ signal }, 'draining');
    close().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, 'could not close in order');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

/** Milliseconds between two looks for connections whose request was answered. */
const LOOKS_EVERY = 100;

/**
 * Answers the requests that are running and closes each connection after its last answer. Without this a caller that
 * asks again and again on a connection it keeps would hold the process up for as long as it asks.
 */
export function closeInOrder(server: Server): Promise<void> {
  server.prependListener('request', (_request, response) => response.setHeader('connection', 'close'));
  const look = setInterval(() => server.closeIdleConnections(), LOOKS_EVERY);
  return new Promise((done) => {
    server.close(() => {
      clearInterval(look);
      done();
    });
    server.closeIdleConnections();
  });
}
