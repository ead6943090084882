import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { payable, type Stage, stageOf } from './cases.ts';
import { type Checkout, startCheckout } from './checkout.ts';
import { logStatements, type Statement, sizeOf, statementsSince } from './postgres-log.ts';
import { median } from './report.ts';

// `node bench/compare/statements.ts --before <a checkout> --after <another>`: the statements each sends to Postgres for
// one call, counted in the server's own log. `--show` prints those of the first round
const { values } = parseArgs({
  options: {
    before: { type: 'string' },
    after: { type: 'string' },
    rounds: { type: 'string', default: '3' },
    show: { type: 'boolean', default: false },
  },
});

/** What one call has sent to Postgres, and when it was answered. */
interface Window {
  statements: Statement[];
  answered: number;
}

interface Counts {
  calls: Map<string, Window[]>;
  /** what a checkout sends when nobody asks for anything */
  byItself: Statement[];
}

const HOUR = 3_600_000;
const IDLE_MS = 10_000;
const QUIET_MS = 1_500;
/** From a signing to the boundary of its first cycle. */
const AHEAD_MS = 15_000;
const MARGIN_MS = 3_000;

const hourlyPlan = {
  slug: 'hourly',
  internal_name: 'Hourly',
  strategy: 'plan',
  features: [],
  pricings: [{ currency: 'usd', cycle: 'hour', price: { amount: '1.00', strategy_details: { pricing_strategy: 'flat' } }, features: {} }],
};

const counts: Counts[] = [];
for (const name of ['before', 'after'] as const) {
  const path = values[name];
  if (path !== undefined) counts.push(await countIn(name, path));
}
// what loops send is left out, and with it whatever else has the same words: the time, begin and commit
const loops = new Set(counts.flatMap(({ byItself }) => byItself.map(({ text }) => text)));
console.log('| call | until the response | in all | … of each |\n| --- | --- | --- | --- |');
for (const call of counts[0]?.calls.keys() ?? []) {
  const cells = counts.flatMap(({ calls }) => {
    const windows = calls.get(call) ?? [];
    const own = windows.map(({ statements, answered }) => ({ answered, own: statements.filter(({ text }) => !loops.has(text)) }));
    return [median(own.map((one) => one.own.filter(({ at }) => at <= one.answered).length)), median(own.map((one) => one.own.length))];
  });
  console.log(`| ${[call, ...cells].join(' | ')} |`);
}
for (const { byItself } of counts) console.log(`idle: ${byItself.length / (IDLE_MS / 1000)} statements a second`);

async function countIn(name: string, path: string): Promise<Counts> {
  const checkout = await startCheckout(name, path);
  try {
    await logStatements(checkout.adminUrl);
    const stage = await stageOf(checkout);
    const hourly = await checkout.api.made('/v1/c/plan', hourlyPlan);
    await checkout.idle();
    const size = await sizeOf(checkout.postgresLog);
    await pause(IDLE_MS);
    const byItself = await statementsSince(checkout.postgresLog, size);
    const calls = new Map<string, Window[]>();
    for (let round = 0; round <= Number(values.rounds); round += 1) {
      const windows = await playRound(checkout, stage, hourly, new Set(byItself.map(({ text }) => text)));
      // the first round warms up
      if (round === 0) continue;
      for (const [call, window] of windows) calls.set(call, [...(calls.get(call) ?? []), window]);
      if (round === 1 && values.show) for (const [call, window] of windows) tell(`${name}: ${call}`, window, byItself);
    }
    return { calls, byItself };
  } finally {
    await checkout.stop();
  }
}

async function playRound(
  checkout: Checkout,
  { plan, bigger }: Stage,
  hourly: string,
  loop: ReadonlySet<string>,
): Promise<Map<string, Window>> {
  const { api, postgresLog } = checkout;
  const rest = () => whenQuiet(postgresLog, loop);
  const windows = new Map<string, Window>();
  const count = async <T>(call: string, act: () => Promise<T>): Promise<T> => {
    await rest();
    const size = await sizeOf(postgresLog);
    const result = await act();
    const answered = Date.now();
    await rest();
    windows.set(call, { statements: await statementsSince(postgresLog, size), answered });
    return result;
  };
  const customer = () => api.made('/v1/c/customer', { name: 'Somebody' });
  const terms = { currency: 'usd', cycle: 'month' };
  const change = { upgrade_configuration: { upgrade_strategy: 'new_plan', plan_id: bigger } };
  const who = await customer();
  const contract = await count('signing', () => api.made('/v1/c/contract', { customer: who, plan, ...terms }));
  const upgraded = await count('upgrade', () => api.made(`/v1/c/contract/${contract}/upgrade`, change));
  await count('cancel at the end of the cycle', () => api.made(`/v1/c/contract/${upgraded}/cancel`, { when: { type: 'end_of_cycle' } }));
  const other = await api.made('/v1/c/contract', { customer: await customer(), plan, ...terms });
  const { estimate_token } = await count('estimate', () =>
    api.made<{ estimate_token: string }>(`/v1/c/contract/${other}/upgrade_estimate`, change),
  );
  const next = await count('upgrade by token', () => api.made(`/v1/c/contract/${other}/upgrade`, { ...change, estimate_token }));
  await count('cancel now', () => api.made(`/v1/c/contract/${next}/cancel`, { when: { type: 'now' } }));
  await count('customer create', customer);
  const due = await payable(checkout, plan);
  await count('pay', () => api.made(`/v1/c/invoice/${due}/pay`, {}));
  const boundary = Date.now() + AHEAD_MS;
  const hour = { currency: 'usd', cycle: 'hour', activation: new Date(boundary - HOUR).toISOString() };
  const rolling = await api.made('/v1/c/contract', { customer: await customer(), plan: hourly, ...hour });
  // not asked for meanwhile: what reads it would be counted too
  await count('rollover by timer', () => pause(boundary + MARGIN_MS - Date.now()));
  const { hits } = await api.read<{ hits: unknown[] }>(`/v1/c/invoice?contract=${rolling}`);
  if (hits.length !== 2) throw new Error(`${checkout.name}: ${hits.length} invoices, not two, after the boundary`);
  return windows;
}

/** Resolves when nothing but what loops send has been sent for a while. */
async function whenQuiet(path: string, loop: ReadonlySet<string>): Promise<void> {
  for (;;) {
    const size = await sizeOf(path);
    await pause(QUIET_MS);
    if ((await statementsSince(path, size)).every(({ text }) => loop.has(text))) return;
  }
}

function tell(name: string, { statements, answered }: Window, byItself: readonly Statement[]): void {
  const loop = new Set(byItself.map(({ text }) => text));
  console.error(`\n${name}`);
  for (const { at, text } of statements) {
    const words = text.replaceAll(/\s+/g, ' ').slice(0, 200);
    if (!loop.has(text)) console.error(`${(at - answered).toFixed(0).padStart(6)} ms  ${words}`);
  }
}
