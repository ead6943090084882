import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * `npm start` in an empty home, one real invoice over HTTP, SIGTERM, nothing left running; then once more on the same
 * data.
 */

const home = process.argv[2];
if (!home) throw new Error('usage: smoke.ts HOME');
const devFile = join(home, 'dev.json');
const port = await freePort();

type Dev = { base_url: string; api_key: string };

await round('first start', async (dev) => {
  const seconds = await firstInvoice(dev);
  process.stdout.write(`plan to invoice: ${seconds.toFixed(1)} s\n`);
});
await round('second start on the same data', async (dev) => {
  const { total } = await call<{ total: number }>(dev, 'GET', '/v1/c/invoice?limit=1');
  if (total !== undefined && total < 1) throw new Error('the invoice of the first start is gone');
});

async function round(name: string, story: (dev: Dev) => Promise<void>): Promise<void> {
  const began = Date.now();
  const running = spawn('npm', ['start'], {
    env: { ...process.env, PERENNIAL_HOME: home, PORT: String(port) },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  try {
    const dev = await whenReady(running);
    process.stdout.write(`${name}: ready after ${((Date.now() - began) / 1000).toFixed(1)} s\n`);
    await story(dev);
  } finally {
    await stop(running);
  }
  if (await answers(`http://127.0.0.1:${port}/healthz`)) throw new Error('the API still answers after SIGTERM');
}

async function whenReady(running: ChildProcess): Promise<Dev> {
  for (const deadline = Date.now() + 8 * 60_000; Date.now() < deadline; await pause(100)) {
    if (running.exitCode !== null) throw new Error(`npm start ended with exit code ${running.exitCode}`);
    if (!(await isReady(`http://127.0.0.1:${port}/readyz`))) continue;
    if (!existsSync(devFile)) throw new Error('the API is ready before dev.json is written');
    return JSON.parse(readFileSync(devFile, 'utf8')) as Dev;
  }
  throw new Error('npm start was not ready in time');
}

async function firstInvoice(dev: Dev): Promise<number> {
  const began = Date.now();
  const flat = { amount: '29.00', strategy_details: { pricing_strategy: 'flat' } };
  const plan = await call<string>(dev, 'POST', '/v1/c/plan', {
    slug: 'smoke',
    internal_name: 'Smoke',
    strategy: 'plan',
    features: [],
    pricings: [{ currency: 'usd', cycle: 'month', price: flat, features: {}, groups: {} }],
  });
  const customer = await call<string>(dev, 'POST', '/v1/c/customer', { name: 'Ada', emails: { main: 'ada@example.com' } });
  const contract = await call<string>(dev, 'POST', '/v1/c/contract', { customer, plan, currency: 'usd', cycle: 'month' });
  for (const deadline = Date.now() + 30_000; Date.now() < deadline; await pause(50)) {
    const { hits } = await call<{ hits: { invoice: { total: string } }[] }>(dev, 'GET', `/v1/c/invoice?contract=${contract}`);
    const total = hits[0]?.invoice.total;
    if (total === undefined) continue;
    if (hits.length !== 1 || total !== '29.00') throw new Error(`expected one invoice of 29.00, got ${JSON.stringify(hits)}`);
    return (Date.now() - began) / 1000;
  }
  throw new Error('no invoice within 30 s');
}

async function call<T>({ base_url, api_key }: Dev, method: string, path: string, body?: unknown): Promise<T> {
  const response = await fetch(base_url + path, {
    method,
    headers: { 'wb-key': api_key, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
  return JSON.parse(text) as T;
}

async function stop(running: ChildProcess): Promise<void> {
  if (running.exitCode !== null) return;
  const gone = new Promise((resolve) => running.once('exit', resolve));
  running.kill('SIGTERM');
  await gone;
}

/** Temporal and the worker too: without them it would say `degraded`. */
async function isReady(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(2_000) });
    return response.ok && ((await response.json()) as { status: string }).status === 'ready';
  } catch {
    return false;
  }
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(2_000) })).ok;
  } catch {
    return false;
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
