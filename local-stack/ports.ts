import { createServer } from 'node:net';
import type { Home } from './home.ts';

/** Whether a server could listen there now. */
export async function isFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  return (await listen(port, host)) !== null;
}

/** Below the range of ports for outgoing connections, so that none of these takes it before its server listens. */
const LOWEST = 20_000;
const HIGHEST = 29_999;
const COUNT = HIGHEST - LOWEST + 1;
const TRIES = 200;
/** Of 60 process ids in a row, no two begin nearer than 163 ports to each other. */
const APART = 6_721;

let asked = 0;

/**
 * A port that is free now. Its server listens some seconds later, so what picks by chance meets the pick of another
 * process again and again. Each process goes through the range from a place of its own, and gives no port twice.
 */
export async function anyFreePort(): Promise<number> {
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const port = LOWEST + ((process.pid * APART + asked) % COUNT);
    asked += 1;
    if (await isFree(port)) return port;
  }
  throw new Error(`No TCP port between ${LOWEST} and ${HIGHEST} is free on this machine.`);
}

/**
 * The port a part of this home used last time when it is still free, else a new one. So addresses in open browser tabs
 * and database clients survive a restart, and several homes never use the same port.
 */
export function rememberedPort(home: Home, name: string): Promise<number> {
  const chosen = choosing.then(() => choosePort(home, name));
  // A choice that fails rejects for its own caller alone; the next one goes ahead.
  choosing = chosen.then(
    () => undefined,
    () => undefined,
  );
  return chosen;
}

/** Parts start side by side; their choices follow one another, so that two never get the same port. */
let choosing: Promise<void> = Promise.resolve();

async function choosePort(home: Home, name: string): Promise<number> {
  const ports = await home.readJson<Record<string, number>>('ports.json', {});
  const last = ports[name];
  if (last !== undefined && (await isFree(last))) return last;
  const taken = new Set(Object.values(ports));
  let port = await anyFreePort();
  while (taken.has(port)) port = await anyFreePort();
  await home.writeJson('ports.json', { ...ports, [name]: port });
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
