import { loadLaunchConfig } from '../config/launch.ts';
import { ConfigError } from '../config/parse.ts';
import { demoVendorKey } from './demo-vendor.ts';
import { type Home, takeHome } from './home.ts';
import type { Log } from './log.ts';
import { type Running, type Stack, startStack, stopParts } from './stack.ts';

/** `npm start`: everything on this machine, nothing prepared beforehand. */

const began = Date.now();
const log: Log = (line) => process.stdout.write(`${line}\n`);
const running: Running = {};
let home: Home | null = null;
let stopping = false;

async function main(): Promise<void> {
  const config = loadLaunchConfig();
  home = await takeHome(config.home, log);
  const stack = await startStack({ home, config, log, restarts: true }, running);
  const apiKey = await demoVendorKey(home, stack.databaseUrl);
  if (!stopping) await announce(home, stack, apiKey);
}

/** The file scripts read; the same facts in words for people. */
async function announce(at: Home, stack: Stack, apiKey: string): Promise<void> {
  const portalUrl = `${stack.baseUrl}/portal`;
  await at.writeJson('dev.json', {
    base_url: stack.baseUrl,
    api_key: apiKey,
    temporal_ui: stack.temporalUi,
    temporal_address: stack.temporalAddress,
    database_url: stack.databaseUrl,
    portal_url: portalUrl,
  });
  log(`
Perennial is running (${((Date.now() - began) / 1000).toFixed(1)} s)

  API            ${stack.baseUrl}
  API reference  ${stack.baseUrl}/docs
  API key        ${apiKey}
  Portal         ${portalUrl}
  Temporal UI    ${stack.temporalUi ?? '(of the server at TEMPORAL_ADDRESS)'}
  Temporal       ${stack.temporalAddress}
  Postgres       ${stack.databaseUrl}
  Metrics        http://127.0.0.1:${stack.apiMetricsPort}/metrics (API), http://127.0.0.1:${stack.workerMetricsPort}/metrics (worker)
  Logs           ${at.file('logs')}
  These lines    ${at.file('dev.json')}

Ctrl-C stops it; the data stay.`);
}

async function stop(why: string): Promise<void> {
  if (stopping) return;
  stopping = true;
  if (Object.keys(running).length > 0) log(why);
  await stopParts(running);
  await home?.release();
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
