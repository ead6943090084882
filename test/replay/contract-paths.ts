import { HOUR } from '../../billing/calendar/instant.ts';
import { activateContract } from '../../services/contract/activate.ts';
import { undo } from '../../services/contract/undo.ts';
import { send } from '../../temporal/send.ts';
import { CHANGED_SIGNAL } from '../../workflows/messages.ts';
import { eventually } from '../support/eventually.ts';
import { type Kit, TASK_QUEUE } from '../workflows/kit.ts';
import { LIFECYCLE } from '../workflows/lifecycle.ts';
import { factsOfCustomer, OTHER_CONCERNS } from '../workflows/other-concerns.ts';
import type { Path } from './path.ts';

const onClock = async (kit: Kit, start: string) => {
  const clock = await kit.clock(start);
  return { clock, customer: await kit.customer(clock) };
};

const ended = (kit: Kit, id: string) => kit.client.workflow.getHandle(id).result();

/** Waits until a contract of the wall clock is in its second period. */
export const inSecondPeriod = (kit: Kit, id: string): Promise<void> =>
  eventually(async () => {
    if ((await kit.state(id)).idx !== 2) throw new Error(`${id} has not rolled over yet`);
  });

/** Each concern of the lifecycle, on the wall clock. */
const concerns: Path[] = LIFECYCLE.map(({ concern, activity, play, invoices }) => async ({ kit }) => {
  const { chainId } = await play(kit);
  await eventually(async () => {
    const found = await kit.db.query('select i.id from invoice i join contract c on c.id = i.contract_id where c.root_id = $1', [chainId]);
    const [row] = await kit.db.query('select id from agenda where workflow_id = $1 and due_at <= now()', [chainId]);
    if (found.length !== invoices.length || row !== undefined) throw new Error(`${concern}: nothing has happened yet`);
  });
  return { [concern.replace(/,.*/, '').replaceAll(' ', '-')]: { workflowId: chainId, mustHold: activity } };
});

/** What else is waited for on the wall clock. */
const otherConcerns: Path[] = OTHER_CONCERNS.map((story) => async ({ kit }) => {
  const played = await story.play(kit);
  await eventually(async () => {
    const facts = await factsOfCustomer(kit, story, played);
    if (facts.join() !== story.found.join()) throw new Error(`${story.concern}: ${facts}`);
  });
  return { [story.concern.replaceAll(' ', '-')]: { workflowId: played.workflowId, mustHold: story.activity } };
});

const others: Path[] = [
  async ({ kit }) => {
    const { clock, customer } = await onClock(kit, '2025-01-31T00:00:00.000Z');
    const id = await kit.sign(customer, await kit.plan('10.00', { trialDays: 14 }));
    await kit.advance(clock, '2026-01-31');
    return { 'trial-and-a-year-on-a-clock': id, 'clock-of-a-year': clock };
  },
  async ({ kit }) => {
    const { clock, customer } = await onClock(kit, '2025-01-01T00:00:00.000Z');
    const [small, big] = [await kit.plan('10.00'), await kit.plan('30.00')];
    const id = await kit.sign(customer, small);
    const next = await kit.change(id, big);
    await kit.change(next, small);
    await kit.db.transaction((tx) => undo(tx, kit.call(next), 'change_undo'));
    await kit.cancel(next, { type: 'end_of_cycle' });
    await kit.undoCancellation(next);
    const last = await kit.change(next, small);
    await kit.advance(clock, '2025-02-10');
    await kit.cancel(last, { type: 'now' }, true);
    await ended(kit, id);
    return { 'changed-up-and-down-and-canceled-with-credit': id };
  },
  async ({ kit }) => {
    const { clock, customer } = await onClock(kit, '2025-01-01T00:00:00.000Z');
    const id = await kit.sign(customer, await kit.plan('10.00'), { isPending: true });
    await kit.db.transaction((tx) => activateContract(tx, kit.call(id), null));
    await kit.advance(clock, '2025-02-01');
    return { 'pending-then-activated': id };
  },
  async ({ kit }) => {
    const { clock, customer } = await onClock(kit, '2025-01-01T00:00:00.000Z');
    const id = await kit.sign(customer, await kit.plan('10.00'));
    const [row] = await kit.db.query<{ terms: object }>('select terms from contract where id = $1', [id]);
    await kit.db.query(`update contract set terms = jsonb_set(terms, '{price,amount}', '"no number"') where id = $1`, [id]);
    await kit.advance(clock, '2025-03-01');
    await kit.db.query('update contract set terms = $2::jsonb where id = $1', [id, JSON.stringify(row?.terms)]);
    await kit.resume(id);
    return { 'parked-and-resumed': id, 'clock-that-stopped': clock };
  },
  async ({ kit }) => {
    const id = await kit.sign(await kit.customer(), await kit.plan('10.00'));
    await eventually(() => kit.client.workflow.getHandle(id).describe());
    await Promise.all(Array.from({ length: 20 }, () => send(kit.client, TASK_QUEUE, { kind: 'contract', workflowId: id })));
    return { 'told-much-at-once': id };
  },
  async ({ kit }) => {
    const activation = Date.now() + 6_000 - HOUR;
    const id = await kit.sign(await kit.customer(), await kit.plan('10.00', { cycle: 'hour' }), { activation });
    await kit.look(id);
    await kit.client.workflow.getHandle(id).cancel();
    await inSecondPeriod(kit, id);
    return { 'not-canceled-by-temporal': id };
  },
  async ({ kit, restart }) => {
    const activation = Date.now() + 6_000 - HOUR;
    const id = await kit.sign(await kit.customer(), await kit.plan('10.00', { cycle: 'hour' }), { activation });
    const handle = kit.client.workflow.getHandle(id);
    await kit.look(id);
    await restart('postgres', async () => {
      const waiting = async () => (await handle.describe()).raw.pendingActivities ?? [];
      await eventually(async () => {
        if ((await waiting()).length === 0) throw new Error('the step does not wait in Temporal yet');
      });
    });
    await inSecondPeriod(kit, id);
    return { 'postgres-away-at-a-wake-up': id };
  },
  async ({ kit, withWorker }) => {
    const id = await kit.signWithoutMessages(await kit.customer(), await kit.plan('10.00'));
    const handle = kit.client.workflow.getHandle(id);
    const run = async () => (await handle.describe()).runId;
    const queue = 'perennial-of-another-code';
    const first = await withWorker(queue, 'first', async () => {
      await send(kit.client, queue, { kind: 'contract', workflowId: id });
      await eventually(() => handle.query('state'));
      return run();
    });
    await withWorker(queue, 'second', async () => {
      await handle.signal(CHANGED_SIGNAL);
      await eventually(async () => {
        if ((await run()) === first) throw new Error('it has not continued yet');
      });
      await eventually(() => handle.query('state'));
    });
    return { 'continued-as-new': { workflowId: id, runId: first }, 'continued-from-another': id };
  },
];

export const contractPaths: Path[] = [...concerns, ...otherConcerns, ...others];
