import { createServer } from 'node:net';

/** Where the native part of Temporal's SDK serves its own metrics in Prometheus' text format, on this machine alone. */
export interface RuntimeMetrics {
  readonly bindAddress: string;
  text(): Promise<string>;
}

const LOOPBACK = '127.0.0.1';
const PATIENCE_MS = 3_000;

/** Finds a free port for them; `/metrics` of the process then passes them on, so that one address shows everything. */
export async function runtimeMetrics(): Promise<RuntimeMetrics> {
  const bindAddress = `${LOOPBACK}:${await freePort()}`;
  const read = async (): Promise<string> => {
    const answer = await fetch(`http://${bindAddress}/metrics`, { signal: AbortSignal.timeout(PATIENCE_MS) });
    return answer.ok ? answer.text() : '';
  };
  return { bindAddress, text: () => read().catch(() => '') };
}

function freePort(): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const probe = createServer();
  probe.on('error', reject);
  probe.listen(0, LOOPBACK, () => {
    const address = probe.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    probe.close(() => resolve(port));
  });
  return promise;
}
