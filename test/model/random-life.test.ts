import fc from 'fast-check';
import { connect, type Database } from '../../db/connect.ts';
import { eventually } from '../support/eventually.ts';
import { RUNS, SEED } from '../support/runs.ts';
import { type Servers, servers } from '../support/servers.ts';
import { newVendor } from '../support/vendor.ts';
import { ACTS, type ActName, type Dice, WEIGHTS } from './acts.ts';
import { alwaysWrong, ledgerWrong, unsettled } from './invariants.ts';
import { journalWrong } from './journal-check.ts';
import { workflowsWrong } from './workflows-check.ts';
import { newWorld, type World } from './world.ts';

const LONG = RUNS > 200;
/** A failing run is made shorter only as long as this lasts. */
const PATIENCE = LONG ? 1_500_000 : 30_000;

let db: Database;
let at: Servers;
beforeAll(async () => {
  at = await servers();
  db = await connect({ databaseUrl: at.databaseUrl, databasePool: 2 });
});
afterAll(() => db.close());

/** What the model knows: whether anybody has signed yet. The service's own rows are checked against what it answered. */
interface Model {
  signed: boolean;
}

class Step implements fc.AsyncCommand<Model, World> {
  readonly name: ActName;
  readonly dice: Dice;

  constructor(name: ActName, dice: Dice) {
    this.name = name;
    this.dice = dice;
  }

  check({ signed }: Readonly<Model>): boolean {
    return signed || this.name === 'sign';
  }

  async run(model: Model, world: World): Promise<void> {
    await ACTS[this.name](world, this.dice);
    if (this.name === 'sign') model.signed = true;
    expect(await alwaysWrong(db, world.vendor.vendorId)).toEqual([]);
  }

  toString(): string {
    const { a, b, c } = this.dice;
    return `${this.name}(${a}, ${b}, ${c})`;
  }
}

const die = fc.nat(999);
const steps = (Object.keys(ACTS) as ActName[]).map((name) => fc.record({ a: die, b: die, c: die }).map((dice) => new Step(name, dice)));
/** fast-check draws each command equally often, so a frequent one is listed as often as it weighs. */
const weighed = steps.flatMap((step, index) =>
  Array.from({ length: WEIGHTS[(Object.keys(ACTS) as ActName[])[index] ?? 'use'] }, () => step),
);

async function expectInOrder(world: World): Promise<void> {
  const { vendorId } = world.vendor;
  await eventually(async () => expect(await unsettled(db, vendorId)).toEqual([]), { timeout: 15_000 });
  await eventually(async () => expect(await workflowsWrong(db, vendorId, at)).toEqual([]), { timeout: 15_000, every: 200 });
  expect(await alwaysWrong(db, vendorId)).toEqual([]);
  expect(await journalWrong(db, vendorId, world.journal)).toEqual([]);
  expect(await ledgerWrong(db)).toEqual([]);
}

async function anyLife(clock: string | null, numRuns: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(fc.commands(weighed, { maxCommands: LONG ? 60 : 30, size: 'max' }), async (commands) => {
      const world = await newWorld(await newVendor(), { customers: 3, clock });
      await fc.asyncModelRun(() => ({ model: { signed: false }, real: world }), commands);
      await expectInOrder(world);
    }),
    { numRuns, interruptAfterTimeLimit: PATIENCE, ...(SEED === undefined ? {} : { seed: SEED }) },
  );
}

describe('whatever a vendor does in whatever order, the books are in order', () => {
  it('on a test clock', () => anyLife('2025-01-31T00:00:00.000Z', LONG ? 300 : 4), PATIENCE * 2);
  it('on the wall clock', () => anyLife(null, LONG ? 60 : 1), PATIENCE * 2);
});
