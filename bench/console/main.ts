import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { connect, MIGRATION_LIMITS } from '../../db/connect.ts';
import { homeAt } from '../../local-stack/home.ts';
import { VendorInConsole } from '../../test/support/console-visitor.ts';
import { startTestStack } from '../../test/support/start-stack.ts';
import { cpuSecondsOf } from '../api/cpu.ts';
import { contractsOf, customersOf, grow, plant } from '../growth/vendor.ts';

// `npm run bench:console`: how long the pages of the console take for a vendor with 100,000 customers (`--customers`),
// each with a contract and two invoices: from the request to the last byte, and in processor time of the API and of
// Postgres. One request after another, so nothing waits for another one
const { values } = parseArgs({
  options: { customers: { type: 'string', default: '100000' }, requests: { type: 'string', default: '30' } },
});
const [CUSTOMERS, REQUESTS, WARM_UP] = [Number(values.customers), Number(values.requests), 3];
const MS = 1000;
/** A session may open so many pages a minute, and one more request is a 429. */
const TOO_MANY = 429;

type RunFile = { children: Record<string, { pid: number }> };

const home = await mkdtemp(join(tmpdir(), 'perennial-bench-'));
const log = (line: string): void => console.error(line);
const { servers, stop } = await startTestStack(home, log);
// statements over whole tables take minutes
const db = await connect({ databaseUrl: servers.databaseUrl, databasePool: 4, limits: MIGRATION_LIMITS });
try {
  const vendor = await plant(db, servers.baseUrl, { contracts: CUSTOMERS, months: 1, events: 0, spread: 0 });
  const began = performance.now();
  await grow(db, vendor);
  // as autovacuum does in a database that has grown over months
  await db.query('vacuum analyze');
  log(`${CUSTOMERS} customers made in ${((performance.now() - began) / MS).toFixed(0)} s`);
  const [customer, contract] = [customersOf(vendor, 1)[0] ?? '', contractsOf(vendor, 1)[0] ?? ''];
  const [{ invoice }] = (await vendor.api.read(`/v1/c/invoice?contract=${contract}`)).hits;
  const visitor = await VendorInConsole.signIn(vendor.apiKey, servers.baseUrl);
  const { children } = await homeAt(home).readJson<RunFile>('run.json', { children: {} });
  const pids = [children.api?.pid ?? 0, children.postgres?.pid ?? 0];
  const pages = [
    '',
    '/search?q=reference-0000000077',
    '/search?q=tomer+00000000',
    '/customers',
    `/customer/${customer}`,
    '/contracts',
    `/contract/${contract}`,
    `/contract/${contract}/cancel`,
    '/invoices',
    `/invoice/${invoice.id}`,
    `/invoice/${invoice.id}/refund`,
    '/plans',
    `/plan/${vendor.plan}`,
    '/events',
    '/audit',
    '/due',
    '/webhooks',
    '/test_clocks',
    '/imports',
    '/preferences',
  ];
  console.log(`| page | median | 95 % | processor: API | processor: Postgres | size |\n|---|--:|--:|--:|--:|--:|`);
  for (const page of pages) console.log(await measure(visitor, page, pids));
  console.log(`load ${loadavg().map((load) => load.toFixed(1))}`);
} finally {
  await db.close();
  await stop();
  await rm(home, { recursive: true, force: true });
}

/** A line of the table for one page. */
async function measure(visitor: VendorInConsole, page: string, pids: readonly number[]): Promise<string> {
  let bytes = 0;
  const ask = async (): Promise<number> => {
    const begin = performance.now();
    const { status, html, headers } = await visitor.get(`/console${page}`);
    if (status === TOO_MANY) {
      await sleep(Number(headers.get('retry-after') ?? 1) * MS);
      return ask();
    }
    if (status !== 200) throw new Error(`${page}: ${status}`);
    bytes = Buffer.byteLength(html);
    return performance.now() - begin;
  };
  for (let n = 0; n < WARM_UP; n += 1) await ask();
  const before = await cpuSecondsOf(pids);
  const times: number[] = [];
  for (let n = 0; n < REQUESTS; n += 1) times.push(await ask());
  const after = await cpuSecondsOf(pids);
  times.sort((a, b) => a - b);
  const cpu = pids.map((_, at) => `${((((after[at] ?? 0) - (before[at] ?? 0)) * MS) / REQUESTS).toFixed(1)} ms`);
  const at = (share: number): string => `${(times[Math.floor(times.length * share)] ?? 0).toFixed(0)} ms`;
  const name = page.replace(/(Cust|Cont|Inv|Plan)_[\w-]+/, '{id}');
  return `| \`/console${name}\` | ${at(0.5)} | ${at(0.95)} | ${cpu.join(' | ')} | ${(bytes / MS).toFixed(0)} kB |`;
}
