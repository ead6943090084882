import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { homeAt } from '../../local-stack/home.ts';
import { withTestDatabase } from '../../test/support/database.ts';
import { startTestStack } from '../../test/support/start-stack.ts';
import { newVendor } from '../../test/support/vendor.ts';
import { cpuSecondsOf } from '../api/cpu.ts';
import { planOf } from '../api/seed.ts';
import { fillPeriod } from './fill.ts';

/**
 * Whether what a contract costs depends on how many usage events its open period has. Contracts of one, in turns, one
 * request after another; closing is measured once for each, last.
 */
const { values } = parseArgs({ options: { events: { type: 'string', default: '100,100000,1000000' } } });
const SIZES = values.events.split(',').map(Number);
/** In a row, because looking at the processes' times costs more than a request. */
const [WARM_UP, ROUNDS, IN_A_ROW] = [5, 6, 10];
const DAYS_BACK = 20 * 86_400_000;
const MS = 1000;

interface RunFile {
  children: Record<string, { pid: number }>;
}

interface Asked {
  customer: string;
  contract: string;
}

const home = await mkdtemp(join(tmpdir(), 'perennial-bench-'));
const { servers, stop } = await startTestStack(home, (line) => process.stderr.write(`${line}\n`));
try {
  const vendors = await Promise.all(SIZES.map(() => newVendor('Bench', servers)));
  const asked: (Asked & { key: string; bigger: string })[] = [];
  for (const [n, { api, apiKey }] of vendors.entries()) {
    const [plan, bigger] = [await api.made('/v1/c/plan', planOf('pro', 1)), await api.made('/v1/c/plan', planOf('max', 3))];
    const customer = await api.made('/v1/c/customer', { name: 'Bench' });
    const activation = new Date(Date.now() - DAYS_BACK).toISOString();
    const contract = await api.made('/v1/c/contract', { customer, plan, currency: 'usd', cycle: 'month', activation });
    await withTestDatabase((db) => fillPeriod(db, contract, 'calls', SIZES[n] ?? 0), servers);
    asked.push({ customer, contract, key: apiKey, bigger });
  }
  await withTestDatabase((db) => db.query('analyze'), servers);
  const { children } = await homeAt(home).readJson<RunFile>('run.json', { children: {} });
  const pids = [children.api?.pid ?? 0, children.postgres?.pid ?? 0];
  const cases: Record<string, (one: (typeof asked)[number]) => [string, unknown?]> = {
    estimate: ({ contract, bigger }) => [
      `/v1/c/contract/${contract}/upgrade_estimate`,
      { upgrade_configuration: { upgrade_strategy: 'new_plan', plan_id: bigger } },
    ],
    'upcoming invoice': ({ contract }) => [`/v1/c/contract/${contract}/upcoming_invoice`],
    'contract read': ({ contract }) => [`/v1/c/contract/${contract}`],
    'usage list, first page': ({ contract }) => [`/v1/c/usage?contract=${contract}`],
    'usage list of the vendor': () => ['/v1/c/usage?limit=20'],
    'usage, one event': ({ customer }) => ['/v1/c/usage', { customer_id: customer, feature_slug: 'calls', units: '1' }],
  };
  console.log(
    `| case | ${SIZES.map((size) => `${size.toLocaleString('en')} events`).join(' | ')} |\n|---|${SIZES.map(() => '--:|').join('')}`,
  );
  for (const [name, of] of Object.entries(cases)) {
    const cells = await inTurns(
      asked.map((one) => () => send(one.key, ...of(one))),
      pids,
    );
    console.log(`| ${name} | ${cells.join(' | ')} |`);
  }
  const closing: string[] = [];
  for (const { key, contract } of asked)
    closing.push(`${(await timed(() => send(key, `/v1/c/contract/${contract}/usage_period/1/close`, {}))).toFixed(1)} ms`);
  console.log(`| closing, once | ${closing.join(' | ')} |`);
} finally {
  await stop();
  await rm(home, { recursive: true, force: true });
}

async function send(key: string, path: string, body?: unknown): Promise<void> {
  const headers = { 'wb-key': key, 'content-type': 'application/json' };
  const response = await fetch(
    `${servers.baseUrl}${path}`,
    body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) },
  );
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  await response.arrayBuffer();
}

async function timed(work: () => Promise<void>): Promise<number> {
  const begin = performance.now();
  await work();
  return performance.now() - begin;
}

/** Median time and processor time (API + Postgres) of each, asked in turns, so that all meet the same machine. */
async function inTurns(works: readonly (() => Promise<void>)[], pids: readonly number[]): Promise<string[]> {
  for (let n = 0; n < WARM_UP; n += 1) for (const work of works) await work();
  const times: number[][] = works.map(() => []);
  const cpu = works.map(() => 0);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [at, work] of works.entries()) {
      const before = await cpuOf(pids);
      for (let n = 0; n < IN_A_ROW; n += 1) times[at]?.push(await timed(work));
      cpu[at] = (cpu[at] ?? 0) + (await cpuOf(pids)) - before;
    }
  }
  return times.map((some, at) => {
    const median = some.toSorted((a, b) => a - b)[Math.floor(some.length / 2)] ?? 0;
    return `${median.toFixed(1)} ms, ${(((cpu[at] ?? 0) * MS) / (ROUNDS * IN_A_ROW)).toFixed(1)} ms of processor`;
  });
}

async function cpuOf(pids: readonly number[]): Promise<number> {
  return (await cpuSecondsOf(pids)).reduce<number>((sum, seconds) => sum + (seconds ?? 0), 0);
}
