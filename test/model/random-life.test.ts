import fc from 'fast-check';
import { connect, type Database } from '../../db/connect.ts';
import { MINUTES, RUNS, SEED } from '../support/runs.ts';
import { type Servers, servers } from '../support/servers.ts';
import { newVendor } from '../support/vendor.ts';
import { ACTS } from './acts.ts';
import { expectInOrder } from './in-order.ts';
import { alwaysWrong } from './invariants.ts';
import { type Step, weighedSteps } from './steps.ts';
import { newWorld, type World } from './world.ts';

const LONG = RUNS > 200;
/** For how long new lives begin, or a failing one is made shorter; the long run doesn't make it shorter. */
const PATIENCE = LONG ? (MINUTES ?? 25) * 60_000 : 18_000;
/** Milliseconds for one life on a machine that does much else. */
const A_LIFE = 240_000;

let db: Database;
let at: Servers;
beforeAll(async () => {
  at = await servers();
  db = await connect({ databaseUrl: at.databaseUrl, databasePool: 2 });
});
afterAll(() => db.close());

/**
 * What the model knows: whether anybody has signed yet. All else is read from the rows and compared with what was
 * answered.
 */
interface Model {
  signed: boolean;
}

class Command implements fc.AsyncCommand<Model, World> {
  readonly step: Step;

  constructor(step: Step) {
    this.step = step;
  }

  check({ signed }: Readonly<Model>): boolean {
    return signed || this.step.name === 'sign';
  }

  async run(model: Model, world: World): Promise<void> {
    await ACTS[this.step.name](world, this.step.dice);
    if (this.step.name === 'sign') model.signed = true;
    expect(await alwaysWrong(db, world.vendor.vendorId)).toEqual([]);
  }

  toString(): string {
    const { a, b, c } = this.step.dice;
    return `${this.step.name}(${a}, ${b}, ${c})`;
  }
}

/** fast-check draws every command it is given equally often, so a frequent one is given several times. */
const commands = weighedSteps.map((steps) => steps.map((step) => new Command(step)));

/**
 * Plays lives until there are enough of them or the time has passed. The one that is being played then is played to its
 * end, however slow the machine is: a life that is cut off goes on behind the test, and no life at all proves nothing.
 */
async function anySnapshot(clock: string | null, numRuns: number): Promise<void> {
  const until = Date.now() + PATIENCE;
  let begun = 0;
  await fc.assert(
    fc.asyncProperty(fc.commands(commands, { maxCommands: LONG ? 60 : 30, size: 'max' }), async (snapshot) => {
      if (begun > 0 && Date.now() > until) return;
      begun += 1;
      const world = await newWorld(await newVendor(), { customers: 3, clock });
      await fc.asyncModelRun(() => ({ model: { signed: false }, real: world }), snapshot);
      await expectInOrder(db, at, world);
    }),
    { numRuns, endOnFailure: LONG, ...(SEED === undefined ? {} : { seed: SEED }) },
  );
}

describe('whatever a vendor does in whatever order, the books are in order', () => {
  it('on a test clock', () => anySnapshot('2025-01-31T00:00:00.000Z', LONG ? 300 : 4), PATIENCE + A_LIFE);
  it('on the wall clock', () => anySnapshot(null, LONG ? 60 : 3), PATIENCE + A_LIFE);
});
