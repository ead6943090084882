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

// `node bench/usage/early.ts --parts 1000`: whether the n-th invoice that an invoice threshold brings in a period costs
// what the first ones do. One contract, one event after another, each of which reaches the threshold
const { values } = parseArgs({ options: { parts: { type: 'string', default: '1000' }, shown: { type: 'string', default: '10' } } });
const parts = Number(values.parts);
/** Shares of the parts that are shown side by side. */
const size = Math.ceil(parts / Number(values.shown));

const home = await mkdtemp(join(tmpdir(), 'perennial-bench-'));
const { servers, stop } = await startTestStack(home, (line) => process.stderr.write(`${line}\n`));
try {
  const { api } = await newVendor('Bench', servers);
  const plan = await api.made('/v1/c/plan', planOf('pro', 1));
  const customer = await api.made('/v1/c/customer', { name: 'Bench' });
  const terms = { customer, plan, currency: 'usd', cycle: 'month', invoice_threshold: '1.00' };
  const contract = await api.made('/v1/c/contract', terms);
  const { children } = await homeAt(home).readJson<{ children: Record<string, { pid: number }> }>('run.json', { children: {} });
  const pids = [children.api?.pid ?? 0, children.postgres?.pid ?? 0];
  console.log('| early invoices | median ms | processor ms of each, API and Postgres |\n|---|--:|--:|');
  for (let from = 1; from <= parts; from += size) {
    const times: number[] = [];
    const before = await cpuOf(pids);
    for (let n = 0; n < size; n += 1) {
      const begin = performance.now();
      await api.made('/v1/c/usage', { customer_id: customer, feature_slug: 'calls', units: '100' });
      times.push(performance.now() - begin);
    }
    const median = times.toSorted((a, b) => a - b)[Math.floor(size / 2)] ?? 0;
    const processor = (((await cpuOf(pids)) - before) * 1000) / size;
    console.log(`| ${from} to ${from + size - 1} | ${median.toFixed(1)} | ${processor.toFixed(1)} |`);
  }
  const made = `select count(*)::int as count from invoice where contract_id = $1`;
  const [found] = await withTestDatabase((db) => db.query<{ count: number }>(made, [contract]), servers);
  console.log(`\n${found?.count} invoices, the first of the contract included`);
} finally {
  await stop();
  await rm(home, { recursive: true, force: true });
}

async function cpuOf(pids: readonly number[]): Promise<number> {
  return (await cpuSecondsOf(pids)).reduce<number>((sum, seconds) => sum + (seconds ?? 0), 0);
}
