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
