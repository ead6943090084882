import { type Measured, sendEach } from '../api/load.ts';
import { CASES, idIn, type Stage } from './cases.ts';
import { type Checkout, spentBetween, sumOf, type Used } from './checkout.ts';

export interface Result extends Measured {
  name: string;
  /** milliseconds of a processor for each request, by part, beyond what the programs use when they idle */
  cost: Used;
}

export interface Turn {
  checkout: string;
  /** processors used while nobody sends a request */
  idle: Used;
  results: Result[];
}

/** Every case once. A case ends when its workflows have ended their work too, so that it is counted. */
export async function playTurn(
  checkout: Checkout,
  stage: Stage,
  { callers, only }: { callers: number; only: readonly string[] },
): Promise<Turn> {
  const idle = await checkout.idle();
  await checkout.rest();
  const headers = { 'wb-key': checkout.key };
  const results: Result[] = [];
  for (const found of CASES) {
    if (!only.includes(found.name) && found.makes === undefined) continue;
    const requests = found.requests(stage, headers);
    const [before, began] = [await checkout.used(), performance.now()];
    const { answers, ...measured } = await sendEach(checkout.port, callers, requests);
    await checkout.rest();
    const seconds = (performance.now() - began) / 1000;
    const spent = spentBetween(before, await checkout.used());
    const cost = Object.entries(spent).map(([part, used]) => [
      part,
      ((used - idle[part as keyof Used] * seconds) * 1000) / requests.length,
    ]);
    if (found.makes !== undefined) stage[found.makes] = answers.filter(({ status }) => status < 300).map(idIn);
    const refused = answers.find(({ status }) => status >= 300);
    if (refused !== undefined) console.error(`${checkout.name}, ${found.name}: ${refused.status} ${refused.body}`);
    const result = { name: found.name, ...measured, cost: Object.fromEntries(cost) as Used };
    console.error(`${checkout.name}, ${found.name}: ${sumOf(result.cost).toFixed(2)} ms, ${seconds.toFixed(0)} s`);
    results.push(result);
  }
  return { checkout: checkout.name, idle, results: results.filter(({ name }) => only.includes(name)) };
}
