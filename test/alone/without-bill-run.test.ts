import pino from 'pino';
import { HOUR } from '../../billing/calendar/instant.ts';
import { readRetention } from '../../config/retention.ts';
import { HERD } from '../../db/sql/contract/chain-schedule.ts';
import { OutboxDispatcher } from '../../temporal/dispatcher.ts';
import { reconcile } from '../../temporal/reconcile.ts';
import { notRunning } from '../../temporal/running.ts';
import { billRunQueue } from '../../temporal/task-queues.ts';
import type { Loop } from '../../worker/loop.ts';
import { LOOPS, type LoopName, startLoops } from '../../worker/relay.ts';
import { eventually } from '../support/eventually.ts';
import { type OwnStack, ownStack } from '../support/own-stack.ts';
import { stepsOf } from '../workflows/history.ts';
import { type Kit, openKit, TASK_QUEUE } from '../workflows/kit.ts';
import { factsOf, invoicesDueAt, LIFECYCLE, playAll } from '../workflows/lifecycle.ts';
import { activitiesFor, endRuntime, type OwnWorker, startWorker } from '../workflows/own-worker.ts';

/** More contracts than a herd needs: a chain that wakes at the same time leaves its own work to the bill run, once. */
const ENDED = 60;
/** Fewer: a chain that wakes beside them starts no bill run. */
const FEW = HERD - 10;
/** Milliseconds after its instant in which a chain that has left its work to the bill run reads its schedule again. */
const SPREAD = 30_000;
/** Milliseconds that the work of all of them may take then on a machine that does much else. */
const SLOW = 240_000;

let stack: OwnStack;
let kit: Kit;
let worker: OwnWorker;
let relay: Loop;
/** What loops say when a pass fails. */
const failed: string[] = [];
let ended: string[];
let played: ReturnType<typeof playAll>;
beforeAll(async () => {
  stack = await ownStack();
  await stack.kill9('worker');
  kit = await openKit(stack.servers);
  // in place of the worker program: a worker without a bill run, and a relay that sends messages but doesn't look for
  // overdue workflows
  const billLane = () => Promise.reject(new Error('switched off'));
  worker = await startWorker(stack.servers, TASK_QUEUE, { ...(await activitiesFor(kit, stack.servers)), billLane });
  relay = start(['relay']).relay;
  ended = await terminated(ENDED);
  played = playAll(kit);
  await Promise.allSettled(played.values());
}, 600_000);
afterAll(async () => {
  await relay?.stop();
  await worker?.stop();
  await kit?.close();
  await endRuntime();
  await stack?.stop();
});

/** Loops as the worker program has them. */
function start<Name extends LoopName>(names: readonly Name[]): Record<Name, Loop> {
  const log = pino({ level: 'warn' }, { write: (line) => void (line.includes('"loop"') && failed.push(line)) });
  const dispatcher = new OutboxDispatcher({ db: kit.db, client: kit.client, taskQueue: TASK_QUEUE, log });
  return startLoops(names, { db: kit.db, log, dispatcher, retention: readRetention({}), deleted: () => {} });
}

/** Contracts by the hour whose second hour begins in 20 s, and whose workflows are terminated before. */
async function terminated(count: number): Promise<string[]> {
  const plan = await kit.plan('1.00', { cycle: 'hour' });
  const ids: string[] = [];
  for (let i = 0; i < count; i += 1) {
    const activation = Date.now() + 20_000 - HOUR;
    const id = await kit.sign(await kit.customer(), plan, { activation });
    const handle = kit.client.workflow.getHandle(id);
    await eventually(() => handle.terminate('by a test'), { every: 5 });
    ids.push(id);
  }
  return ids;
}

const periodsOf = (ids: readonly string[]) =>
  kit.db.query<{ idx: number; count: string }>(
    'select current_idx as idx, count(*) from contract where id = any($1::text[]) group by 1 order by 1',
    [ids],
  );

describe('with the bill run switched off, beside 60 contracts due and undone', () => {
  it.each(LIFECYCLE)(
    '$concern: the chain leaves it once, then bills itself: $contracts, $invoices',
    async ({ concern, play: _play, ...story }) => {
      const { activity, done, ...facts } = story;
      const found = await played.get(concern);
      if (found === undefined) throw new Error('it was not played');
      await eventually(async () => expect(await factsOf(kit, found)).toEqual(facts), { timeout: SPREAD + SLOW, every: 250 });
      const steps = await eventually(async () => {
        const all = stepsOf(await kit.history(found.chainId));
        expect(all.at(-1)).toMatchObject({ activity, schedule: { isLeft: false } });
        return all;
      });
      expect(steps.filter(({ schedule }) => schedule.isLeft).map((step) => step.activity)).toEqual([activity]);
      expect(steps.at(-1)?.schedule.done.map(({ what, by }) => `${what} by ${by}`)).toEqual(done.map((what) => `${what} by timer`));
      const listed = steps.at(-1)?.schedule.done.filter(({ what }) => what === 'invoice.created');
      expect(listed?.map(({ object }) => object)).toEqual(await invoicesDueAt(kit, found));
    },
    2 * (SPREAD + SLOW),
  );
});

describe('with the workflows of chains terminated and nobody watching what is overdue', () => {
  it(
    'nothing bills: all 60 stand in their first hour, though chains that were due later have been billed; reconcile brings each into its second',
    async () => {
      for (const found of await Promise.all(played.values())) expect(found.dueAt).toBeGreaterThan(0);
      expect(await periodsOf(ended)).toEqual([{ idx: 1, count: String(ENDED) }]);
      await reconcile(kit.db, kit.client, kit.connection, TASK_QUEUE);
      await eventually(async () => expect(await periodsOf(ended)).toEqual([{ idx: 2, count: String(ENDED) }]), {
        timeout: SPREAD + SLOW,
        every: 500,
      });
      const invoices = await kit.db.query('select id from invoice where contract_id = any($1::text[])', [ended]);
      expect(invoices).toHaveLength(2 * ENDED);
    },
    2 * (SPREAD + SLOW),
  );
});

describe('with every loop of the worker but the watch for what is overdue, and with the bill run', () => {
  let loops: Loop[] = [];
  let workers: OwnWorker[] = [];
  const stopLoops = () => Promise.all(loops.map((loop) => loop.stop()));
  beforeAll(async () => {
    await relay.stop();
    await worker.stop();
    const activities = await activitiesFor(kit, stack.servers);
    workers = await Promise.all([TASK_QUEUE, billRunQueue(TASK_QUEUE)].map((queue) => startWorker(stack.servers, queue, activities)));
    // it has waited for a worker: it finds nothing to do, and won't run later
    const billRun = kit.client.workflow.getHandle('billRun');
    await eventually(async () => expect((await billRun.describe()).status.name).toBe('COMPLETED'));
  });
  afterAll(async () => {
    await stopLoops();
    await Promise.all(workers.map((one) => one.stop()));
  });

  it(
    `nothing bills ${FEW} contracts whose workflows are terminated, though one that was due later has been billed; the watch brings each into its second hour`,
    async () => {
      const ids = await terminated(FEW);
      const dues = await kit.db.query<{ due: number }>('select max(due_at) as due from agenda where contract_id = any($1::text[])', [ids]);
      await eventually(() => expect(Date.now()).toBeGreaterThan(dues[0]?.due ?? 0), { every: 200 });
      const names = Object.keys(LOOPS) as LoopName[];
      loops = Object.values(start(names.filter((name) => name !== 'overdue')));
      // the loops that look every 30 s look twice until it is due
      const later = { activation: Date.now() + 40_000 - HOUR };
      const one = await kit.sign(await kit.customer(), await kit.plan('1.00', { cycle: 'hour' }), later);
      await eventually(async () => expect(await periodsOf([one])).toEqual([{ idx: 2, count: '1' }]), { every: 250 });
      await eventually(async () => expect(await kit.db.query('select workflow_id from outbox where sent < wanted')).toEqual([]));
      await stopLoops();
      expect([await periodsOf(ids), await notRunning(kit.client, ids)]).toEqual([[{ idx: 1, count: String(FEW) }], ids]);
      expect(failed).toEqual([]);

      loops = Object.values(start(['relay', 'overdue']));
      await eventually(async () => expect(await periodsOf(ids)).toEqual([{ idx: 2, count: String(FEW) }]), {
        timeout: SPREAD + SLOW,
        every: 500,
      });
      expect(await kit.db.query('select id from invoice where contract_id = any($1::text[])', [ids])).toHaveLength(2 * FEW);
    },
    2 * (SPREAD + SLOW),
  );
});
