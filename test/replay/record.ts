import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { activateCustomer, freezeCustomer } from '../../db/customer/freeze.ts';
import { deliverWishes } from '../../db/wish/deliver.ts';
import { eventually } from '../support/eventually.ts';
import { startTestStack } from '../support/servers.ts';
import { changeTo, type Kit, openKit, TASK_QUEUE } from '../workflows/kit.ts';
import { paymentPaths } from './payment-paths.ts';

/** Plays every path of the workflows on servers of its own and writes their histories beside this file. */

const FOLDER = join(import.meta.dirname, 'histories');
const HOUR = 3_600_000;

type Path = (kit: Kit) => Promise<Record<string, string>>;

const onClock = async (kit: Kit, start: string) => {
  const clock = await kit.clock(start);
  return { clock, customer: await kit.customer(clock) };
};

const signed = async (kit: Kit, ...wish: Parameters<Kit['sign']>): Promise<string> => {
  const id = await kit.sign(...wish);
  await kit.ready(id);
  return id;
};

const over = (kit: Kit, id: string) => kit.client.workflow.getHandle(id).result();

/** Each gives ids of workflows by the name of the file their history goes to. */
const paths: Path[] = [
  async (kit) => {
    const dueAt = Date.now() + 4_000;
    const id = await signed(kit, await kit.customer(), await kit.plan('1.00', { cycle: 'hour' }), { activation: dueAt - HOUR });
    await eventually(async () => {
      if ((await kit.state(id)).idx !== 2) throw new Error('not rolled over yet');
    });
    return { 'rollover-on-the-wall-clock': id };
  },
  async (kit) => {
    const { clock, customer } = await onClock(kit, '2025-01-31T00:00:00.000Z');
    const id = await signed(kit, customer, await kit.plan('10.00', { trialDays: 14 }));
    await kit.advance(clock, '2026-01-31');
    return { 'trial-and-a-year-on-a-clock': id, 'clock-of-a-year': clock };
  },
  async (kit) => {
    const { customer } = await onClock(kit, '2025-01-01T00:00:00.000Z');
    const [small, big] = [await kit.plan('10.00'), await kit.plan('30.00')];
    const id = await signed(kit, customer, small);
    const next = String(await kit.ask(id, 'change', { wish: changeTo(big), basis: null }));
    await over(kit, id);
    await kit.ask(next, 'change', { wish: changeTo(small), basis: null });
    await kit.ask(next, 'change_undo', {});
    await kit.ask(next, 'cancel', { when: { type: 'end_of_cycle' }, credit: false, notes: null });
    await kit.ask(next, 'cancel_undo', {});
    return { 'upgraded-at-once': id, 'changes-and-cancellations-taken-back': next };
  },
  async (kit) => {
    const { clock, customer } = await onClock(kit, '2025-01-01T00:00:00.000Z');
    const id = await signed(kit, customer, await kit.plan('30.00'));
    const next = String(await kit.ask(id, 'change', { wish: changeTo(await kit.plan('10.00')), basis: null }));
    await kit.advance(clock, '2025-02-10');
    await over(kit, id);
    await kit.ask(next, 'cancel', { when: { type: 'now' }, credit: true, notes: null });
    await over(kit, next);
    return { 'downgraded-at-the-boundary': id, 'canceled-with-credit': next };
  },
  async (kit) => {
    const { clock, customer } = await onClock(kit, '2025-01-01T00:00:00.000Z');
    const id = await signed(kit, customer, await kit.plan('10.00'), { isPending: true });
    await kit.ask(id, 'activate', { activation: null });
    const refusal = await kit.ask(id, 'activate', { activation: null }).catch(String);
    if (!refusal) throw new Error('a second activation was not refused');
    await kit.advance(clock, '2025-02-01');
    return { 'pending-then-activated-and-refused-a-second-time': id };
  },
  async (kit) => {
    const customer = await kit.customer();
    const id = await signed(kit, customer, await kit.plan('10.00'));
    const act = { notes: null, keyId: null };
    for (const change of [freezeCustomer, activateCustomer]) {
      const { wishes } = await kit.db.transaction((tx) => change(tx, kit.vendorId, customer, act));
      await deliverWishes(kit.db, kit.client, TASK_QUEUE, wishes);
    }
    return { 'frozen-and-activated': id };
  },
  async (kit) => {
    const id = await signed(kit, await kit.customer(), await kit.plan('10.00'));
    const asked = Array.from({ length: 8 }, (_, i) => kit.ask(id, i % 2 === 0 ? 'cancel_undo' : 'change_undo', {}).catch(String));
    await Promise.all(asked);
    return { 'asked-much-at-once': id };
  },
  async (kit) => {
    const { clock, customer } = await onClock(kit, '2025-01-01T00:00:00.000Z');
    const id = await signed(kit, customer, await kit.plan('10.00'), { expiration: Date.UTC(2025, 1, 15) });
    await kit.advance(clock, '2025-03-01');
    await over(kit, id);
    return { expired: id };
  },
  async (kit) => {
    const { clock, customer } = await onClock(kit, '2025-01-01T00:00:00.000Z');
    const id = await signed(kit, customer, await kit.plan('10.00'));
    const [row] = await kit.db.query<{ terms: object }>('select terms from contract where id = $1', [id]);
    await kit.db.query(`update contract set terms = jsonb_set(terms, '{price,amount}', '"no number"') where id = $1`, [id]);
    await kit.advance(clock, '2025-03-01');
    await kit.db.query('update contract set terms = $2::jsonb where id = $1', [id, JSON.stringify(row?.terms)]);
    await kit.ask(id, 'resume', {});
    return { 'parked-and-resumed': id, 'clock-that-stopped': clock };
  },
];

/** The history once the workflow waits: a task under way would be played on, which a replay can't. */
function settledHistory(kit: Kit, workflowId: string) {
  return eventually(async () => {
    const history = await kit.client.workflow.getHandle(workflowId).fetchHistory();
    const last = (history.events ?? []).findLast(
      (event) => event.workflowTaskScheduledEventAttributes ?? event.workflowTaskCompletedEventAttributes,
    );
    if (last?.workflowTaskCompletedEventAttributes == null) throw new Error(`${workflowId} is at work`);
    return history;
  });
}

/** Where it was recorded is nobody's business and changes with every recording. */
function withoutPlaces(key: string, value: unknown): unknown {
  if (key === 'stackTrace') return '';
  return key === 'identity' ? 'recorder' : value;
}

const home = await mkdtemp(join(tmpdir(), 'perennial-record-'));
const { servers, stop } = await startTestStack(home, (line) => process.stdout.write(`${line}\n`));
const kit = await openKit(servers);
try {
  await mkdir(FOLDER, { recursive: true });
  for (const play of process.argv[2] === 'payments' ? paymentPaths : [...paths, ...paymentPaths]) {
    for (const [name, workflowId] of Object.entries(await play(kit))) {
      const history = await settledHistory(kit, workflowId);
      await writeFile(join(FOLDER, `${name}.json`), `${JSON.stringify(JSON.parse(historyToJSON(history)), withoutPlaces, 1)}\n`);
      process.stdout.write(`${name}: ${history.events?.length} events\n`);
    }
  }
} finally {
  await kit.close();
  await stop();
  await rm(home, { recursive: true, force: true });
}
