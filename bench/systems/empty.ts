import { anyFreePort } from '../../local-stack/ports.ts';
import { cpuSeconds } from '../api/cpu.ts';
import { sendEach } from '../api/load.ts';
import { startServer } from '../api/server.ts';

const REQUESTS = 8_000;

/** Processor milliseconds that a request takes of a Koa handler that does nothing. */
export interface Empty {
  GET: number;
  POST: number;
}

export async function emptyHandler(callers: number): Promise<Empty> {
  const port = await anyFreePort();
  const child = await startServer('empty.ts', [String(port)], port, {});
  const costOf = async (method: 'GET' | 'POST'): Promise<number> => {
    const requests = Array.from({ length: REQUESTS }, () => ({
      method,
      path: '/',
      ...(method === 'POST' ? { body: '{"units":"1"}' } : {}),
    }));
    await sendEach(port, callers, requests);
    const before = (await cpuSeconds(child.pid)) ?? Number.NaN;
    await sendEach(port, callers, requests);
    return ((((await cpuSeconds(child.pid)) ?? Number.NaN) - before) * 1000) / REQUESTS;
  };
  try {
    return { GET: await costOf('GET'), POST: await costOf('POST') };
  } finally {
    await child.stop();
  }
}
