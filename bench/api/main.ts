import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { anyFreePort } from '../../embedded/ports.ts';
import { startTestStack } from '../../test/support/servers.ts';
import { newVendor } from '../../test/support/vendor.ts';
import { type Measured, measure, type Request } from './load.ts';
import { type Seed, seed } from './seed.ts';
import { type Child, startServer } from './server.ts';

/** Rates of the API beside those of an empty Koa handler, all in one run on servers of its own. */
const [CONNECTIONS, SECONDS, ROUNDS, CUSTOMERS] = [64, 4, 2, 40];

type Case = { name: string; port: number; of: 'GET' | 'POST' | null; next: (n: number) => Request };

const home = await mkdtemp(join(tmpdir(), 'perennial-bench-'));
const { servers, stop } = await startTestStack(home, (line) => process.stderr.write(`${line}\n`));
const children: Child[] = [];
try {
  const vendor = await newVendor('Bench', servers);
  const seeded = await seed(vendor.api, CUSTOMERS);
  const [emptyPort, plainPort] = [await anyFreePort(), await anyFreePort()];
  children.push(await startServer('empty.ts', [String(emptyPort)], emptyPort, {}));
  children.push(await startServer('one-by-one.ts', [servers.databaseUrl], plainPort, apiVariables(plainPort)));
  await report(casesOf(seeded, vendor.apiKey, Number(new URL(servers.baseUrl).port), emptyPort, plainPort));
} finally {
  for (const child of children) await child.stop();
  await stop();
  await rm(home, { recursive: true, force: true });
}

function apiVariables(port: number): Record<string, string> {
  return {
    PERENNIAL_MODE: 'embedded',
    PERENNIAL_SECRET: 'of-the-bench-alone-and-never-elsewhere',
    DATABASE_URL: servers.databaseUrl,
    TEMPORAL_ADDRESS: servers.temporalAddress,
    HOST: '127.0.0.1',
    PORT: String(port),
  };
}

function casesOf({ customers, contracts, bigger }: Seed, key: string, api: number, empty: number, plain: number): Case[] {
  const headers = { 'wb-key': key };
  const one = (from: readonly string[], n: number): string => from[n % from.length] ?? '';
  const event = (n: number) => ({ customer_id: one(customers, n), feature_slug: 'calls', units: '1' });
  const get =
    (path: (n: number) => string) =>
    (n: number): Request => ({ method: 'GET', path: path(n), headers });
  const post =
    (path: (n: number) => string, body: (n: number) => unknown) =>
    (n: number): Request => ({
      method: 'POST',
      path: path(n),
      headers,
      body: JSON.stringify(body(n)),
    });
  const change = { upgrade_configuration: { upgrade_strategy: 'new_plan', plan_id: bigger } };
  return [
    { name: 'empty Koa handler, GET', port: empty, of: null, next: get(() => '/') },
    { name: 'entitlement read', port: api, of: 'GET', next: get((n) => `/v1/c/entitlement/${one(customers, n)}/access`) },
    { name: 'contract read', port: api, of: 'GET', next: get((n) => `/v1/c/contract/${one(contracts, n)}`) },
    { name: 'empty Koa handler, POST', port: empty, of: null, next: post(() => '/', event) },
    { name: 'usage POST, grouped', port: api, of: 'POST', next: post(() => '/v1/c/usage', event) },
    { name: 'usage POST, one by one', port: plain, of: 'POST', next: post(() => '/v1/c/usage', event) },
    {
      name: 'usage bulk of 100',
      port: api,
      of: 'POST',
      next: post(
        () => '/v1/c/usage/bulk',
        (n) => Array.from({ length: 100 }, (_, i) => event(n * 100 + i)),
      ),
    },
    {
      name: 'upgrade estimate',
      port: api,
      of: 'POST',
      next: post(
        (n) => `/v1/c/contract/${one(contracts, n)}/upgrade_estimate`,
        () => change,
      ),
    },
  ];
}

async function report(cases: readonly Case[]): Promise<void> {
  const best = new Map<string, Measured>();
  for (const { port, next } of cases) await measure({ port, connections: CONNECTIONS, seconds: 1, next });
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const { name, port, next } of cases) {
      const measured = await measure({ port, connections: CONNECTIONS, seconds: SECONDS, next });
      const before = best.get(name);
      if (!before || measured.perSecond > before.perSecond) best.set(name, measured);
    }
  }
  const rate = (name: string): number => best.get(name)?.perSecond ?? Number.NaN;
  console.log(`\n${CONNECTIONS} connections, best of ${ROUNDS} rounds of ${SECONDS} s\n`);
  console.log('| case | per second | of the empty handler | p50 ms | p99 ms | refused |');
  console.log('|---|---:|---:|---:|---:|---:|');
  for (const { name, of } of cases) {
    const found = best.get(name);
    if (!found) continue;
    const share = of === null ? '' : `${Math.round((100 * found.perSecond) / rate(`empty Koa handler, ${of}`))} %`;
    console.log(
      `| ${name} | ${Math.round(found.perSecond)} | ${share} | ${found.p50.toFixed(1)} | ${found.p99.toFixed(1)} | ${found.failures} |`,
    );
  }
  const worth = rate('usage POST, grouped') / rate('usage POST, one by one');
  console.log(`\nGroup commit is worth ${worth.toFixed(1)}×; bulk of 100 takes ${Math.round(100 * rate('usage bulk of 100'))} events/s.`);
}
