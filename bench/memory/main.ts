import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { anyFreePort } from '../../local-stack/ports.ts';
import { createVendor } from '../../services/vendor-account/create.ts';
import { api } from '../../test/support/api.ts';
import { sendEach } from '../api/load.ts';
import { idIn, stageOf, times } from '../compare/cases.ts';
import { startProduction } from '../production.ts';
import { playSteadily } from './load.ts';
import { type Memory, memoryOf, PARTS, type Programs } from './measure.ts';
import { slopeOf } from './slope.ts';

// `node bench/memory/main.ts`: memory of the processes of docker-compose.yml, without containers: idle, with a chain
// asleep for each of `--contracts 10000`, and over `--minutes 20` of a steady load.
const { values } = parseArgs({
  options: { contracts: { type: 'string', default: '10000' }, minutes: { type: 'string', default: '20' } },
});
const [contracts, minutes] = [Number(values.contracts), Number(values.minutes)];
const [SIGN_AT_ONCE, CALLERS] = [500, 16];
const SETTLE_MS = 30_000;
const EVERY_MS = 30_000;
const MINUTE_MS = 60_000;

const path = await mkdtemp(join(tmpdir(), 'perennial-memory-'));
const production = await startProduction(path, (line) => console.error(line));
try {
  const [apiMetrics, workerMetrics] = [await anyFreePort(), await anyFreePort()];
  const served = await production.startApi({ METRICS_PORT: String(apiMetrics) });
  const worker = production.startWorker(undefined, undefined, { METRICS_PORT: String(workerMetrics) });
  const programs: Programs = {
    api: { pid: served.child.pid, metricsPort: apiMetrics },
    worker: { pid: worker.pid, metricsPort: workerMetrics },
    temporal: { pid: production.temporal.pid },
    postgres: { pid: production.postgres.pid },
  };
  const { apiKey } = await createVendor(production.db, 'Bench');
  const headers = { 'wb-key': apiKey };
  const stage = await stageOf({ api: api(apiKey, served.base) });
  await pause(SETTLE_MS);
  row('idle, no contract', await memoryOf(programs));

  const post = async (what: string, bodies: readonly unknown[]): Promise<string[]> => {
    const requests = bodies.map((body) => ({ method: 'POST' as const, path: what, headers, body: JSON.stringify(body) }));
    return (await sendEach(served.port, CALLERS, requests)).answers.map(idIn);
  };
  for (let made = 0; made < contracts; made += SIGN_AT_ONCE) {
    const customers = await post(
      '/v1/c/customer',
      times(Math.min(SIGN_AT_ONCE, contracts - made), (n) => ({ name: `Customer ${made + n}` })),
    );
    const signings = customers.map((customer) => ({ customer, plan: stage.plan, currency: 'usd', cycle: 'month' }));
    stage.contracts.push(...(await post('/v1/c/contract', signings)));
    stage.customers.push(...customers);
    console.error(`${stage.contracts.length} contracts signed`);
  }
  await pause(SETTLE_MS);
  row(`${contracts.toLocaleString('en')} contracts, their chains started`, await memoryOf(programs));

  const looks: Memory[] = [];
  const began = Date.now();
  const load = playSteadily({ port: served.port, headers, stage, until: began + minutes * MINUTE_MS });
  while (Date.now() < began + minutes * MINUTE_MS) {
    await pause(EVERY_MS);
    looks.push(await memoryOf(programs));
    row(`load, minute ${((Date.now() - began) / MINUTE_MS).toFixed(1)}`, looks.at(-1) as Memory);
  }
  const played = await load;
  console.log(`\n${played.requests} requests, ${played.failures} refused; MB an hour over the second half, least squares:`);
  const half = looks.slice(Math.floor(looks.length / 2));
  for (const part of PARTS) {
    const [resident, heap] = [half.map((look) => look[part].resident), half.map((look) => look[part].heap)];
    const heapSlope = heap.every((one) => one !== null) ? `, heap ${slopeOf(heap, EVERY_MS).toFixed(0)}` : '';
    console.log(`${part}: resident ${slopeOf(resident, EVERY_MS).toFixed(0)}${heapSlope}`);
  }
} finally {
  await production.stop();
  await rm(path, { recursive: true, force: true });
}

function row(name: string, memory: Memory): void {
  const cells = PARTS.map((part) => {
    const { resident, heap } = memory[part];
    return heap === null ? resident.toFixed(0) : `${resident.toFixed(0)} (heap ${heap.toFixed(0)})`;
  });
  const all = PARTS.reduce((sum, part) => sum + memory[part].resident, 0);
  console.log(`| ${name} | ${cells.join(' | ')} | ${all.toFixed(0)} |`);
}
