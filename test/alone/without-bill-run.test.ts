import pino from 'pino';
import { HOUR } from '../../billing/calendar/instant.ts';
import { OutboxDispatcher } from '../../temporal/dispatcher.ts';
import { reconcile } from '../../temporal/reconcile.ts';
import type { Loop } from '../../worker/loop.ts';
import { startRelay } from '../../worker/relay.ts';
import { eventually } from '../support/eventually.ts';
import { type OwnStack, ownStack } from '../support/own-stack.ts';
import { stepsOf } from '../workflows/history.ts';
import { type Kit, openKit, TASK_QUEUE } from '../workflows/kit.ts';
import { factsOf, invoicesDueAt, LIFECYCLE, playAll } from '../workflows/lifecycle.ts';
import { activitiesFor, endRuntime, type OwnWorker, startWorker } from '../workflows/own-worker.ts';

/** More contracts than a herd needs: a chain that wakes at the same time leaves its own work to the bill run, once. */
const ENDED = 60;
/** Milliseconds after its instant in which a chain that has left its work to the bill run reads its schedule again. */
const SPREAD = 30_000;
/** Milliseconds that the work of all of them may take then on a machine that does much else. */
const SLOW = 240_000;

let stack: OwnStack;
let kit: Kit;
let worker: OwnWorker;
let relay: Loop;
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
  const log = pino({ level: 'silent' });
  relay = startRelay(new OutboxDispatcher({ db: kit.db, client: kit.client, taskQueue: TASK_QUEUE, log }), log);
  ended = await terminatedHerd();
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

/** Contracts by the hour whose second hour begins in 20 s, and whose workflows are terminated before. */
async function terminatedHerd(): Promise<string[]> {
  const plan = await kit.plan('1.00', { cycle: 'hour' });
  const ids: string[] = [];
  for (let i = 0; i < ENDED; i += 1) {
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
