import { waitUntil } from '../../local-stack/wait.ts';
import type { Api } from '../../test/support/api.ts';
import { type Request, sendEach } from '../api/load.ts';
import { planOf } from '../api/seed.ts';
import { idIn, times } from '../compare/cases.ts';
import type { System } from '../compare/system.ts';
import type { Herd } from './bill-run.ts';

const HOUR = 3_600_000;
const PATIENCE_MS = 600_000;

/** Contracts of one test clock, which is sent on a month at a time. */
export function ourHerd(system: System, api: Api, { size, callers }: { size: number; callers: number }): Herd {
  const start = firstOfMonth(Date.now());
  const due = (month: number): number => monthsAfter(start, month);
  let clock = '';
  const post = (path: string, body: unknown): Request => ({ method: 'POST', path, headers: system.headers, body: JSON.stringify(body) });
  return {
    signings: async () => {
      clock = await api.made('/v1/c/test_clock', { now: new Date(start).toISOString() });
      const plan = await api.made('/v1/c/plan', planOf(`billed-${start}`, 1));
      const customers = times(size, (n) => post('/v1/c/customer', { name: `Customer ${n}`, test_clock: clock }));
      const { answers } = await sendEach(system.port, callers, customers);
      return answers.map(idIn).map((customer) => post('/v1/c/contract', { customer, plan, currency: 'usd', cycle: 'month' }));
    },
    bill: async (month) => {
      await api.made(`/v1/c/test_clock/${clock}/advance`, { now: new Date(due(month) + HOUR).toISOString() });
      const isReady = async () => ((await api.read<{ status: string }>(`/v1/c/test_clock/${clock}`)).status === 'ready' ? true : null);
      await waitUntil(isReady, { timeoutMs: PATIENCE_MS, everyMs: 50, what: 'the clock' });
      return { invoices: await invoicesOf(api, due(month)), inVain: 0 };
    },
  };
}

async function invoicesOf(api: Api, after: number): Promise<number> {
  const from = encodeURIComponent(new Date(after - HOUR).toISOString());
  return (await api.read<{ total: number }>(`/v1/c/invoice?limit=1&date_after=${from}`)).total;
}

/** Every month has that day: one month after another is due on it. */
function firstOfMonth(now: number): number {
  const date = new Date(now);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
}

function monthsAfter(start: number, months: number): number {
  const date = new Date(start);
  return date.setUTCMonth(date.getUTCMonth() + months);
}
