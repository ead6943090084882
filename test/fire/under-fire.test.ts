import { randomInt } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PartName } from '../../local-stack/part.ts';
import { ACTS } from '../model/acts.ts';
import { expectInOrder } from '../model/in-order.ts';
import { type Step, stepsFrom } from '../model/steps.ts';
import { advanceTo } from '../model/time-acts.ts';
import { newWorld, type World } from '../model/world.ts';
import { withTestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { type OwnStack, ownStack } from '../support/own-stack.ts';
import { rounds, SEED } from '../support/runs.ts';
import { logsOf } from '../support/servers.ts';
import { stubborn } from './courier.ts';

const ROUNDS = rounds(3, 50);
const PARTS: readonly PartName[] = ['worker', 'api', 'temporal', 'postgres'];
const DAY = 86_400_000;
const seed = SEED ?? randomInt(2 ** 31);

let stack: OwnStack;
beforeAll(async () => {
  stack = await ownStack();
});
afterAll(() => stack?.stop());

/** A world that does one thing after another until it is asked to rest. */
class Load {
  readonly world: World;
  readonly #steps: readonly Step[];
  done = 0;
  #resting = false;

  constructor(world: World, steps: readonly Step[]) {
    this.world = world;
    this.#steps = steps;
  }

  async run(): Promise<void> {
    while (!this.#resting) {
      const step = this.#steps[this.done % this.#steps.length];
      if (step !== undefined)
        await ACTS[step.name](this.world, step.dice).catch(async (error: unknown) => fail(step, error, await lastFaults()));
      this.done += 1;
    }
  }

  rest(): void {
    this.#resting = true;
  }
}

function resting(loads: readonly Load[]): void {
  for (const load of loads) load.rest();
}

/** The check's own words, and how to repeat the run. */
function named(error: unknown): never {
  throw new Error(`seed ${seed}: ${error instanceof Error ? error.message : error}`, { cause: error });
}

function fail(step: Step, cause: unknown, faults: string): never {
  throw new Error(`seed ${seed}: ${JSON.stringify(step)}: ${cause instanceof Error ? cause.message : cause}\n${faults}`, { cause });
}

/**
 * What the API has logged as a failure of its own; its folder is removed with the servers. It writes its log in the
 * background.
 */
async function lastFaults(): Promise<string> {
  const read = async (): Promise<string[]> => {
    const lines = (await readFile(join(logsOf(stack.servers.home), 'api.log'), 'utf8')).split('\n');
    return lines.filter((line) => line.includes('"level":50'));
  };
  const faults = await eventually(async () => expect((await read()).length).toBeGreaterThan(0), { timeout: 2_000 }).then(read, () => []);
  return faults.slice(-2).join('\n');
}

function newLoads(): Promise<Load[]> {
  const begin = async (clock: string | null, i: number): Promise<Load> => {
    const world = await newWorld(await stack.newVendor(), { customers: 3, clock, courier: stubborn, servers: stack.servers });
    return new Load(world, stepsFrom(seed + i, 1_000));
  };
  return Promise.all(['2025-01-31T00:00:00.000Z', '2025-01-31T00:00:00.000Z', null].map(begin));
}

/** Ends the leases of an API that was killed now, and not only a minute later. */
async function expireLeases(loads: readonly Load[]): Promise<void> {
  const vendors = loads.map(({ world }) => world.vendor.vendorId);
  await withTestDatabase(
    (db) => db.query('update idempotency set leased_until = now() where vendor_id = any($1) and response_status is null', [vendors]),
    stack.servers,
  );
}

/** Kills each part once, in a random order, each after some more steps, so that it dies in the middle of work. */
async function killAll(loads: readonly Load[], round: number): Promise<void> {
  const steps = () => loads.reduce((sum, { done }) => sum + done, 0);
  for (let i = 0; i < PARTS.length; i += 1) {
    const part = PARTS[(i * (round % 2 === 0 ? 1 : 3) + round + (seed % 4)) % PARTS.length] ?? 'worker';
    const target = steps() + ((seed >> (i + round)) % 9) + 1;
    await eventually(() => expect(steps()).toBeGreaterThanOrEqual(target), { every: 3 });
    await stack.kill9(part);
    expect(stack.isRunning(part)).toBe(false);
    if (part === 'api') await expireLeases(loads);
    await stack.restart(part);
  }
}

describe('under fire', () => {
  it(
    `${ROUNDS} rounds of kill -9 on worker, API, Temporal and Postgres amid random lives: nothing lost, nothing twice, nothing stuck`,
    async () => {
      const loads = await newLoads();
      const running = Promise.all(loads.map((load) => load.run()));
      const killing = (async () => {
        for (let round = 0; round < ROUNDS; round += 1) await killAll(loads, round);
        resting(loads);
      })();
      await Promise.all([running, killing]).finally(() => resting(loads));
      await Promise.all(loads.map(({ world }) => advanceTo(world, world.now() + 2 * DAY)));
      await withTestDatabase(async (db) => {
        for (const { world } of loads) await expectInOrder(db, stack.servers, world, 60_000).catch(named);
      }, stack.servers);
    },
    ROUNDS * 120_000,
  );
});
