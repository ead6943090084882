import { cpuSecondsOf } from '../api/cpu.ts';
import { sendEach } from '../api/load.ts';
import { CASES, type Case } from './cases.ts';
import type { Sapling } from './vendor.ts';

/** A case at one vendor, of all rounds together. */
export interface Figure {
  name: string;
  plot: Case['plot'];
  contracts: number;
  events: number;
  /** milliseconds from request to response: medians of the rounds */
  p50: number;
  p99: number;
  /** milliseconds of a processor a request, of the API and of Postgres together: the least of the rounds' */
  cost: number;
  failures: number;
}

export interface Pids {
  api: number;
  postgres: number;
}

interface Plan {
  port: number;
  pids: Pids;
  rounds: number;
  /** requests of a case in a round */
  requests: number;
  log(line: string): void;
}

type Round = Pick<Figure, 'p50' | 'p99' | 'cost' | 'failures'>;

/** Every case at every vendor in turns, one request at a time: the first round warms up and is not counted. */
export async function measureAll(vendors: readonly Sapling[], { port, pids, rounds, requests, log }: Plan): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const one of CASES) {
    const found = new Map<Sapling, Round[]>(vendors.map((vendor) => [vendor, []]));
    for (let round = 0; round <= rounds; round += 1) {
      for (const vendor of vendors) {
        const measured = await play(one, vendor, { port, pids, requests });
        if (round > 0) found.get(vendor)?.push(measured);
      }
    }
    for (const [{ size }, all] of found) figures.push({ ...one, contracts: size.contracts, events: size.events, ...together(all) });
    log(`${one.name}: ${figures.slice(-vendors.length).map(({ p50 }) => p50.toFixed(1))} ms`);
  }
  return figures.map(({ name, plot, contracts, events, p50, p99, cost, failures }) => ({
    name,
    plot,
    contracts,
    events,
    p50,
    p99,
    cost,
    failures,
  }));
}

async function play(one: Case, vendor: Sapling, { port, pids, requests }: Pick<Plan, 'port' | 'pids' | 'requests'>): Promise<Round> {
  const asked = await one.requests(vendor, requests);
  const before = await usedBy(pids);
  const { p50, p99, failures, answers } = await sendEach(port, 1, asked);
  const cost = (((await usedBy(pids)) - before) * 1000) / asked.length;
  const refused = answers.find(({ status }) => status >= 300);
  if (refused !== undefined) console.error(`${one.name}: ${refused.status} ${refused.body.toString().slice(0, 300)}`);
  return { p50, p99, cost, failures };
}

const usedBy = async ({ api, postgres }: Pids): Promise<number> =>
  (await cpuSecondsOf([api, postgres])).reduce<number>((sum, seconds) => sum + (seconds ?? Number.NaN), 0);

function together(rounds: readonly Round[]): Round {
  const of = (figure: (round: Round) => number): number[] => rounds.map(figure).sort((a, b) => a - b);
  const middle = (values: readonly number[]): number => values[Math.floor(values.length / 2)] ?? Number.NaN;
  const costs = of(({ cost }) => cost);
  const failures = rounds.reduce((sum, round) => sum + round.failures, 0);
  return { p50: middle(of(({ p50 }) => p50)), p99: middle(of(({ p99 }) => p99)), cost: costs[0] ?? Number.NaN, failures };
}

/** Seconds until a period with the vendor's events is closed; measured once, since a period closes only once. */
export async function closeFirstPeriod({ api, manual }: Sapling): Promise<number> {
  const began = performance.now();
  await api.made(`/v1/c/contract/${manual.contract}/usage_period/1/close`, {});
  return (performance.now() - began) / 1000;
}
