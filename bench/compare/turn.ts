import { type Measured, sendEach } from '../api/load.ts';
import { CASES, type Case, idIn, type Stage, times } from './cases.ts';
import { type System, spentBetween, sumOf, type Used } from './system.ts';

export interface Result extends Measured {
  name: string;
  /** milliseconds of a processor for each request, by part, beyond what the programs use when they idle */
  cost: Used;
  /** until everything that they led to was done */
  doneSeconds: number;
  requests: number;
}

export interface Turn {
  checkout: string;
  /** processors used while nobody sends a request */
  idle: Used;
  results: Result[];
}

interface Options {
  callers: number;
  /** names of cases */
  only: readonly string[];
  cases?: readonly Case[];
  /** so many times the requests of a case that has few */
  many?: number;
}

/** A case with fewer requests has few. */
const FEW = 1_000;

/** Every case once. A case ends when its workflows have ended their work too, so that it is counted. */
export async function playTurn(system: System, stage: Stage, { callers, only, cases = CASES, many = 1 }: Options): Promise<Turn> {
  const idle = await system.idle();
  await system.rest();
  const results: Result[] = [];
  for (const found of cases) {
    if (!only.includes(found.name) && found.makes === undefined) continue;
    await found.prepare?.(stage);
    const requests = times(found.count < FEW ? found.count * many : found.count, (n) => ({
      ...found.request(stage, n),
      headers: system.headers,
    }));
    const [before, began] = [await system.used(), performance.now()];
    const { answers, ...measured } = await sendEach(system.port, callers, requests);
    const answered = (performance.now() - began) / 1000;
    const doneSeconds = answered + (await system.rest());
    const seconds = (performance.now() - began) / 1000;
    const spent = spentBetween(before, await system.used());
    const cost = Object.entries(spent).map(([part, used]) => [
      part,
      ((used - idle[part as keyof Used] * seconds) * 1000) / requests.length,
    ]);
    if (found.makes !== undefined) stage[found.makes] = answers.filter(({ status }) => status < 300).map(found.idOf ?? idIn);
    const refused = answers.find(({ status }) => status >= 300);
    if (refused !== undefined) console.error(`${system.name}, ${found.name}: ${refused.status} ${refused.body}`);
    const result = { name: found.name, ...measured, cost: Object.fromEntries(cost) as Used, doneSeconds, requests: requests.length };
    console.error(`${system.name}, ${found.name}: ${sumOf(result.cost).toFixed(2)} ms, ${seconds.toFixed(0)} s`);
    results.push(result);
  }
  return { checkout: system.name, idle, results: results.filter(({ name }) => only.includes(name)) };
}
