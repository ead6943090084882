import { setTimeout as pause } from 'node:timers/promises';
import { type Request, sendEach } from '../api/load.ts';
import { idIn, one, type Stage } from '../compare/cases.ts';

interface Steady {
  port: number;
  headers: Record<string, string>;
  stage: Stage;
  /** milliseconds since the epoch */
  until: number;
}

/** What each second brings: mostly reads and usage, some estimates, and one change of a contract. */
const EACH_SECOND = { reads: 20, entitlements: 20, usage: 20, estimates: 3 } as const;
const CALLERS = 8;
const SECOND_MS = 1000;

/** The same small load each second: memory is watched, not speed. */
export async function playSteadily({ port, headers, stage, until }: Steady): Promise<{ requests: number; failures: number }> {
  let [requests, failures, second] = [0, 0, 0];
  while (Date.now() < until) {
    const began = Date.now();
    const changed = second % stage.contracts.length;
    const asked = [...readsOf(stage, headers, second), changeOf(stage, headers, changed)];
    const { answers, failures: refused } = await sendEach(port, CALLERS, asked);
    const change = answers.at(-1);
    if (change?.status === 200) stage.contracts[changed] = idIn(change);
    requests += asked.length;
    failures += refused;
    const first = answers.find(({ status }) => status >= 300);
    if (first !== undefined && failures === refused) console.error(`refused: ${first.status} ${first.body}`);
    second += 1;
    await pause(Math.max(0, began + SECOND_MS - Date.now()));
  }
  return { requests, failures };
}

function readsOf(stage: Stage, headers: Record<string, string>, second: number): Request[] {
  const { contracts, customers } = stage;
  const many = (count: number, make: (n: number) => Request): Request[] =>
    Array.from({ length: count }, (_, at) => make(second * count + at));
  const get = (path: string): Request => ({ method: 'GET', path, headers });
  const usage = (n: number) => ({ customer_id: one(customers, n), feature_slug: 'calls', units: '1' });
  // far from the contracts that change in the same second
  const apart = Math.floor(contracts.length / 2);
  return [
    ...many(EACH_SECOND.reads, (n) => get(`/v1/c/contract/${one(contracts, n + apart)}`)),
    ...many(EACH_SECOND.entitlements, (n) => get(`/v1/c/entitlement/${one(customers, n)}/access`)),
    ...many(EACH_SECOND.usage, (n) => ({ method: 'POST', path: '/v1/c/usage', headers, body: JSON.stringify(usage(n)) })),
    ...many(EACH_SECOND.estimates, (n) => ({
      ...changeOf(stage, headers, n + apart),
      path: `/v1/c/contract/${one(contracts, n + apart)}/upgrade_estimate`,
    })),
  ];
}

function changeOf({ contracts, bigger }: Stage, headers: Record<string, string>, n: number): Request {
  const body = { upgrade_configuration: { upgrade_strategy: 'new_plan', plan_id: bigger } };
  return { method: 'POST', path: `/v1/c/contract/${one(contracts, n)}/upgrade`, headers, body: JSON.stringify(body) };
}
