import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { homeAt } from '../../local-stack/home.ts';
import { anyFreePort } from '../../local-stack/ports.ts';
import { startTestStack } from '../../test/support/start-stack.ts';
import { newVendor } from '../../test/support/vendor.ts';
import { median } from '../compare/report.ts';
import { cpuSecondsOf } from './cpu.ts';
import { measure, type Request } from './load.ts';
import { seed } from './seed.ts';
import { type Child, startServer } from './server.ts';

// `node bench/api/processes.ts --pairs 5`: one API process against two with half of the connections each, in turns, on
// one database: requests a second, and processor time of the APIs and Postgres for each request
const { values } = parseArgs({ options: { pairs: { type: 'string', default: '5' }, connections: { type: 'string', default: '64' } } });
const [pairs, connections] = [Number(values.pairs), Number(values.connections)];
const SECONDS = 3;

interface Round {
  perSecond: number;
  p99: number;
  /** microseconds of a processor a request */
  api: number;
  postgres: number;
}

const home = await mkdtemp(join(tmpdir(), 'perennial-processes-'));
const { servers, stop } = await startTestStack(home, (line) => process.stderr.write(`${line}\n`));
let second: Child | null = null;
try {
  const vendor = await newVendor('Bench', servers);
  const { customers, contracts } = await seed(vendor.api, 40);
  const port = await anyFreePort();
  second = await startServer('../../api/main.ts', [], port, {
    PERENNIAL_MODE: 'embedded',
    PERENNIAL_SECRET: 'of-the-bench-alone-and-never-elsewhere',
    ...{ DATABASE_URL: servers.databaseUrl, TEMPORAL_ADDRESS: servers.temporalAddress, HOST: '127.0.0.1', PORT: String(port) },
  });
  const { children } = await homeAt(home).readJson<{ children: Record<string, { pid: number }> }>('run.json', { children: {} });
  const pids = [children.api?.pid ?? 0, second.pid, children.postgres?.pid ?? 0];
  const ports = [Number(new URL(servers.baseUrl).port), port];
  const headers = { 'wb-key': vendor.apiKey };
  const one = (from: readonly string[], n: number): string => from[n % from.length] ?? '';
  const cases: Record<string, (n: number) => Request> = {
    entitlement: (n) => ({ method: 'GET', path: `/v1/c/entitlement/${one(customers, n)}/access`, headers }),
    'contract read': (n) => ({ method: 'GET', path: `/v1/c/contract/${one(contracts, n)}`, headers }),
    'usage, one event': (n) => ({
      ...{ method: 'POST', path: '/v1/c/usage', headers },
      body: JSON.stringify({ customer_id: one(customers, n), feature_slug: 'calls', units: '1' }),
    }),
  };
  console.log('| case | APIs | per second | p99 ms | processor µs, APIs | Postgres |\n| --- | --- | --- | --- | --- | --- |');
  for (const [name, next] of Object.entries(cases)) {
    const rounds: Round[][] = [[], []];
    for (let pair = 0; pair <= pairs; pair += 1) {
      for (const count of pair % 2 === 0 ? [1, 2] : [2, 1]) {
        const round = await play(ports.slice(0, count), pids, next);
        if (pair > 0) rounds[count - 1]?.push(round);
      }
    }
    for (const [at, some] of rounds.entries()) console.log(`| ${[name, at + 1, ...middles(some)].join(' | ')} |`);
  }
  const sizes = await Promise.all(pids.slice(0, 2).map(residentMegabytes));
  console.log(
    `\nresident MB: ${sizes.join(', ')}; load ${loadavg().map((load) => load.toFixed(1))}, medians of ${pairs} pairs of ${SECONDS} s`,
  );
} finally {
  await second?.stop();
  await stop();
  await rm(home, { recursive: true, force: true });
}

async function play(ports: readonly number[], pids: readonly number[], next: (n: number) => Request): Promise<Round> {
  const before = await cpuSecondsOf(pids);
  const each = ports.map((port) => measure({ port, connections: connections / ports.length, seconds: SECONDS, next }));
  const measured = await Promise.all(each);
  const perSecond = measured.reduce((sum, one) => sum + one.perSecond, 0);
  const after = await cpuSecondsOf(pids);
  const [first = 0, other = 0, postgres = 0] = after.map(
    (seconds, at) => (((seconds ?? 0) - (before[at] ?? 0)) * 1e6) / (perSecond * SECONDS),
  );
  return { perSecond, p99: Math.max(...measured.map(({ p99 }) => p99)), api: first + other, postgres };
}

function middles(rounds: readonly Round[]): string[] {
  return (['perSecond', 'p99', 'api', 'postgres'] as const).map((figure) => median(rounds.map((round) => round[figure])).toFixed(0));
}

async function residentMegabytes(pid: number): Promise<number> {
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024);
}
