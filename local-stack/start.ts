import { loadLaunchConfig } from '../config/launch.ts';
import { ConfigError } from '../config/parse.ts';
import { demoVendorKey } from './demo-vendor.ts';
import { type Home, takeHome } from './home.ts';
import { logTo } from './log.ts';
import { type Introduction, type Running, type Stack, startStack, stopParts } from './stack.ts';

/** `npm start`: everything on this machine, nothing prepared beforehand. */

const began = Date.now();
const log = logTo(process.stdout);
const running: Running = {};
let home: Home | null = null;
let stopping = false;

async function main(): Promise<void> {
  const config = loadLaunchConfig();
  const at = await takeHome(config.home, log);
  home = at;
  let dev: Dev | null = null;
  const introduce = async (to: Introduction): Promise<void> => {
    dev = await writeDev(at, to);
  };
  const stack = await startStack({ home: at, config, log, restarts: true, introduce }, running);
  if (!stopping && dev) announce(at, stack, dev);
}

type Dev = Awaited<ReturnType<typeof writeDev>>;

/** The file scripts read. */
async function writeDev(at: Home, to: Introduction) {
  const dev = {
    base_url: to.baseUrl,
    api_key: await demoVendorKey(at, to.databaseUrl),
    temporal_ui: to.temporalUi,
    temporal_address: to.temporalAddress,
    database_url: to.databaseUrl,
    portal_url: `${to.baseUrl}/portal`,
  };
  await at.writeJson('dev.json', dev);
  return dev;
}

/** The same facts for people. */
function announce(at: Home, stack: Stack, dev: Dev): void {
  log(`
Perennial is running (${((Date.now() - began) / 1000).toFixed(1)} s)

  API            ${dev.base_url}
  API reference  ${dev.base_url}/docs
  API key        ${dev.api_key}
  Portal         ${dev.portal_url}
  Console        ${dev.base_url}/console
  Temporal UI    ${dev.temporal_ui ?? '(of the server at TEMPORAL_ADDRESS)'}
  Temporal       ${dev.temporal_address}
  Postgres       ${withoutPassword(dev.database_url)}
  Metrics        http://127.0.0.1:${stack.apiMetricsPort}/metrics (API), http://127.0.0.1:${stack.workerMetricsPort}/metrics (worker)
  Logs           ${at.file('logs')}
  These lines    ${at.file('dev.json')}

Ctrl-C stops it; the data stay.`);
}

/** All secrets but the key are in `dev.json` alone, which only its owner can read. */
function withoutPassword(address: string): string {
  const url = new URL(address);
  url.password = '';
  return url.href;
}

async function stop(why: string): Promise<void> {
  if (stopping) return;
  stopping = true;
  if (Object.keys(running).length > 0) log(why);
  await stopParts(running);
  await home?.release();
}

// The reader of these lines may leave early (a pipe into `head`): billing goes on without one.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

// Under npm a Ctrl-C arrives twice, from the terminal and from npm: the second one changes nothing.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    stop('Stopping: API, worker, Temporal, Postgres').then(
      () => process.exit(0),
      (error: unknown) => fail(error),
    );
  });
}

function fail(error: unknown): never {
  const expected = error instanceof ConfigError || error instanceof Error;
  process.stderr.write(`\nPerennial did not start.\n${expected ? error.message : String(error)}\n`);
  process.exit(1);
}

try {
  await main();
} catch (error) {
  if (!stopping) {
    await stop('Stopping what had been started');
    fail(error);
  }
}
