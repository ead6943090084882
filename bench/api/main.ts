import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { homeAt } from '../../local-stack/home.ts';
import { anyFreePort } from '../../local-stack/ports.ts';
import { startTestStack } from '../../test/support/start-stack.ts';
import { newVendor } from '../../test/support/vendor.ts';
import { cpuSeconds } from './cpu.ts';
import { type Measured, measure, type Request } from './load.ts';
import { type Seed, seed } from './seed.ts';
import { type Child, startServer } from './server.ts';

/**
 * Rates of the API beside those of an empty Koa handler, all in one run on servers of its own. Reads and estimates come
 * before the flood of usage.
 */
const [SECONDS, ROUNDS, CUSTOMERS] = [4, 2, 40];
const { values } = parseArgs({ options: { connections: { type: 'string', default: '64' }, cases: { type: 'string', default: '' } } });
const CONNECTIONS = Number(values.connections);
/** Parts of the names of cases, separated by commas: only those are measured, beside the empty handlers. */
const ONLY = ['empty', ...values.cases.split(',').filter((part) => part !== '')];

type RunFile = { children: Record<string, { pid: number }> };
type Door = { port: number; pid: number };
type Case = { name: string; port: number; pid: number; of: 'GET' | 'POST' | null; next: (n: number) => Request };
/** Microseconds of processor a request takes in the serving process, and in Postgres. */
type Cost = { serving: number | null; postgres: number | null };

const home = await mkdtemp(join(tmpdir(), 'perennial-bench-'));
const { servers, stop } = await startTestStack(home, (line) => process.stderr.write(`${line}\n`));
const children: Child[] = [];
try {
  const vendor = await newVendor('Bench', servers);
  const seeded = await seed(vendor.api, CUSTOMERS);
  const [emptyPort, plainPort] = [await anyFreePort(), await anyFreePort()];
  const empty = await startServer('empty.ts', [String(emptyPort)], emptyPort, {});
  children.push(empty);
  const plain = await startServer('one-by-one.ts', [servers.databaseUrl], plainPort, apiVariables(plainPort));
  children.push(plain);
  const { children: parts } = await homeAt(home).readJson<RunFile>('run.json', { children: {} });
  const [api, postgres] = [parts.api?.pid ?? 0, parts.postgres?.pid ?? 0];
  const doors = {
    api: { port: Number(new URL(servers.baseUrl).port), pid: api },
    empty: { port: emptyPort, pid: empty.pid },
    plain: { port: plainPort, pid: plain.pid },
  };
  const wanted = ({ name }: Case): boolean => ONLY.length === 1 || ONLY.some((part) => name.includes(part));
  await report(casesOf(seeded, vendor.apiKey, doors).filter(wanted), postgres);
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

function casesOf(
  { customers, contracts, bigger, limited, alerted, early, capped, spending, prepaid }: Seed,
  key: string,
  { api, empty, plain }: Record<'api' | 'empty' | 'plain', Door>,
): Case[] {
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
  const watched = [
    ['a limit', limited],
    ['an alert', alerted],
    ['a threshold', early],
    ['a limit of money', capped],
    ['an alert on spend', spending],
    ['credits that are watched', prepaid],
  ] as const;
  const change = { upgrade_configuration: { upgrade_strategy: 'new_plan', plan_id: bigger } };
  return [
    { name: 'empty Koa handler, GET', ...empty, of: null, next: get(() => '/') },
    { name: 'entitlement read', ...api, of: 'GET', next: get((n) => `/v1/c/entitlement/${one(customers, n)}/access`) },
    { name: 'contract read', ...api, of: 'GET', next: get((n) => `/v1/c/contract/${one(contracts, n)}`) },
    { name: 'empty Koa handler, POST', ...empty, of: null, next: post(() => '/', event) },
    {
      name: 'upgrade estimate',
      ...api,
      of: 'POST',
      next: post(
        (n) => `/v1/c/contract/${one(contracts, n)}/upgrade_estimate`,
        () => change,
      ),
    },
    { name: 'usage POST, grouped', ...api, of: 'POST', next: post(() => '/v1/c/usage', event) },
    ...watched.map(([name, of]) => ({
      ...{ name: `usage POST with ${name}`, ...api, of: 'POST' as const },
      next: post(
        () => '/v1/c/usage',
        (n) => ({ ...event(n), customer_id: one(of, n) }),
      ),
    })),
    {
      name: 'check that reserves',
      ...api,
      of: 'POST',
      next: post(
        (n) => `/v1/c/entitlement/${one(limited, n)}/check`,
        () => ({ feature_slug: 'calls', units: '1', reserve_seconds: 1 }),
      ),
    },
    { name: 'usage POST, one by one', ...plain, of: 'POST', next: post(() => '/v1/c/usage', event) },
    {
      name: 'usage bulk of 100',
      ...api,
      of: 'POST',
      next: post(
        () => '/v1/c/usage/bulk',
        (n) => Array.from({ length: 100 }, (_, i) => event(n * 100 + i)),
      ),
    },
  ];
}

async function report(cases: readonly Case[], postgres: number): Promise<void> {
  const best = new Map<string, Measured & Cost>();
  for (const found of cases) {
    await measure({ port: found.port, connections: CONNECTIONS, seconds: 1, next: found.next });
    for (let round = 0; round < ROUNDS; round += 1) {
      const measured = await withCost(found, postgres);
      const before = best.get(found.name);
      if (!before || measured.perSecond > before.perSecond) best.set(found.name, measured);
    }
  }
  const rate = (name: string): number => best.get(name)?.perSecond ?? Number.NaN;
  console.log(`\n${CONNECTIONS} connections, best of ${ROUNDS} rounds of ${SECONDS} s\n`);
  console.log('| case | per second | of the empty handler | p50 ms | p99 ms | processor µs, serving | processor µs, Postgres | refused |');
  console.log('|---|---:|---:|---:|---:|---:|---:|---:|');
  for (const { name, of } of cases) {
    const found = best.get(name);
    if (!found) continue;
    const share = of === null ? '' : `${Math.round((100 * found.perSecond) / rate(`empty Koa handler, ${of}`))} %`;
    const cost = [found.serving, of === null ? null : found.postgres].map((micros) => (micros === null ? '' : Math.round(micros)));
    console.log(
      `| ${[name, Math.round(found.perSecond), share, found.p50.toFixed(1), found.p99.toFixed(1), ...cost, found.failures].join(' | ')} |`,
    );
  }
  if (Number.isNaN(rate('usage bulk of 100')) || Number.isNaN(rate('usage POST, one by one'))) return;
  const worth = rate('usage POST, grouped') / rate('usage POST, one by one');
  console.log(`\nGroup commit is worth ${worth.toFixed(1)}×; bulk of 100 takes ${Math.round(100 * rate('usage bulk of 100'))} events/s.`);
}

async function withCost({ port, pid, next }: Case, postgres: number): Promise<Measured & Cost> {
  const used = async (): Promise<(number | null)[]> => [await cpuSeconds(pid), await cpuSeconds(postgres)];
  const before = await used();
  const measured = await measure({ port, connections: CONNECTIONS, seconds: SECONDS, next });
  const [serving = null, database = null] = (await used()).map((seconds, at) => {
    const earlier = before[at] ?? null;
    // connections that ended took their count with them
    return seconds === null || earlier === null || seconds < earlier ? null : ((seconds - earlier) * 1e6) / (measured.perSecond * SECONDS);
  });
  return { ...measured, serving, postgres: database };
}
