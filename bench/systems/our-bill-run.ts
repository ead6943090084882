import { waitUntil } from '../../local-stack/wait.ts';
import type { Api } from '../../test/support/api.ts';
import { sendEach } from '../api/load.ts';
import { planOf } from '../api/seed.ts';
import { idIn, times } from '../compare/cases.ts';
import type { System } from '../compare/system.ts';
import { type BillRun, timed } from './peer.ts';

const HOUR = 3_600_000;
const PATIENCE_MS = 600_000;

/** Contracts of one test clock, which is sent two months on, a month at a time. */
export async function ourBillRun(system: System, api: Api, { size, callers }: { size: number; callers: number }): Promise<BillRun> {
  const start = Date.now();
  const clock = await api.made('/v1/c/test_clock', { now: new Date(start).toISOString() });
  const plan = await api.made('/v1/c/plan', planOf(`billed-${start}`, 1));
  const customers = await all(
    system,
    callers,
    '/v1/c/customer',
    times(size, (n) => ({ name: `Customer ${n}`, test_clock: clock })),
  );
  await system.rest();
  const signings = customers.answers.map(idIn).map((customer) => ({ customer, plan, currency: 'usd', cycle: 'month' }));
  const began = performance.now();
  const { perSecond, p50, p99 } = await all(system, callers, '/v1/c/contract', signings);
  const answered = (performance.now() - began) / 1000;
  const burst = { size, perSecond, p50, p99, doneSeconds: answered + (await system.rest()) };
  const runs = [];
  for (const month of [1, 2]) {
    runs.push(
      await timed(system, async () => {
        await advance(api, clock, monthsAfter(start, month) + HOUR);
        return invoicesOf(api, monthsAfter(start, month));
      }),
    );
  }
  return { burst, runs };
}

async function all(system: System, callers: number, path: string, bodies: readonly unknown[]) {
  const { headers } = system;
  const made = await sendEach(
    system.port,
    callers,
    bodies.map((body) => ({ method: 'POST', path, headers, body: JSON.stringify(body) })),
  );
  const refused = made.answers.find(({ status }) => status >= 300);
  if (refused !== undefined) throw new Error(`${path} answered ${refused.status}: ${refused.body}`);
  return made;
}

async function advance(api: Api, clock: string, to: number): Promise<void> {
  await api.made(`/v1/c/test_clock/${clock}/advance`, { now: new Date(to).toISOString() });
  const isReady = async () => ((await api.read<{ status: string }>(`/v1/c/test_clock/${clock}`)).status === 'ready' ? true : null);
  await waitUntil(isReady, { timeoutMs: PATIENCE_MS, everyMs: 50, what: 'the clock' });
}

async function invoicesOf(api: Api, after: number): Promise<number> {
  const from = encodeURIComponent(new Date(after - HOUR).toISOString());
  return (await api.read<{ total: number }>(`/v1/c/invoice?limit=1&date_after=${from}`)).total;
}

function monthsAfter(start: number, months: number): number {
  const date = new Date(start);
  return Date.UTC(
    date.getUTCFullYear(),
    date.getUTCMonth() + months,
    date.getUTCDate(),
    date.getUTCHours(),
    date.getUTCMinutes(),
    date.getUTCSeconds(),
  );
}
