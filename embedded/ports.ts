import { createServer } from 'node:net';
import type { Home } from './home.ts';

/** Whether a server could listen there now. */
export async function isFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  return (await listen(port, host)) !== null;
}

export async function anyFreePort(): Promise<number> {
  const port = await listen(0, '127.0.0.1');
  if (port === null) throw new Error('No free TCP port is left on this machine.');
  return port;
}

/**
 * The port a part of this home used last time, when it is still free, else a new one. Addresses in open browser tabs and
 * database clients so survive a restart, and several homes never get into each other's way.
 */
export async function rememberedPort(home: Home, name: string): Promise<number> {
  const ports = await home.readJson<Record<string, number>>('ports.json', {});
  const last = ports[name];
  if (last !== undefined && (await isFree(last))) return last;
  const taken = new Set(Object.values(ports));
  let port = await anyFreePort();
  while (taken.has(port)) port = await anyFreePort();
  await home.writeJson('ports.json', { ...(await home.readJson<Record<string, number>>('ports.json', {})), [name]: port });
  return port;
}

function listen(port: number, host: string): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE' || error.code === 'EACCES') resolve(null);
      else reject(error);
    });
    server.listen({ port, host, exclusive: true }, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : port));
    });
  });
}
