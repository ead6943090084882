import { HOUR } from '../../billing/calendar/instant.ts';
import { concludeSession } from '../../services/payment/session.ts';
import { eventually } from '../support/eventually.ts';
import { servers } from '../support/servers.ts';
import { type HistoryEvent, stepsOf } from './history.ts';
import { type Kit, openKit } from './kit.ts';
import { openSession } from './payer.ts';

let kit: Kit;
beforeAll(async () => {
  kit = await openKit(await servers());
});
afterAll(() => kit.close());

/**
 * The tasks of a workflow that no further signal asked for: each signal behind the one of the start has one task. Tests
 * beside this one reconcile, which signals all workflows.
 */
function tasksUnasked(events: readonly HistoryEvent[]): number {
  const tasks = events.filter(({ workflowTaskScheduledEventAttributes: task }) => task != null);
  return tasks.length - (signalsOf(events) - 1);
}
const signalsOf = (events: readonly HistoryEvent[]): number =>
  events.filter(({ workflowExecutionSignaledEventAttributes: signal }) => signal != null).length;

/** A contract by the month on the wall clock, whose workflow has been started and has got all its messages. */
async function signed(clock: string | null = null): Promise<string> {
  const id = await kit.sign(await kit.customer(clock), await kit.plan('10.00'));
  await hasItsMessages(id);
  return id;
}

const hasItsMessages = (id: string) =>
  eventually(async () =>
    expect(await kit.db.query('select 1 from outbox where workflow_id = $1 and sent >= wanted', [id])).toHaveLength(1),
  );

/** Its run is old enough to be replaced by another. */
const isReplaceable = (id: string) =>
  eventually(async () =>
    expect(
      await kit.db.query(`select 1 from outbox where workflow_id = $1 and sent_at < clock_timestamp() - interval '2 seconds'`, [id]),
    ).toHaveLength(1),
  );

/** Changes a contract, and gives the run of its chain's workflow that shows the new one. */
async function changed(chainId: string, from: string, price: string): Promise<{ next: string; runId: string }> {
  const next = await kit.change(from, await kit.plan(price));
  return eventually(async () => {
    const { runId, searchAttributes } = await kit.client.workflow.getHandle(chainId).describe();
    expect(searchAttributes?.PerennialContracts).toContain(next);
    return { next, runId };
  });
}

const doneIn = (events: readonly HistoryEvent[]): string[] =>
  stepsOf(events).flatMap(({ schedule }) => schedule.done.map(({ what, by }) => `${what} by ${by}`));

const nextOf = async (id: string): Promise<Date> => {
  const [row] = await kit.db.query<{ at: number }>('select due_at as at from agenda where workflow_id = $1 order by due_at limit 1', [id]);
  return new Date(row?.at ?? 0);
};

describe('the workflow of a contract for which nothing is due yet', () => {
  it.each([
    ['on the wall clock', null],
    ['on a test clock', '2025-01-01T00:00:00.000Z'],
  ])('%s: runs no task, and shows all the same what its contract is and what happens next', async (_where, start) => {
    const clock = start === null ? null : await kit.clock(start);
    const id = await signed(clock);
    const { status, searchAttributes, ...description } = await kit.client.workflow.getHandle(id).describe();
    expect(status.name).toBe('RUNNING');
    const next = await nextOf(id);
    expect(searchAttributes).toMatchObject({
      PerennialVendor: [kit.vendorId],
      PerennialContracts: [id],
      PerennialStatus: ['active'],
      PerennialNext: [next],
      PerennialParked: [false],
    });
    const details = await description.staticDetails();
    expect(details).toContain(`\`${id}\``);
    expect(details).toContain(`What happens next:\n\n- ${next.toISOString().slice(0, 10)}`);
    expect(details).toContain(': period 2 starts');
    expect(tasksUnasked(await kit.history(id))).toBeLessThanOrEqual(0);
  });

  it('looks at once when it is changed in its first second, in one task and at most 8 events, and lists what came since', async () => {
    const id = await signed();
    // so that it stays young for as long as this takes
    await kit.db.query(`update outbox set sent_at = clock_timestamp() + interval '1 minute' where workflow_id = $1`, [id]);
    const next = await kit.change(id, await kit.plan('20.00'));
    const events = await eventually(async () => {
      const all = await kit.history(id);
      expect(stepsOf(all).at(-1)?.schedule).toMatchObject({ contracts: [{ contractId: next }, { contractId: id }] });
      expect(all.at(-1)?.timerStartedEventAttributes).not.toBeNull();
      return all;
    });
    expect(tasksUnasked(events)).toBeLessThanOrEqual(0);
    expect(events.length).toBeLessThanOrEqual(2 + 8 * (signalsOf(events) - 1));
    expect(doneIn(events)).toContain('contract.change.completed by caller');
    const { searchAttributes } = await kit.client.workflow.getHandle(id).describe();
    expect(searchAttributes).toMatchObject({ PerennialContracts: [next, id], PerennialNext: [await nextOf(id)] });
  });

  it('is replaced when it is changed later: the new one runs no task either, shows where the chain stands and lists all when it looks', async () => {
    const id = await signed();
    const handle = kit.client.workflow.getHandle(id);
    const { runId: first } = await handle.describe();
    await isReplaceable(id);
    const { next, runId: second } = await changed(id, id, '20.00');
    await isReplaceable(id);
    const { next: last, runId: third } = await changed(id, next, '30.00');
    expect(new Set([first, second, third]).size).toBe(3);
    for (const runId of [first, second]) {
      const before = kit.client.workflow.getHandle(id, runId);
      expect((await before.describe()).status.name).toBe('TERMINATED');
      expect(tasksUnasked((await before.fetchHistory()).events ?? [])).toBeLessThanOrEqual(0);
    }
    const { status, searchAttributes, ...description } = await handle.describe();
    expect(status.name).toBe('RUNNING');
    expect(searchAttributes).toMatchObject({ PerennialContracts: [last, next, id], PerennialNext: [await nextOf(id)] });
    expect(await description.staticDetails()).toMatch(new RegExp(`\`${last}\`.* \\*\\*active\\*\\*, period 1`));
    expect(tasksUnasked(await kit.history(id))).toBeLessThanOrEqual(0);
    await kit.look(id);
    expect(doneIn(await kit.history(id)).filter((what) => what === 'contract.change.completed by caller')).toHaveLength(2);
  });

  it('is signalled when it is changed after it has looked, and goes on in its run', async () => {
    const id = await signed();
    await kit.look(id);
    const { runId: before } = await kit.client.workflow.getHandle(id).describe();
    await isReplaceable(id);
    const { runId } = await changed(id, id, '20.00');
    expect(runId).toBe(before);
    expect(doneIn(await kit.history(id))).toContain('contract.change.completed by caller');
  });

  it('is replaced by one that begins earlier where a change lets something be due earlier', async () => {
    const id = await signed();
    await isReplaceable(id);
    const date = Date.now() + 6_000;
    await kit.cancel(id, { type: 'date', date });
    await eventually(async () => {
      const { status, closeTime } = await kit.client.workflow.getHandle(id).describe();
      expect([status.name, (closeTime?.getTime() ?? 0) >= date]).toEqual(['COMPLETED', true]);
    });
    expect(await kit.state(id)).toMatchObject({ status: 'canceled' });
    expect(stepsOf(await kit.history(id)).map(({ activity }) => activity)).toEqual(['readSchedule', 'endContract']);
  });

  it('runs its first task when its first hour ends, and no other: it reads, rolls over and sets the next timer', async () => {
    const plan = await kit.plan('1.00', { cycle: 'hour' });
    const dueAt = Date.now() + 4_000;
    const id = await kit.sign(await kit.customer(), plan, { activation: dueAt - HOUR });
    await eventually(async () => expect((await kit.state(id)).idx).toBe(2));
    const events = await eventually(async () => {
      const all = await kit.history(id);
      expect(all.at(-1)?.timerStartedEventAttributes).not.toBeNull();
      return all;
    });
    expect(stepsOf(events).map(({ activity }) => activity)).toEqual(['readSchedule', 'rollOverCycle']);
    expect(tasksUnasked(events)).toBeLessThanOrEqual(1);
    expect(events.length).toBeLessThanOrEqual(2 + 8 * signalsOf(events));
    expect((await kit.invoices(id)).map(({ date }) => date)).toEqual([dueAt - HOUR, dueAt]);
  });

  it('ends at once where its contract ends, though nothing was due for a month', async () => {
    const id = await signed();
    await kit.cancel(id);
    await kit.client.workflow.getHandle(id).result();
    expect(tasksUnasked(await kit.history(id))).toBeLessThanOrEqual(0);
  });
});

describe('the workflow of a customer whose payment session is open', () => {
  it('runs no task while it is, shows when it expires, and ends when it is confirmed', async () => {
    const customer = await kit.customer();
    const before = Date.now();
    const token = await openSession(kit, customer, null);
    const handle = kit.client.workflow.getHandle(`customer:${customer}`);
    const { status, ...description } = await eventually(() => handle.describe());
    expect(status.name).toBe('RUNNING');
    const expires = new Date(before + 24 * HOUR).toISOString().slice(0, 10);
    expect(await description.staticDetails()).toContain(`- ${expires}`);
    expect(await description.staticDetails()).toContain('Z: a payment session expires');
    expect(tasksUnasked(await kit.history(`customer:${customer}`))).toBeLessThanOrEqual(0);
    await kit.db.transaction((tx) => concludeSession(tx, token, { status: 'failed', reason: 'card_declined' }));
    await handle.result();
    expect(tasksUnasked(await kit.history(`customer:${customer}`))).toBeLessThanOrEqual(0);
  });
});
