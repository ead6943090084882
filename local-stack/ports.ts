import { createServer, type Server } from 'node:net';
import type { Home } from './home.ts';

/** Whether a server could listen there now. */
export async function isFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  const server = createServer();
  const free = (await listen(server, port, host)) !== null;
  if (free) await new Promise((closed) => server.close(closed));
  return free;
}

/** Below the range of ports for outgoing connections, so that none of these takes it before its server listens. */
const LOWEST = 20_000;
const BLOCK = 20;
const BLOCKS = 500;

const held = new Set<number>();
/** Ports that this process has given, and to whom: parts of a home ask again when they start again. */
const givenTo = new Map<number, string>();
const OTHERS = '';
let block = 0;
let given = BLOCK;
let asked = 0;

/**
 * A port that is free now. Its server listens some seconds later, and leaves it for a moment when it starts again. So
 * each process gives ports of blocks that it holds alone while it lives, and gives no port twice.
 */
export async function anyFreePort(): Promise<number> {
  const port = await freePort(new Set());
  givenTo.set(port, OTHERS);
  return port;
}

async function freePort(taken: ReadonlySet<number>): Promise<number> {
  for (;;) {
    if (given === BLOCK) {
      block = await freeBlock();
      given = 1;
    }
    const port = block + given;
    given += 1;
    if (!taken.has(port) && !givenTo.has(port) && (await isFree(port))) return port;
  }
}

async function freeBlock(): Promise<number> {
  for (let attempt = 0; attempt < BLOCKS; attempt += 1) {
    const first = LOWEST + ((process.pid + asked) % BLOCKS) * BLOCK;
    asked += 1;
    if (!held.has(first) && (await hold(first))) return first;
  }
  throw new Error(`No TCP port between ${LOWEST} and ${LOWEST + BLOCKS * BLOCK - 1} is free on this machine.`);
}

/** Listens on the first port of the block: the system lets one process do that, and frees it when the process ends. */
async function hold(first: number): Promise<boolean> {
  const holder = createServer();
  const port = await listen(holder, first, '127.0.0.1');
  if (port === null) return false;
  holder.unref();
  held.add(first);
  return true;
}

/** The first port of a block is given to no server: the process that holds the block listens there. */
async function isMine(port: number): Promise<boolean> {
  if (port < LOWEST || port >= LOWEST + BLOCKS * BLOCK) return true;
  const first = port - (port % BLOCK);
  if (port === first) return false;
  return held.has(first) || (await hold(first));
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
  const part = `${home.path} ${name}`;
  if (last !== undefined && (givenTo.get(last) ?? part) === part && (await isFree(last)) && (await isMine(last))) {
    givenTo.set(last, part);
    return last;
  }
  const port = await freePort(new Set(Object.values(ports)));
  givenTo.set(port, part);
  await home.writeJson('ports.json', { ...ports, [name]: port });
  return port;
}

function listen(server: Server, port: number, host: string): Promise<number | null> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE' || error.code === 'EACCES') resolve(null);
      else reject(error);
    });
    server.listen({ port, host, exclusive: true }, () => resolve(port));
  });
}
