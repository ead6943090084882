import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { homeAt } from '../../local-stack/home.ts';
import { withTestDatabase } from '../../test/support/database.ts';
import { longHistory } from '../../test/support/long-history.ts';
import { startTestStack } from '../../test/support/start-stack.ts';
import { newVendor } from '../../test/support/vendor.ts';
import { cpuSecondsOf } from '../api/cpu.ts';

/**
 * How long the portal's pages take for a customer with 100 contracts and 10,000 invoices: from the request to the last
 * byte, and in processor time of the API and of Postgres. One request after another, so nothing waits for another one.
 */
const [CONTRACTS, INVOICES] = [100, 10_000];
const [WARM_UP, REQUESTS] = [10, 100];
const MS = 1000;

type RunFile = { children: Record<string, { pid: number }> };

const home = await mkdtemp(join(tmpdir(), 'perennial-bench-'));
const { servers, stop } = await startTestStack(home, (line) => process.stderr.write(`${line}\n`));
try {
  const vendor = await newVendor('Bench', servers);
  const { customer, contract } = await withTestDatabase(
    (db) => longHistory(db, vendor.api, { contracts: CONTRACTS, invoices: INVOICES }),
    servers,
  );
  await withTestDatabase((db) => db.query('analyze'), servers);
  const entered = await fetch(await vendor.api.made<string>('/v1/c/customer/authenticate', { id: customer }), {
    method: 'POST',
    redirect: 'manual',
  });
  const cookie = (entered.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  const { children } = await homeAt(home).readJson<RunFile>('run.json', { children: {} });
  const pids = [children.api?.pid ?? 0, children.postgres?.pid ?? 0];
  const pages = [
    '',
    `/contract/${contract}`,
    `/contract/${contract}/change`,
    `/contract/${contract}/cancel`,
    '/invoices',
    '/payments',
    '/account',
  ];
  console.log('| page | median | 95th of 100 | processor: API | processor: Postgres | size |\n|---|--:|--:|--:|--:|--:|');
  for (const page of pages) console.log(await measure(`${servers.baseUrl}/portal${page}`, page, cookie, pids));
} finally {
  await stop();
  await rm(home, { recursive: true, force: true });
}

/** A line of the table for one page. */
async function measure(url: string, page: string, cookie: string, pids: readonly number[]): Promise<string> {
  let bytes = 0;
  const ask = async (): Promise<number> => {
    const begin = performance.now();
    const response = await fetch(url, { headers: { cookie } });
    if (response.status !== 200) throw new Error(`${url}: ${response.status}`);
    bytes = (await response.arrayBuffer()).byteLength;
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
  const name = page.replace(/Cont_[\w-]+/, '{id}');
  return `| \`/portal${name}\` | ${at(0.5)} | ${at(0.95)} | ${cpu.join(' | ')} | ${(bytes / MS).toFixed(0)} kB |`;
}
